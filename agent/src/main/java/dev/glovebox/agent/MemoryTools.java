package dev.glovebox.agent;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.glovebox.run.Effect.IfUnknown;
import dev.glovebox.run.Retry;
import java.util.List;

/**
 * Tools by which a model remembers facts and recalls them. What it recalls is marked as data, and
 * the source of what it remembers is its agent, whatever it says.
 */
public final class MemoryTools {

    private static final int MOST_RECALLED = 20;
    private static final int USUALLY_RECALLED = 5;

    private MemoryTools() {}

    /** The tools {@code remember_fact} and {@code recall_facts} on a memory. */
    public static List<Tool> of(Memory memory) {
        return List.of(new RememberFact(memory), new RecallFacts(memory));
    }

    private record RememberFact(Memory memory) implements Tool {

        private static final ToolOffer OFFER =
                new ToolOffer(
                        "remember_fact",
                        "Remembers a fact for later conversations. Nothing secret, and nothing that"
                                + " holds for this conversation only.",
                        schema(
                                """
                                {"type":"object","properties":{"fact":{"type":"string","minLength":1,\
                                "maxLength":8000,"description":"One fact, in a sentence that can be \
                                understood by itself."}},"required":["fact"],\
                                "additionalProperties":false}\
                                """));

        @Override
        public ToolOffer offer() {
            return OFFER;
        }

        @Override
        public ToolOutput call(ToolInput input) {
            String text = input.arguments().path("fact").asText();
            if (text.isBlank() || text.length() > Fact.MOST_CHARACTERS) {
                return ToolOutput.error(
                        "fact: expected 1 to "
                                + Fact.MOST_CHARACTERS
                                + " characters, got "
                                + text.strip().length());
            }
            Fact fact = new Fact(text, "agent " + input.agent());
            return ToolOutput.of("Remembered as " + MemoryEffect.kept(() -> memory.remember(fact)));
        }

        @Override
        public ToolTraits traits() {
            return harmlessTwice();
        }
    }

    private record RecallFacts(Memory memory) implements Tool {

        private static final ToolOffer OFFER =
                new ToolOffer(
                        "recall_facts",
                        "Finds facts that were remembered earlier, by meaning and by word.",
                        schema(
                                """
                                {"type":"object","properties":{"query":{"type":"string","minLength":1,\
                                "maxLength":4000,"description":"What the facts should be about."},\
                                "most":{"type":"integer","minimum":1,"maximum":20,"default":5,\
                                "description":"How many at most."}},"required":["query"],\
                                "additionalProperties":false}\
                                """));

        @Override
        public ToolOffer offer() {
            return OFFER;
        }

        @Override
        public ToolOutput call(ToolInput input) {
            String query = input.arguments().path("query").asText();
            int wanted = input.arguments().path("most").asInt(USUALLY_RECALLED);
            int most = Math.clamp(wanted, 1, MOST_RECALLED);
            return ToolOutput.of(
                    Recollection.ofFacts(MemoryEffect.kept(() -> memory.recall(query, most))));
        }

        @Override
        public ToolTraits traits() {
            return harmlessTwice();
        }
    }

    private static ToolTraits harmlessTwice() {
        return ToolTraits.standard()
                .ifUnknown(IfUnknown.REPEAT)
                .retry(Retry.standard())
                .inPrivate();
    }

    private static JsonNode schema(String json) {
        try {
            return new JsonMapper().readTree(json);
        } catch (JsonProcessingException e) {
            throw new AssertionError(e); // it is written above
        }
    }
}
