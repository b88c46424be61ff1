package dev.glovebox.run;

import dev.glovebox.trace.Event.EffectIntent;
import dev.glovebox.trace.Event.EffectOutcome;
import dev.glovebox.trace.Event.Status;
import java.util.Map;
import java.util.Optional;

/** An effect that is on record, with or without what came of it. */
public final class RecordedEffect {

    private final Journal journal;
    private final EffectIntent intent;
    private final Optional<EffectOutcome> outcome;

    RecordedEffect(Journal journal, EffectIntent intent, Optional<EffectOutcome> outcome) {
        this.journal = journal;
        this.intent = intent;
        this.outcome = outcome;
    }

    /** The {@link Call#key} of its performance. */
    public String key() {
        return journal.run() + "/" + intent.id().key();
    }

    /** What exactly: the model, the tool, the program. */
    public String name() {
        return intent.name();
    }

    /** Whether it is on record what came of it. */
    public boolean hasEnded() {
        return outcome.isPresent();
    }

    /**
     * What it was given.
     *
     * @param apart as {@link Effect#apart} says
     * @throws NotReplayable if some of it was deleted
     */
    public <A> A arguments(Class<A> type, Map<String, String> apart) {
        return Parts.value(
                journal.content(intent.arguments()),
                intent.details(),
                apart,
                type,
                journal::content);
    }

    /**
     * What came of it; empty if it did not come to its end, or failed.
     *
     * @param apart as {@link Effect#apart} says
     * @throws NotReplayable if some of it was deleted
     */
    public <R> Optional<R> result(Class<R> type, Map<String, String> apart) {
        // Of what failed and is private the result is why.
        return outcome.filter(end -> end.status() == Status.DONE)
                .flatMap(end ->
                        end.result()
                                .map(kept ->
                                        Parts.value(
                                                journal.content(kept),
                                                end.details(),
                                                apart,
                                                type,
                                                journal::content)));
    }
}
