package dev.glovebox.bench;

import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Things that are measured in turn, and compared with the first of them.
 *
 * @param unit what is counted, in the plural
 * @param benchmarks a class whose benchmarks all count that
 */
record Comparison(String name, String unit, Class<?> benchmarks, List<Contender> contenders) {

    /** All there are; a new one is a class of benchmarks, and a line here. */
    static final List<Comparison> ALL =
            List.of(
                    new Comparison(
                            "append",
                            "records",
                            AppendBenchmark.class,
                            List.of(
                                    Contender.of("raw", "SQLite inserts of the same bytes"),
                                    Contender.of("recorder", "recorded by 64 virtual threads")
                                            .bar(50_000))),
                    new Comparison(
                            "verify",
                            "records",
                            VerifyBenchmark.class,
                            List.of(
                                    Contender.of("sha256", "SHA-256 of the export alone"),
                                    Contender.of("file", "verified from the export").bar(300_000),
                                    Contender.of("store", "verified from SQLite").bar(300_000))),
                    new Comparison(
                            "node",
                            "nodes",
                            NodeBenchmark.class,
                            List.of(
                                    Contender.of("langGraph", "LangGraph4j, saved in memory"),
                                    Contender.of("memory", "recorded in memory"),
                                    Contender.of("sqlite", "recorded in SQLite"))),
                    new Comparison(
                            "runs",
                            "runs",
                            RunsBenchmark.class,
                            List.of(
                                    Contender.of("threads", "10,000 threads that wait 100 ms"),
                                    Contender.of("memory", "as many runs, recorded in memory"),
                                    Contender.of("sqlite", "as many runs, recorded in SQLite")
                                            .bar(10_000 / 3.1))),
                    new Comparison(
                            "agent",
                            "round trips",
                            AgentBenchmark.class,
                            List.of(
                                    Contender.of("langChain", "LangChain4j, AI Service"),
                                    Contender.of("adk", "Google ADK"),
                                    Contender.of("memory", "recorded in memory")
                                            .barBesideFirst(1 / 3.0),
                                    Contender.of("untraced", "without a trace")
                                            .barBesideFirst(1 / 1.2))),
                    new Comparison(
                            "record",
                            "round trips",
                            AgentBenchmark.class,
                            List.of(
                                    Contender.of("langChain", "LangChain4j, AI Service"),
                                    Contender.of("untraced", "ours, without a trace"),
                                    Contender.of("digests", "and the digests of a record"),
                                    Contender.of("known", "and a record known beforehand"),
                                    Contender.of("behind", "that on a second processor"),
                                    Contender.of("shared", "on both, intents before effects"),
                                    Contender.of(
                                            "leastOfFormatDigests",
                                            "the digests of the smallest record of the format"),
                                    Contender.of(
                                            "leastOfFormatShared",
                                            "that on both, intents before effects"),
                                    Contender.of(
                                            "leastDigests", "the digests of the smallest form"),
                                    Contender.of("least", "and that form known beforehand"),
                                    Contender.of("leastBehind", "that on a second processor"),
                                    Contender.of("leastBefore", "there, intents before effects"),
                                    Contender.of("leastShared", "on both, intents before effects"),
                                    Contender.of(
                                            "togetherDigests",
                                            "its digests, one record for each effect"),
                                    Contender.of("together", "and that form known beforehand"),
                                    Contender.of(
                                            "togetherShared", "on both, intents before effects"),
                                    Contender.of("signature", "its one signature alone"))),
                    new Comparison(
                            "build-agent",
                            "agents",
                            BuildAgentBenchmark.class,
                            List.of(
                                    Contender.of("langChain", "LangChain4j, AI Service"),
                                    Contender.of("adk", "Google ADK"),
                                    Contender.of("glovebox", "ours"))));

    /**
     * One of them.
     *
     * @param method the benchmark
     * @param name for people
     */
    record Contender(String method, String name, Optional<Bar> bar) {

        static Contender of(String method, String name) {
            return new Contender(method, name, Optional.empty());
        }

        Contender bar(double perSecond) {
            return new Contender(method, name, Optional.of(new Bar(perSecond, "%,.0f")));
        }

        /** So many while the first one, which should be the fastest of the others, does one. */
        Contender barBesideFirst(double ratio) {
            return new Contender(method, name, Optional.of(new Bar(ratio, "x %.2f")));
        }
    }

    /**
     * What one should reach: in units per second on two cores, or beside the first one.
     *
     * @param format for people
     */
    record Bar(double figure, String format) {

        String text() {
            return String.format(Locale.ROOT, format, figure);
        }
    }
}
