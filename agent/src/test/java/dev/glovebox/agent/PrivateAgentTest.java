package dev.glovebox.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.glovebox.agent.support.ScriptedModel;
import dev.glovebox.agent.support.Turn;
import dev.glovebox.agent.support.WordEmbedder;
import dev.glovebox.run.Run;
import dev.glovebox.run.RunOptions;
import dev.glovebox.run.Runs;
import dev.glovebox.trace.Blob;
import dev.glovebox.trace.MemoryStore;
import dev.glovebox.trace.Trace;
import dev.glovebox.trace.conformance.StoreInFront;
import dev.glovebox.trace.spi.Append;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is private is so wherever the record of an agent has it. */
class PrivateAgentTest {

    private static final String WORD = "salamander";

    private record Query(String text) {}

    @TempDir private Path folder;

    /** The blobs that a store was given. */
    private static final class Kept extends StoreInFront {

        private final List<Blob> blobs = new CopyOnWriteArrayList<>();

        Kept() {
            super(new MemoryStore());
        }

        @Override
        public CompletableFuture<Void> append(Append append) {
            blobs.addAll(append.blobs());
            return super.append(append);
        }

        /** Those with the word in them whose digests can be guessed. */
        List<Blob> open() {
            return having().stream().filter(blob -> blob.salt().length == 0).toList();
        }

        List<Blob> having() {
            return blobs.stream()
                    .filter(blob ->
                            new String(blob.content(), StandardCharsets.UTF_8).contains(WORD))
                    .toList();
        }
    }

    private Kept kept(Agent agent) {
        Kept store = new Kept();
        try (Trace trace = Trace.open(store, folder.resolve("keys"));
                Runs runs = Runs.in(trace)) {
            TaskResult result = agent.run(runs, "Look.", RunOptions.titled("private"));
            assertThat(result.text()).isEqualTo("Done.");
            assertThat(runs.replay(agent.graph(), result.run()).isFaithful()).isTrue();
        }
        assertThat(store.having()).isNotEmpty();
        return store;
    }

    private static Tool look(ToolTraits traits) {
        return Tools.with(
                Tools.of("look", "Looks", Query.class, query -> "It is a " + query.text()), traits);
    }

    private static Agent looking(String name, ToolTraits traits) {
        return Agent.named(
                        name,
                        new ScriptedModel(
                                Turn.calls("look", "{\"text\":\"" + WORD + "\"}"),
                                Turn.says("Done.")))
                .tools(look(traits))
                .build();
    }

    @Test
    void whatAPrivateToolReadsAndSaysIsSaltedInEachPlace() {
        assertThat(kept(looking("clerk", ToolTraits.standard())).open()).isNotEmpty();
        assertThat(kept(looking("clerk", ToolTraits.standard().inPrivate())).open()).isEmpty();
    }

    @Test
    void aRunOfAPrivateGraphIsPrivateHoweverItIsStarted() {
        Agent clerk = looking("clerk", ToolTraits.standard().inPrivate());
        Team team = Team.sequence("line", looking("spy", ToolTraits.standard().inPrivate()));
        Kept store = new Kept();
        try (Trace trace = Trace.open(store, folder.resolve("keys"));
                Runs runs = Runs.in(trace)) {
            Run<Conversation> alone = runs.start(clerk.graph(), Conversation.of("Look."), "open");
            assertThat(Agent.result(alone).text()).isEqualTo("Done.");
            assertThat(runs.replay(clerk.graph(), alone.name()).isFaithful()).isTrue();
            Run<Discussion> together = runs.start(team.graph(), Discussion.of("Look."), "open");
            assertThat(Team.result(together).text()).isEqualTo("Done.");
            assertThat(runs.replay(team.graph(), together.name()).isFaithful()).isTrue();
        }
        assertThat(store.having()).isNotEmpty();
        assertThat(store.open()).isEmpty();
    }

    @Test
    void whatADelegateReadsIsPrivateToo() {
        Agent spy = looking("spy", ToolTraits.standard().inPrivate());
        Agent boss =
                Agent.named(
                                "boss",
                                new ScriptedModel(
                                        Turn.calls("spy", "{\"task\":\"Look.\"}"),
                                        Turn.says("Done.")))
                        .delegates(spy)
                        .build();
        assertThat(kept(boss).open()).isEmpty();
    }

    @Test
    void whatIsRecalledIsPrivate() {
        try (Memories memories = Memories.inFile(folder.resolve("memory.db"), new WordEmbedder())) {
            Memory memory = memories.tenant("one");
            memory.remember(new Fact("Look. It is a " + WORD, "a book"));
            Agent agent =
                    Agent.named("clerk", new ScriptedModel(Turn.says("Done.")))
                            .memory(memory)
                            .build();
            assertThat(kept(agent).open()).isEmpty();
        }
    }
}
