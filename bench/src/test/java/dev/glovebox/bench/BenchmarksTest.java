package dev.glovebox.bench;

import static java.util.stream.Collectors.flatMapping;
import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.glovebox.bench.Comparison.Contender;
import dev.glovebox.trace.CanonicalJson;
import dev.glovebox.trace.Entry;
import dev.glovebox.trace.Verdict;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.openjdk.jmh.annotations.Benchmark;

/** They do what they say; how fast is nothing for a test. */
class BenchmarksTest {

    @Test
    void everyBenchmarkIsAContender() {
        Map<Class<?>, Set<String>> contenders =
                Comparison.ALL.stream()
                        .collect(
                                groupingBy(
                                        Comparison::benchmarks,
                                        flatMapping(
                                                comparison ->
                                                        comparison.contenders().stream()
                                                                .map(Contender::method),
                                                toSet())));
        contenders.forEach((type, methods) ->
                assertThat(
                                Arrays.stream(type.getMethods())
                                        .filter(method ->
                                                method.isAnnotationPresent(Benchmark.class))
                                        .map(Method::getName))
                        .containsExactlyInAnyOrderElementsOf(methods));
    }

    @Test
    void recordsAreAppended() throws Exception {
        AppendBenchmark benchmark = new AppendBenchmark();
        AppendBenchmark.Installation installation = new AppendBenchmark.Installation();
        AppendBenchmark.Writer writer = new AppendBenchmark.Writer();
        writer.start(installation);
        Entry first = benchmark.recorder(writer);
        assertThat(benchmark.recorder(writer).prev()).isEqualTo(first.hash());
        installation.close();

        AppendBenchmark.Table table = new AppendBenchmark.Table();
        table.open();
        benchmark.raw(table);
        // So that the same bytes are compared.
        assertThat(table.line()).hasSameSizeAs(first.bytes());
        table.close();
    }

    @Test
    void aLongRunIsVerified() throws Exception {
        VerifyBenchmark benchmark = new VerifyBenchmark();
        benchmark.record();
        assertThat(benchmark.sha256()).hasSize(32);
        assertThat(benchmark.file()).isInstanceOf(Verdict.Intact.class);
        assertThat(benchmark.store()).isInstanceOf(Verdict.Intact.class);
        benchmark.close();
    }

    @Test
    void allAgentsDoTheTask() throws Exception {
        AgentBenchmark benchmark = new AgentBenchmark();
        assertThat(benchmark.langChain(new AgentBenchmark.LangChain())).isEqualTo(Sums.ANSWER);
        assertThat(benchmark.adk(new AgentBenchmark.Adk())).isEqualTo(Sums.ANSWER);
        AgentBenchmark.Ours engine = new AgentBenchmark.Ours();
        engine.open();
        assertThat(benchmark.memory(engine)).isEqualTo(Sums.ANSWER);
        assertThat(benchmark.untraced(engine)).isEqualTo(Sums.ANSWER);
        Clerk clerk = new Clerk();
        clerk.start();
        Evidence evidence = new Evidence();
        evidence.record();
        assertThat(benchmark.behind(engine, evidence, clerk)).isEqualTo(Sums.ANSWER);
        assertThat(benchmark.leastBehind(engine, evidence, clerk)).isEqualTo(Sums.ANSWER);
        clerk.stop();
        for (AgentBenchmark.Scribes second :
                List.of(
                        new AgentBenchmark.LeastBefore(),
                        new AgentBenchmark.LeastShared(),
                        new AgentBenchmark.LeastOfFormatShared(),
                        new AgentBenchmark.TogetherShared(),
                        new AgentBenchmark.Shared())) {
            second.start(evidence);
            String answer =
                    switch (second) {
                        case AgentBenchmark.LeastBefore alone ->
                                benchmark.leastBefore(engine, alone);
                        case AgentBenchmark.LeastShared both -> benchmark.leastShared(engine, both);
                        case AgentBenchmark.LeastOfFormatShared both ->
                                benchmark.leastOfFormatShared(engine, both);
                        case AgentBenchmark.TogetherShared both ->
                                benchmark.togetherShared(engine, both);
                        case AgentBenchmark.Shared both -> benchmark.shared(engine, both);
                        default -> "";
                    };
            assertThat(answer).isEqualTo(Sums.ANSWER);
            // Nobody waits for the end of a record, only for what is before the last answer.
            assertThat(second.written()).isGreaterThanOrEqualTo(2 * Sums.ROUNDS);
            second.stop();
        }
        engine.close();
    }

    @Test
    void whatIsWrittenBeforehandIsARecordThatHolds() throws Exception {
        Evidence evidence = new Evidence();
        evidence.record();
        KnownRecord record = evidence.asItIs();
        var _ = record.write();
        String prev = Entry.NOTHING;
        for (String line : record.lastWritten()) {
            Entry entry = Entry.read(line.getBytes(StandardCharsets.UTF_8));
            Entry again = Entry.of(entry.run(), entry.seq(), entry.at(), prev, entry.event());
            assertThat(entry).hasToString(again.toString());
            prev = entry.hash();
        }
        assertThat(record.lastWritten()).hasSizeGreaterThan(Sums.ROUNDS);
    }

    @Test
    void theSmallestRecordOfTheFormatIsOneOfItsRecords() throws Exception {
        Evidence evidence = new Evidence();
        evidence.record();
        KnownRecord least = evidence.inLeastFormOfFormat();
        var _ = least.write();
        String prev = Entry.NOTHING;
        for (String line : least.lastWritten()) {
            Entry entry = Entry.read(line.getBytes(StandardCharsets.UTF_8));
            assertThat(entry.prev()).isEqualTo(prev);
            assertThat(entry.computedHash()).isEqualTo(entry.hash());
            assertThat(entry.rawBody().path("derived").toString()).doesNotContain("\"ordinal\"");
            prev = entry.hash();
        }
    }

    @Test
    void theSmallestFormsAreChainedAndHaveAllEffectsAndChanges() throws Exception {
        Evidence evidence = new Evidence();
        evidence.record();
        List<String> asTheyAre = events(evidence.asItIs());
        asTheyAre.removeIf("node.started"::equals);
        assertThat(asTheyAre).hasSizeGreaterThan(6 * Sums.ROUNDS);
        assertThat(events(evidence.inLeastForm())).isEqualTo(asTheyAre);
        assertThat(events(evidence.together())).isEqualTo(asTheyAre);
        // One for each effect, and one for the end.
        assertThat(evidence.together().size()).isEqualTo(2 * (Sums.ROUNDS + 1));
    }

    /** The types of all events that it writes down, in records that are a chain. */
    private static List<String> events(KnownRecord known) throws Exception {
        var _ = known.write();
        JsonMapper json = new JsonMapper();
        String prev = Entry.NOTHING;
        List<String> types = new ArrayList<>();
        for (String line : known.lastWritten()) {
            ObjectNode record = (ObjectNode) json.readTree(line);
            assertThat(record.path("prev").asText()).isEqualTo(prev);
            prev = record.remove("hash").asText();
            assertThat(
                            HexFormat.of()
                                    .formatHex(
                                            MessageDigest.getInstance("SHA-256")
                                                    .digest(CanonicalJson.bytes(record))))
                    .isEqualTo(prev);
            JsonNode derived = record.path("body").path("derived");
            if (derived.isArray()) {
                derived.forEach(event -> types.add(event.path("type").asText()));
            } else {
                types.add(record.path("type").asText());
            }
        }
        return types;
    }
}
