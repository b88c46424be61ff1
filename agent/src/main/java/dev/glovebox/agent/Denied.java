package dev.glovebox.agent;

import java.util.regex.Pattern;

/** Blocks what a pattern is found in. */
record Denied(String name, Pattern pattern) implements Guardrail {

    @Override
    public Verdict check(Passage passage) {
        Reading reading = Reading.of(passage.text());
        boolean found =
                BoundedPattern.finds(pattern, passage.text())
                        || (reading.differs() && BoundedPattern.finds(pattern, reading.text()));
        return found ? new Verdict.Blocked("it holds what is denied") : new Verdict.Pass();
    }
}
