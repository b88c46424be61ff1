package dev.glovebox.bench;

import org.openjdk.jmh.annotations.Benchmark;

/** What it costs to make an agent with a model and a tool. */
public class BuildAgentBenchmark {

    @Benchmark
    public Object langChain() {
        return new LangChainAgent();
    }

    @Benchmark
    public Object adk() {
        return new AdkAgent();
    }

    @Benchmark
    public Object glovebox() {
        return new GloveboxAgent();
    }
}
