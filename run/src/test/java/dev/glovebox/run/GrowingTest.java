package dev.glovebox.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.glovebox.run.Graphs.Diary;
import dev.glovebox.run.support.CrashInjector;
import dev.glovebox.run.support.CrashInjector.Crash;
import dev.glovebox.run.support.Scales;
import dev.glovebox.run.support.World;
import dev.glovebox.trace.BlobRef;
import dev.glovebox.trace.Event.EffectIntent;
import dev.glovebox.trace.MemoryStore;
import dev.glovebox.trace.NotKept;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Conversations that grow cost what is added to them. */
class GrowingTest {

    private static final int CALLS = 300;
    private static final int WORDS = 400;

    // Each call: two records of an effect, two of a node, the words in the state and in the list.
    private static final long MOST = CALLS * 4_500L;

    record Chat(int size, List<String> messages) {}

    record Prompt(String model, List<String> messages) {}

    private final World world = new World();
    @TempDir Path keys;

    private String answer(Context context, List<String> messages, boolean secret) {
        var effect =
                world.effect(
                                "model",
                                "m",
                                new Prompt("m", messages),
                                String.class,
                                (prompt, call) -> prompt.messages().size() + "x".repeat(WORDS))
                        .growing("messages");
        return context.perform(secret ? effect.inPrivate() : effect);
    }

    private Graph<Chat> chatting(boolean secret) {
        return Graph.of("chat", Chat.class)
                .node("turn", (chat, context) -> turn(chat, context, secret))
                .choose(
                        "turn",
                        chat -> chat.messages().size() < chat.size() ? "turn" : Graph.END,
                        "turn",
                        Graph.END)
                .build();
    }

    private Chat turn(Chat chat, Context context, boolean secret) {
        List<String> more =
                java.util.stream.Stream.concat(
                                chat.messages().stream(),
                                java.util.stream.Stream.of(
                                        answer(context, chat.messages(), secret)))
                        .toList();
        return new Chat(chat.size(), more);
    }

    private static RunOptions options(boolean secret) {
        RunOptions options = RunOptions.titled("growing");
        return secret ? options.inPrivate() : options;
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aConversationInAStateIsKeptOnce(boolean secret) {
        Scales scales = new Scales(new MemoryStore());
        try (Engine engine = new Engine(scales, keys)) {
            Graph<Chat> graph = chatting(secret);
            Run<Chat> run = engine.start(graph, new Chat(CALLS, List.of()), options(secret));
            assertThat(Engine.finished(run).state().messages()).hasSize(CALLS);
            assertThat(scales.bytes()).isLessThan(MOST);
            engine.assertFaithful(graph, run.name());
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aConversationThatIsResumedInTheMiddleIsKeptOnce(boolean secret) {
        MemoryStore store = new MemoryStore();
        Scales before = new Scales(store);
        Graph<Chat> graph = chatting(secret);
        String name;
        try (Engine first =
                new Engine(new CrashInjector(before, 4 * CALLS / 2, Crash.AFTER), keys)) {
            Run<Chat> run = first.start(graph, new Chat(CALLS, List.of()), options(secret));
            name = run.name();
            assertThatThrownBy(run::await).isInstanceOf(NotKept.class);
        }
        Scales after = new Scales(store);
        try (Engine second = new Engine(after, keys)) {
            Status.Finished<Chat> end = Engine.finished(second.resume(graph, name));
            assertThat(end.state().messages()).hasSize(CALLS);
            assertThat(before.bytes() + after.bytes()).isLessThan(MOST);
            second.assertFaithful(graph, name);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aConversationInsideOfANodeIsKeptOnce(boolean secret) {
        Scales scales = new Scales(new MemoryStore());
        Graph<Chat> graph =
                Graph.of("inside", Chat.class)
                        .node(
                                "all",
                                (chat, context) -> {
                                    Chat now = chat;
                                    while (now.messages().size() < chat.size()) {
                                        now = turn(now, context, secret);
                                    }
                                    return now;
                                })
                        .edge("all", Graph.END)
                        .build();
        try (Engine engine = new Engine(scales, keys)) {
            Run<Chat> run = engine.start(graph, new Chat(CALLS, List.of()), options(secret));
            assertThat(Engine.finished(run).state().messages()).hasSize(CALLS);
            assertThat(scales.bytes()).isLessThan(MOST);
            engine.assertFaithful(graph, run.name());
        }
    }

    /** An agent is a graph, and is visited for each of its turns. */
    @Test
    void aConversationOfAGraphWithinAGraphIsKeptOnce() {
        Scales scales = new Scales(new MemoryStore());
        Graph<Chat> agent =
                Graph.of("agent", Chat.class)
                        .node(
                                "model",
                                (chat, context) ->
                                        new Chat(
                                                0,
                                                List.of(answer(context, chat.messages(), false))))
                        .edge("model", Graph.END)
                        .build();
        Graph<Chat> graph =
                Graph.of("team", Chat.class)
                        .node(
                                "agent",
                                agent.within(
                                        chat -> chat,
                                        (before, after) ->
                                                new Chat(
                                                        before.size(),
                                                        java.util.stream.Stream.concat(
                                                                        before.messages().stream(),
                                                                        after.messages().stream())
                                                                .toList())))
                        .choose(
                                "agent",
                                chat -> chat.messages().size() < chat.size() ? "agent" : Graph.END,
                                "agent",
                                Graph.END)
                        .build();
        try (Engine engine = new Engine(scales, keys)) {
            int calls = 40;
            Status.Finished<Chat> end = engine.run(graph, new Chat(calls, List.of()));
            assertThat(end.state().messages()).hasSize(calls);
            List<EffectIntent> intents = engine.events(end.run(), EffectIntent.class);
            // What each list has more than the one before it.
            long lists =
                    intents.stream()
                            .map(intent ->
                                    BlobRef.of(intent.details().path("lists").path("messages")))
                            .mapToLong(BlobRef::bytes)
                            .sum();
            assertThat(lists).isLessThan(calls * 2L * WORDS);
            engine.assertFaithful(graph, end.run());
        }
    }

    @Test
    void aListThatIsRewrittenIsStillWhatWasSent() {
        try (Engine engine = new Engine(new MemoryStore(), keys)) {
            Graph<Diary> graph =
                    Graphs.one((diary, context) -> {
                        answer(context, List.of("a", "b", "c"), false);
                        answer(context, List.of("a", "summary"), false);
                        answer(context, List.of(), false);
                        answer(context, List.of("a", "summary", "d"), false);
                        return diary;
                    });
            Status.Finished<Diary> end = engine.run(graph, Diary.of(0));
            assertThat(
                            engine.events(end.run(), EffectIntent.class).stream()
                                    .map(intent ->
                                            engine.trace()
                                                    .list(
                                                            BlobRef.of(
                                                                    intent.details()
                                                                            .path("lists")
                                                                            .path("messages")))
                                                    .elements()
                                                    .size()))
                    .containsExactly(3, 2, 0, 3);
            engine.assertFaithful(graph, end.run());
        }
    }

    @Test
    void aVeryLongMessageIsNoProblem() {
        try (Engine engine = new Engine(new MemoryStore(), keys)) {
            String large = "y".repeat(20 << 20);
            Graph<Diary> graph =
                    Graphs.one((diary, context) -> {
                        answer(context, List.of("a", large), false);
                        answer(context, List.of("a", large, "b"), false);
                        return diary;
                    });
            Status.Finished<Diary> end = engine.run(graph, Diary.of(0));
            assertThat(end.reason()).isEqualTo(new StopReason.Completed());
            engine.assertFaithful(graph, end.run());
        }
    }

    @Test
    void aGrowingMemberThatIsNoListStaysAnArgument() {
        record Odd(String messages) {}
        try (Engine engine = new Engine(new MemoryStore(), keys)) {
            Status.Finished<Diary> end = engine.run(odd(new Odd("one")), Diary.of(0));
            assertThat(engine.runs().replay(odd(new Odd("two")), end.run()).divergence())
                    .isPresent();
        }
    }

    private Graph<Diary> odd(Object arguments) {
        return Graphs.one((diary, context) ->
                diary.plus(
                        context.perform(
                                world.tool("odd", arguments, String.class, (given, call) -> "x")
                                        .growing("messages"))));
    }
}
