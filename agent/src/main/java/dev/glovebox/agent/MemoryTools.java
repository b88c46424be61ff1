package dev.glovebox.agent;

import dev.glovebox.run.Effect.IfUnknown;
import dev.glovebox.run.Retry;
import dev.langchain4j.agent.tool.P;
import java.util.List;

/**
 * Tools by which a model remembers facts and recalls them. What it recalls is marked as data, and
 * the source of what it remembers is its agent, whatever it says.
 */
public final class MemoryTools {

    private static final int MOST_RECALLED = 20;

    /** Both do no harm when they are repeated. */
    private static final ToolTraits TRAITS =
            ToolTraits.standard().ifUnknown(IfUnknown.REPEAT).retry(Retry.standard()).inPrivate();

    private MemoryTools() {}

    record Remembered(
            @P(
                            "One fact, in a sentence that can be understood by itself, of at most 8000 characters")
                    String fact) {}

    record Question(
            @P("What the facts should be about") String query,
            @P(value = "How many at most, up to 20", defaultValue = "5") int most) {}

    /** The tools {@code remember_fact} and {@code recall_facts} on a memory. */
    public static List<Tool> of(Memory memory) {
        return List.of(
                Tools.with(
                        Tools.of(
                                "remember_fact",
                                "Remembers a fact for later conversations. Nothing secret, and"
                                        + " nothing that holds for this conversation only.",
                                Remembered.class,
                                (told, input) -> remember(memory, told.fact(), input.agent())),
                        TRAITS),
                Tools.with(
                        Tools.of(
                                "recall_facts",
                                "Finds facts that were remembered earlier, by meaning and by word.",
                                Question.class,
                                question -> recall(memory, question)),
                        TRAITS));
    }

    private static ToolOutput remember(Memory memory, String text, String agent) {
        if (text.isBlank() || text.length() > Fact.MOST_CHARACTERS) {
            return ToolOutput.error(
                    "fact: expected 1 to %d characters, got %d"
                            .formatted(Fact.MOST_CHARACTERS, text.strip().length()));
        }
        Fact fact = new Fact(text, "agent " + agent);
        return ToolOutput.of("Remembered as " + MemoryEffect.kept(() -> memory.remember(fact)));
    }

    private static String recall(Memory memory, Question question) {
        int most = Math.clamp(question.most(), 1, MOST_RECALLED);
        return Recollection.ofFacts(MemoryEffect.kept(() -> memory.recall(question.query(), most)));
    }
}
