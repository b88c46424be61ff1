package dev.glovebox.cli;

import java.io.IOException;

/** What a program produced could not be handed on. */
final class OutputLost extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final boolean nobodyReads;

    private OutputLost(String message, IOException cause, boolean nobodyReads) {
        super(message, cause);
        this.nobodyReads = nobodyReads;
    }

    /**
     * Of a file, or of standard output.
     *
     * @param what cannot be written
     */
    static OutputLost writing(String what, IOException why) {
        return new OutputLost(
                what + " cannot be written: " + InputFiles.why(why), why, isClosed(why));
    }

    /** Of a file that was named. */
    static OutputLost saving(String what, IOException why) {
        return new OutputLost(what + " cannot be saved: " + InputFiles.why(why), why, false);
    }

    /** Whether it only is that whoever read it has gone away, as {@code head} does. */
    boolean nobodyReads() {
        return nobodyReads;
    }

    private static boolean isClosed(IOException why) {
        return String.valueOf(why.getMessage()).contains("Broken pipe");
    }
}
