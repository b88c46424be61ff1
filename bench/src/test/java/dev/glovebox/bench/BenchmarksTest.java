package dev.glovebox.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.glovebox.bench.Comparison.Contender;
import dev.glovebox.trace.Entry;
import dev.glovebox.trace.Verdict;
import java.lang.reflect.Method;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.openjdk.jmh.annotations.Benchmark;

/** They do what they say; how fast is nothing for a test. */
class BenchmarksTest {

    @Test
    void everyBenchmarkIsAContender() {
        for (Comparison comparison : Comparison.ALL) {
            assertThat(
                            Arrays.stream(comparison.benchmarks().getMethods())
                                    .filter(method -> method.isAnnotationPresent(Benchmark.class))
                                    .map(Method::getName))
                    .containsExactlyInAnyOrderElementsOf(
                            comparison.contenders().stream().map(Contender::method).toList());
        }
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
    void allAgentsDoTheTask() {
        AgentBenchmark benchmark = new AgentBenchmark();
        assertThat(benchmark.langChain(new AgentBenchmark.LangChain())).isEqualTo(Sums.ANSWER);
        assertThat(benchmark.adk(new AgentBenchmark.Adk())).isEqualTo(Sums.ANSWER);
        AgentBenchmark.Ours engine = new AgentBenchmark.Ours();
        engine.open();
        assertThat(benchmark.memory(engine)).isEqualTo(Sums.ANSWER);
        assertThat(benchmark.untraced(engine)).isEqualTo(Sums.ANSWER);
        engine.close();
    }
}
