package dev.glovebox.agent;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.glovebox.run.Call;
import dev.glovebox.run.Cost;
import dev.glovebox.run.Done;
import java.util.List;

/**
 * The effect of asking a memory; what was found is in the record, and comes from there in a replay.
 *
 * @param guardrails of who asks: what they block was not found
 * @param agent who asks
 */
record Recall(Memory memory, Recall.Question arguments, Guardrails guardrails, String agent)
        implements MemoryEffect<Recall.Question, Recall.Found> {

    /** What is asked; empty is what is not. */
    record Question(String facts, String task, String error, int most) {}

    record Found(List<Recalled<Fact>> facts, List<Recalled<Episode>> episodes) {}

    static Recall facts(Memory memory, String question, int most, String agent) {
        return new Recall(memory, new Question(question, "", "", most), Guardrails.none(), agent);
    }

    static Recall episodes(Memory memory, String task, String error, int most, String agent) {
        return new Recall(memory, new Question("", task, error, most), Guardrails.none(), agent);
    }

    @Override
    public Done<Found> perform(Call call) {
        int most = arguments.most();
        Found raw =
                MemoryEffect.kept(() ->
                        new Found(
                                memory.recall(arguments.facts(), most),
                                memory.similar(arguments.task(), arguments.error(), most)));
        GuardedRecall guarded = new GuardedRecall(new Inspection(guardrails, agent));
        Found found = guardrails.isEmpty() ? raw : guarded.of(raw);
        return new Done<>(found, Cost.NONE, () -> details(found, guarded));
    }

    private static ObjectNode details(Found found, GuardedRecall guarded) {
        ObjectNode details =
                JsonNodeFactory.instance
                        .objectNode()
                        .put("records", found.facts().size() + found.episodes().size());
        if (!guarded.findings().isEmpty()) {
            details.set(Finding.DETAILS, guarded.findings());
        }
        return details;
    }

    @Override
    public String name() {
        return "search";
    }

    @Override
    public Class<Found> resultType() {
        return Found.class;
    }

    @Override
    public JsonNode details() {
        return MemoryEffect.store(arguments.facts().isEmpty());
    }
}
