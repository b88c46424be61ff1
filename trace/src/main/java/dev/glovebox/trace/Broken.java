package dev.glovebox.trace;

import java.util.OptionalLong;

/** A rule of the trace format does not hold; stops the check of a trace. */
final class Broken extends RuntimeException {

    private static final long serialVersionUID = 1L;
    private static final long NO_RECORD = -1;
    private static final int LONGEST = 300;

    private final long seq;
    private final String what;

    private Broken(long seq, String what) {
        // Hostile traces come by the thousand: nobody looks at the stack.
        super(what, null, false, false);
        this.seq = seq;
        this.what = harmless(what);
    }

    /** What is wrong may be said in words of whoever did it, and is read on a terminal. */
    private static String harmless(String what) {
        String shown = what.length() > LONGEST ? what.substring(0, LONGEST) + "…" : what;
        return shown.replaceAll("[^\\p{Print}…]", "?");
    }

    static Broken at(long seq, String what) {
        return new Broken(seq, what);
    }

    static Broken because(String what) {
        return new Broken(NO_RECORD, what);
    }

    /** The same, said of a record. */
    Broken in(long record) {
        return new Broken(record, what);
    }

    Verdict verdict() {
        OptionalLong record = seq == NO_RECORD ? OptionalLong.empty() : OptionalLong.of(seq);
        return new Verdict.Tampered(record, what);
    }
}
