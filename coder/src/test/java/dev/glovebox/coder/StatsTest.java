package dev.glovebox.coder;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.glovebox.trace.BlobRef;
import dev.glovebox.trace.Event;
import dev.glovebox.trace.Event.EffectId;
import dev.glovebox.trace.Event.EffectIntent;
import dev.glovebox.trace.Event.EffectOutcome;
import dev.glovebox.trace.MemoryStore;
import dev.glovebox.trace.Recorder;
import dev.glovebox.trace.Trace;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The numbers that traces tell. */
class StatsTest {

    @TempDir Path keys;
    private Trace trace;

    @BeforeEach
    void open() {
        trace = Trace.open(new MemoryStore(), keys);
    }

    @AfterEach
    void close() {
        trace.close();
    }

    private static byte[] bytes(String text) {
        return text.replace('\'', '"').getBytes(StandardCharsets.UTF_8);
    }

    private static JsonNode json(String text) throws JsonProcessingException {
        return new JsonMapper().readTree(text.replace('\'', '"'));
    }

    private Recorder begin() {
        return trace.start(Pipeline.KIND, "a task", bytes("{}"), BlobRef.JSON);
    }

    private BlobRef end(Recorder run, String stop, String state) {
        BlobRef result = run.keep(bytes(state), BlobRef.JSON);
        run.finish(stop, result);
        return result;
    }

    private static String state(String... attempts) {
        return "{'state':{'attempts':[" + String.join(",", attempts) + "]}}";
    }

    private static String bad(String category) {
        return "{'problems':['no'],'diagnosis':{'category':'" + category + "'}}";
    }

    private static final String GOOD = "{'problems':[],'diagnosis':null}";

    private static void effect(Recorder run, String kind, int number, String details, String after)
            throws JsonProcessingException {
        EffectId id = new EffectId("a#1", number, "a#1." + number, kind);
        BlobRef nothing = run.keep(new byte[0], BlobRef.BYTES);
        run.record(new EffectIntent(id, "x", nothing, json(details)));
        run.record(
                new EffectOutcome(
                        id,
                        Event.Status.DONE,
                        Optional.empty(),
                        Duration.ofMillis(10L * number),
                        json(after)));
    }

    private Stats stats() {
        return Stats.since(trace, Instant.EPOCH);
    }

    @Test
    void successes_attempts_and_categories_are_counted() {
        end(begin(), "completed", state(GOOD));
        end(begin(), "completed", state(bad("syntax"), bad("syntax"), GOOD));
        end(begin(), "attempts-exhausted", state(bad("syntax"), bad("\\u001b[31m evil")));
        Stats stats = stats();
        assertThat(stats.runs()).hasSize(3);
        assertThat(stats.solved()).isEqualTo(2);
        assertThat(stats.attemptsPerSuccess()).isEqualTo(Map.of(1, 1, 3, 1));
        assertThat(stats.failures())
                .isEqualTo(
                        Map.of(
                                "syntax", new Stats.Failures(3, 2),
                                "-31m-evil", new Stats.Failures(1, 0)));
        assertThat(stats.stops()).isEqualTo(Map.of("completed", 2, "attempts-exhausted", 1));
    }

    @Test
    void what_says_completed_and_has_problems_is_not_solved() {
        end(begin(), "completed", state(bad("syntax")));
        end(begin(), "completed", state());
        end(begin(), "needs-input", state(GOOD));
        assertThat(stats().solved()).isZero();
    }

    @Test
    void models_are_counted_by_role_and_programs_are_timed() throws JsonProcessingException {
        Recorder run = begin();
        effect(
                run,
                "model",
                0,
                "{'agent':'coder'}",
                "{'inputTokens':100,'outputTokens':20,'cost':{'microDollars':7}}");
        effect(run, "model", 1, "{'agent':'coder'}", "{'inputTokens':1,'outputTokens':'many'}");
        effect(run, "model", 2, "{'agent':'debugger'}", "{'outputTokens':-5}");
        effect(run, "sandbox.exec", 3, "{}", "{}");
        effect(run, "sandbox.exec", 4, "{}", "{}");
        end(run, "completed", state(GOOD));
        assertThat(stats().roles())
                .isEqualTo(
                        Map.of(
                                "coder", new StatsCost(2, 101, 20, 7),
                                "debugger", new StatsCost(1, 0, 0, 0)));
        assertThat(stats().programs())
                .containsExactly(Duration.ofMillis(30), Duration.ofMillis(40));
    }

    @Test
    void unfinished_redacted_and_damaged_runs_are_counted_as_such() {
        begin();
        Recorder redacted = begin();
        BlobRef gone = end(redacted, "completed", state(GOOD, GOOD));
        trace.redact(gone.digest(), "private");
        end(begin(), "completed", "no json");
        end(begin(), "completed", "{'state':7}");
        begin().finish("completed");
        end(begin(), "completed", state(GOOD));
        Stats stats = stats();
        assertThat(stats.count(StatsRun.Condition.UNFINISHED)).isEqualTo(1);
        assertThat(stats.count(StatsRun.Condition.REDACTED)).isEqualTo(1);
        assertThat(stats.count(StatsRun.Condition.DAMAGED)).isEqualTo(3);
        assertThat(stats.count(StatsRun.Condition.WHOLE)).isEqualTo(1);
        assertThat(stats.solved()).isEqualTo(1);
    }

    @Test
    void other_kinds_and_older_runs_are_left_out() {
        end(trace.start("exec", "x", new byte[0], BlobRef.BYTES), "completed", state(GOOD));
        end(begin(), "completed", state(GOOD));
        assertThat(stats().runs()).hasSize(1);
        assertThat(Stats.since(trace, Instant.now().plusSeconds(60)).runs()).isEmpty();
    }

    @Test
    void a_percentile_is_one_of_the_values() {
        List<Duration> hundred =
                LongStream.rangeClosed(1, 100).mapToObj(Duration::ofMillis).toList();
        assertThat(Stats.percentile(hundred, 50)).isEqualTo(Duration.ofMillis(50));
        assertThat(Stats.percentile(hundred, 99)).isEqualTo(Duration.ofMillis(99));
        assertThat(Stats.percentile(hundred.subList(0, 1), 99)).isEqualTo(Duration.ofMillis(1));
        assertThat(Stats.percentile(List.of(), 50)).isEqualTo(Duration.ZERO);
    }
}
