package dev.glovebox.coder;

import java.util.List;

/**
 * Code, as a model gives it.
 *
 * @param stuck why it cannot be written; else empty
 */
record AnswerCode(
        String stuck,
        List<AnswerFile> files,
        String entry,
        List<String> dependencies,
        List<String> arguments) {

    boolean isStuck() {
        return !stuck.isBlank();
    }

    AnswerProgram program() {
        return new AnswerProgram(files, entry, dependencies, arguments);
    }
}
