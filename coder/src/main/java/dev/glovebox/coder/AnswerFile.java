package dev.glovebox.coder;

/**
 * A file that a model gives.
 *
 * @param name relative to where the program runs
 * @param text all of it
 */
record AnswerFile(String name, String text) {}
