package dev.glovebox.run;

import com.fasterxml.jackson.databind.JsonNode;
import dev.glovebox.trace.Event.EffectOutcome;
import dev.glovebox.trace.Event.Status;

/** Gives nodes what was recorded of their effects. */
class Results {

    private final Journal journal;

    Results(Journal journal) {
        this.journal = journal;
    }

    /** What the node got, which may be an exception. */
    <R> R of(Door.Passage<R> passage, EffectOutcome outcome) {
        if (outcome.status() == Status.DONE) {
            Effect<?, R> effect = passage.effect();
            byte[] json = journal.content(outcome.result().orElseThrow());
            return Journal.read(
                    passage.id().path(),
                    "the result of " + effect.name(),
                    json,
                    effect.resultType(),
                    () ->
                            Parts.value(
                                    json,
                                    outcome.details(),
                                    effect.apart(),
                                    effect.resultType(),
                                    journal::content));
        }
        JsonNode told = journal.told(outcome);
        Details.stop(told)
                .ifPresent(reason -> {
                    throw new Stop(reason, passage.effect().isPrivate());
                });
        if (outcome.status() == Status.UNKNOWN) {
            throw unknown(passage);
        }
        JsonNode problem = told.path(Details.PROBLEM);
        throw failed(
                passage,
                problem.path(Details.CODE).asText(),
                problem.path(Details.MESSAGE).asText());
    }

    static EffectFailed failed(Door.Passage<?> passage, String code, String message) {
        return new EffectFailed(passage.effect(), code, message);
    }

    OutcomeUnknown unknown(Door.Passage<?> passage) {
        Effect<?, ?> effect = passage.effect();
        String key = journal.run() + "/" + passage.id().key();
        return new OutcomeUnknown(effect.kind(), effect.name(), key);
    }
}
