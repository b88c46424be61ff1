package dev.glovebox.coder;

/**
 * Why a program did not do what it should.
 *
 * @param category a few words, the same for the same kind of mistake, such as {@code
 *     missing-module}
 * @param cause for people
 * @param fix what to do about it, or was done
 * @param confidence from 0 to 1
 */
public record Diagnosis(String category, String cause, String fix, double confidence) {}
