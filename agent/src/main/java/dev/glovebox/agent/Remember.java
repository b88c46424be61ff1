package dev.glovebox.agent;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.glovebox.run.Call;
import dev.glovebox.run.Cost;
import dev.glovebox.run.Done;
import java.util.ArrayList;
import java.util.List;

/**
 * The effect of remembering something. When it is repeated after a crash nothing is there twice,
 * but it may count as remembered once more.
 *
 * @param agent who remembers
 */
record Remember(Memory memory, Remember.Lesson arguments, String agent)
        implements MemoryEffect<Remember.Lesson, Remember.Kept> {

    record Lesson(List<Fact> facts, List<Episode> episodes) {}

    record Kept(List<String> ids) {}

    static Remember fact(Memory memory, Fact fact, String agent) {
        return new Remember(memory, new Lesson(List.of(fact), List.of()), agent);
    }

    static Remember episode(Memory memory, Episode episode, String agent) {
        return new Remember(memory, new Lesson(List.of(), List.of(episode)), agent);
    }

    @Override
    public Done<Kept> perform(Call call) {
        List<String> ids =
                MemoryEffect.kept(() -> {
                    List<String> kept = new ArrayList<>();
                    arguments.facts().forEach(fact -> kept.add(memory.remember(fact)));
                    arguments.episodes().forEach(episode -> kept.add(memory.learn(episode)));
                    return kept;
                });
        return new Done<>(new Kept(ids), Cost.NONE, () -> details(ids));
    }

    private static ObjectNode details(List<String> ids) {
        ObjectNode details = JsonNodeFactory.instance.objectNode().put("records", ids.size());
        return ids.size() == 1 ? details.put("record", ids.getFirst()) : details;
    }

    @Override
    public String name() {
        return "upsert";
    }

    @Override
    public Class<Kept> resultType() {
        return Kept.class;
    }

    @Override
    public JsonNode details() {
        return MemoryEffect.store(arguments.facts().isEmpty());
    }
}
