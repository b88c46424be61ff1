package dev.glovebox.sandbox;

import java.nio.file.Path;

/** The interpreter a box uses for a language: a real program outside home directories. */
public record Interpreter(Language language, Path path, String version) {}
