package dev.glovebox.coder;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.glovebox.agent.SandboxExec;
import dev.glovebox.trace.BlobRef;
import dev.glovebox.trace.Entry;
import dev.glovebox.trace.Event;
import dev.glovebox.trace.Event.EffectId;
import dev.glovebox.trace.Trace;
import dev.glovebox.trace.spi.RunRow;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * What the trace of one run of a pipeline tells.
 *
 * @param condition whether it can be counted on
 * @param isSolved whether it ended with code that is good
 * @param attempts how many were made
 * @param categories of what was wrong with them, in their order
 * @param programs how long each program took, with its box
 * @param roles what each role cost, by its name
 */
public record StatsRun(
        RunRow row,
        Condition condition,
        boolean isSolved,
        int attempts,
        List<String> categories,
        List<Duration> programs,
        Map<String, StatsCost> roles) {

    /** Whether all that counts can be read. */
    public enum Condition {
        /** It has ended, and all can be read. */
        WHOLE,
        /** It has not ended. */
        UNFINISHED,
        /** What it came to was deleted on purpose. */
        REDACTED,
        /** What is there makes no sense. */
        DAMAGED
    }

    private static final JsonMapper JSON = new JsonMapper();
    private static final int LONGEST_WORD = 40;
    private static final String COMPLETED = "completed";

    public StatsRun {
        categories = List.copyOf(categories);
        programs = List.copyOf(programs);
        roles = Map.copyOf(roles);
    }

    /** Reads a trace; one that cannot be read is told as such. */
    public static StatsRun read(Trace trace, RunRow row) {
        Reader reader = new Reader(trace);
        Condition condition;
        try (Stream<Entry> entries = trace.entries(row.run(), 0)) {
            entries.forEach(entry -> reader.take(entry.event()));
            condition = reader.conclude();
        } catch (RuntimeException | IOException e) {
            condition = Condition.DAMAGED;
        }
        boolean whole = condition == Condition.WHOLE;
        return new StatsRun(
                row,
                condition,
                whole && reader.solved && row.stop().equals(COMPLETED),
                whole ? reader.attempts : 0,
                whole ? reader.categories : List.of(),
                reader.programs,
                reader.roles);
    }

    /** Goes through the records. */
    private static final class Reader {
        private final Trace trace;
        private final Map<String, String> agents = new HashMap<>();
        private final List<Duration> programs = new ArrayList<>();
        private final Map<String, StatsCost> roles = new TreeMap<>();
        private final List<String> categories = new ArrayList<>();
        private Optional<Event.RunFinished> finished = Optional.empty();
        private int attempts;
        private boolean solved;

        Reader(Trace trace) {
            this.trace = trace;
        }

        void take(Event event) {
            switch (event) {
                case Event.EffectIntent intent when intent.id().kind().equals(EffectId.MODEL) ->
                        agents.put(
                                intent.id().key(), word(intent.details().path("agent").asText()));
                case Event.EffectOutcome outcome
                        when outcome.id().kind().equals(SandboxExec.KIND) ->
                        programs.add(outcome.took());
                case Event.EffectOutcome outcome when outcome.id().kind().equals(EffectId.MODEL) ->
                        roles.merge(
                                agents.getOrDefault(outcome.id().key(), word("")),
                                StatsCost.of(outcome.details()),
                                StatsCost::plus);
                case Event.RunFinished end -> finished = Optional.of(end);
                default -> {}
            }
        }

        Condition conclude() throws IOException {
            if (finished.isEmpty()) {
                return Condition.UNFINISHED;
            }
            Optional<BlobRef> result = finished.get().result();
            if (result.isEmpty()) {
                return Condition.DAMAGED;
            }
            var blob = trace.blob(result.get().digest());
            if (blob.isEmpty()) {
                return Condition.REDACTED;
            }
            JsonNode all = JSON.readTree(blob.get().content()).path("state").path("attempts");
            if (!all.isArray()) {
                return Condition.DAMAGED;
            }
            attempts = all.size();
            for (JsonNode attempt : all) {
                JsonNode category = attempt.path("diagnosis").path("category");
                if (category.isTextual()) {
                    categories.add(word(category.textValue()));
                }
            }
            JsonNode problems = all.path(attempts - 1).path("problems");
            solved = problems.isArray() && problems.isEmpty();
            return Condition.WHOLE;
        }

        /** Models say what they like; this ends up in tables. */
        private static String word(String text) {
            String plain = text.replaceAll("[^A-Za-z0-9_.-]+", "-");
            return plain.isEmpty()
                    ? "unknown"
                    : plain.substring(0, Math.min(LONGEST_WORD, plain.length()));
        }
    }
}
