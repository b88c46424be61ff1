package dev.glovebox.coder;

import java.util.List;

/**
 * An error as an interpreter printed it, in parts. All of it may be forged by the program.
 *
 * @param type such as {@code NameError}; empty: there is none
 * @param message the first line of what it says
 * @param frames where it happened, the innermost first
 * @param marks what was printed below the line of the innermost frame to point at a part of it,
 *     beginning where the line's first character stands; empty: nothing was
 */
record Problem(String type, String message, List<Frame> frames, String marks) {

    static final Problem NONE = new Problem("", "", List.of(), "");

    Problem {
        frames = List.copyOf(frames);
    }

    /**
     * A place in a file.
     *
     * @param line from 1, as far as one can trust it
     * @param column from 1; 0: it was not said
     */
    record Frame(String file, int line, int column, String function) {}

    boolean exists() {
        return !type.isEmpty();
    }

    boolean is(String... types) {
        return List.of(types).contains(type);
    }

    boolean says(String part) {
        return message.contains(part);
    }

    /** The whole of it, for people. */
    String sentence() {
        return message.isEmpty() ? type : type + ": " + message;
    }
}
