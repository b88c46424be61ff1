package dev.glovebox.cli;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.glovebox.run.Divergence;
import dev.glovebox.run.Replay;
import java.io.IOException;

/**
 * What came of a replay, as it is told.
 *
 * @param executed whether programs were really run again
 */
record Comparison(Shell shell, boolean json, boolean executed) {

    private static final int NOT_THE_SAME = 1;
    private static final int UNFINISHED = 3;

    private enum Verdict {
        FAITHFUL("faithful", Main.OK),
        DIVERGED("diverged", NOT_THE_SAME),
        NOT_REPRODUCED("not-reproduced", NOT_THE_SAME),
        UNFINISHED("unfinished", Comparison.UNFINISHED);

        private final String word;
        private final int exit;

        Verdict(String word, int exit) {
            this.word = word;
            this.exit = exit;
        }

        static Verdict of(Replay replay) {
            if (!replay.isFaithful()) {
                return DIVERGED;
            }
            if (!replay.repeated().stream().allMatch(Replay.Repeated::isReproduced)) {
                return NOT_REPRODUCED;
            }
            return replay.isFinished() ? FAITHFUL : UNFINISHED;
        }
    }

    /** Tells it, and gives the exit code. */
    int tell(Replay replay, long records) {
        Verdict verdict = Verdict.of(replay);
        if (json) {
            new JsonReport(shell).object(out -> write(out, replay, verdict));
        } else {
            print(replay, verdict, records);
        }
        return verdict.exit;
    }

    private void print(Replay replay, Verdict verdict, long records) {
        Paint paint = new Paint(shell.coloured());
        for (Replay.Repeated one : replay.repeated()) {
            String what = Shell.oneLine(one.kind() + "  " + one.name() + "  (" + one.key() + ")");
            shell.print(
                    what
                            + "  "
                            + (one.isReproduced()
                                    ? paint.good("reproduced")
                                    : paint.bad("not reproduced: " + Shell.oneLine(why(one)))));
        }
        if (executed && replay.repeated().isEmpty()) {
            shell.say("nothing was executed: the run has no execution that came to its end");
        }
        String run = replay.run();
        shell.print(
                switch (verdict) {
                    case FAITHFUL ->
                            paint.good("Faithful: the run %s does what its %,d records say.")
                                    .formatted(run, records);
                    case DIVERGED -> paint.bad("Diverged: " + Shell.oneLine(sentence(replay)));
                    case NOT_REPRODUCED ->
                            paint.bad(
                                    "Not reproduced: the run %s does what was recorded, but what it executed did not come to the same."
                                            .formatted(run));
                    case UNFINISHED ->
                            paint.doubtful(
                                                    "Not finished: the run %s does what its %,d records say.")
                                            .formatted(run, records)
                                    + " To go on: glovebox trace resume "
                                    + run;
                });
    }

    private static String why(Replay.Repeated one) {
        return one.problem()
                .orElseGet(() -> one.difference().orElse("nothing") + " is not the same");
    }

    private static String sentence(Replay replay) {
        return replay.divergence()
                .map(Divergence::sentence)
                .orElse("it derives the same in part only; recorded digests are missing");
    }

    private static void write(JsonGenerator out, Replay replay, Verdict verdict)
            throws IOException {
        out.writeStringField("run", replay.run());
        out.writeStringField("verdict", verdict.word);
        if (verdict == Verdict.DIVERGED) {
            out.writeStringField("why", sentence(replay));
        }
        if (replay.recorded().isPresent()) {
            out.writeStringField("recorded", replay.recorded().get());
        }
        out.writeStringField("derived", replay.derived());
        out.writeArrayFieldStart("executed");
        for (Replay.Repeated one : replay.repeated()) {
            out.writeStartObject();
            out.writeStringField("key", one.key());
            out.writeStringField("kind", one.kind());
            out.writeStringField("name", one.name());
            out.writeBooleanField("reproduced", one.isReproduced());
            if (!one.isReproduced()) {
                out.writeStringField("why", why(one));
            }
            out.writeEndObject();
        }
        out.writeEndArray();
    }
}
