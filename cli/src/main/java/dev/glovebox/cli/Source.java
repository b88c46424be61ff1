package dev.glovebox.cli;

import dev.glovebox.sandbox.Language;
import dev.glovebox.sandbox.Program;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Finds out what is to be run: a source file, source on standard input, or a command of the box.
 */
final class Source {

    static final String STDIN = "-";

    private static final int LONGEST_FIRST_LINE = 256;
    // More would not be source; and whoever names a disk image should not wait for it to be read.
    private static final int LARGEST = 64 * 1024 * 1024;

    private final Shell shell;

    Source(Shell shell) {
        this.shell = shell;
    }

    /**
     * The code that the command line names.
     *
     * @param command whether {@code --} stands before the word: then it is a command
     */
    Program.Code code(String word, boolean command, @Nullable String language) {
        Optional<Language> named = Optional.ofNullable(language).map(Source::language);
        if (command) {
            if (named.isPresent()) {
                throw new BadInput(
                        "--lang is for source code; '-- " + word + "' is a command of the box");
            }
            return new Program.Command(word);
        }
        return script(word, named, "; a command of the box goes behind --: -- " + word);
    }

    /** The source code that the command line names. */
    Program.Script script(String word, @Nullable String language) {
        return script(word, Optional.ofNullable(language).map(Source::language), "");
    }

    private Program.Script script(String word, Optional<Language> named, String otherwise) {
        if (word.equals(STDIN)) {
            Language of =
                    named.orElseThrow(() ->
                            new BadInput("Source from standard input needs a --lang: " + known()));
            return new Program.Script(of, read(shell.in(), "standard input"), of.filename());
        }
        Path file = shell.path(word);
        byte[] source = read(file, word, otherwise);
        Language of =
                named.or(() -> byName(word))
                        .or(() -> byFirstLine(source))
                        .orElseThrow(() ->
                                new BadInput(
                                        "Neither the name nor a #! line tells the language of '"
                                                + word
                                                + "'; name it with --lang: "
                                                + known()));
        return new Program.Script(of, source, String.valueOf(file.getFileName()));
    }

    static Language language(String name) {
        return Arrays.stream(Language.values())
                .filter(language -> language.toString().equals(name))
                .findFirst()
                .orElseThrow(() ->
                        new BadInput("Unknown language '" + name + "' for --lang: " + known()));
    }

    private static String known() {
        return "python, javascript or bash";
    }

    private static byte[] read(Path file, String word, String otherwise) {
        if (Files.isDirectory(file)) {
            throw new BadInput("'" + word + "' is a directory, no source file");
        }
        try (InputStream in = Files.newInputStream(file)) {
            return read(in, "'" + word + "'");
        } catch (NoSuchFileException e) {
            throw new BadInput("There is no file '" + word + "'" + otherwise, e);
        } catch (IOException e) {
            throw new BadInput("'" + word + "' cannot be read: " + InputFiles.why(e), e);
        }
    }

    private static byte[] read(InputStream in, String what) {
        try {
            byte[] source = in.readNBytes(LARGEST + 1);
            if (source.length > LARGEST) {
                throw new BadInput("The source from " + what + " is larger than 64MiB");
            }
            return source;
        } catch (IOException e) {
            throw new BadInput(
                    "The source from " + what + " cannot be read: " + InputFiles.why(e), e);
        }
    }

    private static Optional<Language> byName(String word) {
        return switch (word.substring(word.lastIndexOf('.') + 1)) {
            case "py" -> Optional.of(Language.PYTHON);
            case "js", "mjs", "cjs" -> Optional.of(Language.JAVASCRIPT);
            case "sh", "bash" -> Optional.of(Language.BASH);
            default -> Optional.empty();
        };
    }

    /** Reads {@code #!/usr/bin/python3.11 -u} and {@code #!/usr/bin/env -S node --harmony}. */
    static Optional<Language> byFirstLine(byte[] source) {
        int length = Math.min(source.length, LONGEST_FIRST_LINE);
        String start = new String(source, 0, length, StandardCharsets.ISO_8859_1);
        if (!start.startsWith("#!")) {
            return Optional.empty();
        }
        String line = start.substring(2).lines().findFirst().orElse("");
        List<String> words = List.of(line.strip().split("\\s+"));
        return words.stream()
                .map(word -> word.substring(word.lastIndexOf('/') + 1))
                .filter(word ->
                        !word.equals("env") && !word.startsWith("-") && word.indexOf('=') < 0)
                .findFirst()
                .flatMap(Source::byInterpreter);
    }

    private static Optional<Language> byInterpreter(String name) {
        if (name.startsWith("python")) {
            return Optional.of(Language.PYTHON);
        }
        return switch (name) {
            case "node", "nodejs" -> Optional.of(Language.JAVASCRIPT);
            case "bash", "sh" -> Optional.of(Language.BASH);
            default -> Optional.empty();
        };
    }
}
