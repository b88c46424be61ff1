package dev.glovebox.cli;

import dev.glovebox.trace.Trace;
import dev.glovebox.trace.Verdict;

/** Refuses to go on from a record that somebody has changed. */
record Tampering(Shell shell, boolean json) {

    static final int EXIT = 1;

    /** Whether it was, which is told then. */
    boolean isFound(Trace trace, String run) {
        if (!(trace.verify(run) instanceof Verdict.Tampered tampered)) {
            return false;
        }
        String sentence = Shell.oneLine(tampered.sentence());
        if (json) {
            new JsonReport(shell)
                    .object(out -> {
                        out.writeStringField("run", run);
                        out.writeStringField("verdict", "tampered");
                        out.writeStringField("why", sentence);
                    });
        } else {
            shell.print(new Paint(shell.coloured()).bad(sentence) + " Nothing was done.");
        }
        return true;
    }
}
