package dev.glovebox.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.glovebox.run.Graphs.Diary;
import dev.glovebox.run.spi.Decision;
import dev.glovebox.run.support.World;
import dev.glovebox.trace.Entry;
import dev.glovebox.trace.Event.EffectIntent;
import dev.glovebox.trace.MemoryStore;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is private is not in the records, and their digests do not tell it. */
class PrivateRunTest {

    private static final String SECRET = "swordfish";
    private static final Pattern UNSALTED =
            Pattern.compile("\\{\"blob\":\"([0-9a-f]{64})\"(?![^}]*\"salted\":true)");

    private final World world = new World();
    private final MemoryStore store = new MemoryStore();
    private Path keys;
    private Engine engine;

    @BeforeEach
    void open(@TempDir Path folder) {
        keys = folder;
        engine = new Engine(store, keys);
    }

    @AfterEach
    void close() {
        engine.close();
    }

    /** Neither in the records, nor in content whose digest tells what it is. */
    private void assertSecret(String run) {
        for (Entry entry : engine.entries(run)) {
            String line = new String(entry.bytes(), StandardCharsets.UTF_8);
            assertThat(line).doesNotContain(SECRET);
            Matcher open = UNSALTED.matcher(line);
            while (open.find()) {
                byte[] content = engine.trace().blob(open.group(1)).orElseThrow().content();
                assertThat(new String(content, StandardCharsets.UTF_8))
                        .as(line)
                        .doesNotContain(SECRET);
            }
        }
    }

    private Run<Diary> secretly(Graph<Diary> graph) {
        return engine.start(graph, Diary.of(0).plus(SECRET), RunOptions.titled("x").inPrivate());
    }

    @Test
    void allContentOfAPrivateRunIsPrivate() {
        Graph<Diary> graph =
                Graph.of("all", Diary.class)
                        .node(
                                "say",
                                (diary, context) ->
                                        diary.plus(
                                                context.now().toString(),
                                                new Graphs(world).say(context, SECRET)))
                        .map(
                                "each",
                                String.class,
                                diary -> List.of(SECRET, "a"),
                                (String text, Context context) ->
                                        new Graphs(world).say(context, text),
                                Join.all(Diary::plus))
                        .edge("say", "each")
                        .edge("each", Graph.END)
                        .build();
        Run<Diary> run = secretly(graph);
        assertThat(Engine.finished(run).isCompleted()).isTrue();
        assertSecret(run.name());
        engine.assertPrivate(run.name());
        engine.assertFaithful(graph, run.name());
    }

    @Test
    void whatAPrivateRunFailsWithIsPrivate() {
        Graph<Diary> graph =
                Graphs.one((diary, context) -> {
                    try {
                        context.perform(
                                world.tool(
                                        "fail",
                                        1,
                                        String.class,
                                        (n, call) -> {
                                            throw Failure.lasting("bad", "No " + SECRET);
                                        }));
                    } catch (EffectFailed e) {
                        assertThat(e).hasMessage("No " + SECRET);
                    }
                    throw new IllegalStateException("My " + SECRET);
                });
        Run<Diary> run = secretly(graph);
        assertThat(Engine.finished(run).reason())
                .isEqualTo(new StopReason.Failed("only#1", "IllegalStateException: My " + SECRET));
        assertSecret(run.name());
        engine.assertPrivate(run.name());
        engine.assertFaithful(graph, run.name());
    }

    @Test
    void whatAPrivateRunAsksIsPrivate() throws Exception {
        Question question = Question.open("Is it " + SECRET + "?").within(Duration.ofMillis(20));
        Graph<Diary> graph =
                Graphs.one((diary, context) -> diary.plus(context.ask(question).text()));
        Run<Diary> run = secretly(graph);
        assertThat(Engine.atLast(run).reason())
                .isEqualTo(new StopReason.NeedsInput("Is it " + SECRET + "?"));
        assertSecret(run.name());
        engine.assertFaithful(graph, run.name());
    }

    @Test
    void whyAPrivateRunWasStoppedIsPrivate() {
        Graph<Diary> graph =
                Graphs.one((diary, context) -> diary.plus(new Graphs(world).say(context, "x")));
        StopReason why = new StopReason.GuardrailTripped("words", "It said " + SECRET);
        try (Engine strict = new Engine(store, keys, request -> new Decision.StopRun(why))) {
            Run<Diary> run = strict.start(graph, Diary.of(0), RunOptions.titled("x").inPrivate());
            assertThat(Engine.finished(run).reason()).isEqualTo(why);
            assertSecret(run.name());
            strict.assertFaithful(graph, run.name());
        }
    }

    @Test
    void anAnswerToAPrivateRunIsPrivateOnItsWayToo() throws Exception {
        Graph<Diary> graph =
                Graphs.one(
                        (diary, context) -> diary.plus(context.ask(Question.open("What?")).text()));
        Run<Diary> run = secretly(graph);
        String key = Engine.waiting(run).questions().getFirst().key();
        engine.runs().answer(run.name(), key, SECRET, "me");
        assertThat(Engine.atLast(run).state().lines()).containsExactly(SECRET, SECRET);
        engine.assertPrivate(run.name());
        engine.assertPrivate(Letters.name(run.name(), key));
        engine.assertFaithful(graph, run.name());
    }

    @Test
    void aPrivateEffectInAnOpenRunHidesItsArgumentsResultAndProblem() {
        Graph<Diary> graph =
                Graphs.one((diary, context) -> {
                    context.perform(
                            world.tool("login", SECRET, String.class, (text, call) -> text)
                                    .inPrivate());
                    try {
                        context.perform(
                                world.tool(
                                                "fail",
                                                SECRET,
                                                String.class,
                                                (text, call) -> {
                                                    throw Failure.lasting("bad", "No " + text);
                                                })
                                        .inPrivate());
                        return diary;
                    } catch (EffectFailed e) {
                        return diary.plus("failed: " + e.getMessage().length());
                    }
                });
        Status.Finished<Diary> end = engine.run(graph, Diary.of(0));
        assertThat(end.state().lines()).containsExactly("failed: 12");
        assertSecret(end.run());
        engine.assertFaithful(graph, end.run());
    }

    @Test
    void whatIsAskedAboutAPrivateEffectIsPrivate() throws Exception {
        Graph<Diary> graph =
                Graphs.one((diary, context) ->
                        diary.plus(
                                context.perform(
                                        world.tool("pay", SECRET, String.class, (x, call) -> "done")
                                                .inPrivate())));
        try (Engine asking =
                new Engine(
                        store,
                        keys,
                        request ->
                                new Decision.Approve(
                                        Question.approval("Pay " + request.arguments())))) {
            for (String answer : List.of("yes", "no")) {
                Run<Diary> run = asking.runs().start(graph, Diary.of(0), "x");
                OpenQuestion question = Engine.waiting(run).questions().getFirst();
                assertThat(question.question().text()).contains(SECRET);
                asking.runs().answer(run.name(), question.key(), answer, "me");
                assertThat(Engine.atLast(run).isCompleted()).isEqualTo(answer.equals("yes"));
                assertSecret(run.name());
                assertThat(asking.events(run.name(), EffectIntent.class))
                        .hasSize(2)
                        .allMatch(intent -> intent.arguments().salted());
                asking.assertFaithful(graph, run.name());
            }
        }
    }

    private Graph<Diary> paying() {
        return Graphs.one((diary, context) ->
                diary.plus(
                        context.perform(
                                world.tool(
                                                "pay",
                                                SECRET,
                                                String.class,
                                                (text, call) -> {
                                                    throw Failure.lasting("bad", "No " + text);
                                                })
                                        .inPrivate())));
    }

    private void assertStopsInPrivate(Engine own, Graph<Diary> graph, StopReason why) {
        Run<Diary> run = own.runs().start(graph, Diary.of(0), "x");
        assertThat(Engine.finished(run).reason()).isEqualTo(why);
        assertSecret(run.name());
        own.assertFaithful(graph, run.name());
        Run<Diary> fork = own.runs().fork(graph, run.name(), Long.MAX_VALUE);
        assertThat(Engine.finished(fork).reason()).isEqualTo(why);
        assertSecret(fork.name());
    }

    @Test
    void whatAPrivateEffectEndsARunWithIsPrivate() {
        assertStopsInPrivate(engine, paying(), new StopReason.ToolFailed("pay", "No " + SECRET));
    }

    @Test
    void aFailureMadeOfThatOfAPrivateEffectIsPrivate() {
        Graph<Diary> inner =
                Graphs.one((diary, context) -> {
                    try {
                        return diary.plus(
                                context.perform(
                                        world.tool(
                                                        "pay",
                                                        SECRET,
                                                        String.class,
                                                        (text, call) -> {
                                                            throw Failure.lasting("bad", text);
                                                        })
                                                .inPrivate()));
                    } catch (EffectFailed e) {
                        throw new IllegalStateException(e);
                    }
                });
        Graph<Diary> graph =
                Graph.of("outer", Diary.class)
                        .node("inner", inner.whole())
                        .edge("inner", Graph.END)
                        .build();
        String problem = "IllegalStateException: dev.glovebox.run.EffectFailed: " + SECRET;
        assertStopsInPrivate(engine, graph, new StopReason.Failed("inner#1/only#1", problem));
    }

    @Test
    void whyAPrivateEffectWasRefusedIsPrivate() {
        StopReason why = new StopReason.GuardrailTripped("words", "It said " + SECRET);
        try (Engine strict = new Engine(store, keys, request -> new Decision.StopRun(why))) {
            assertStopsInPrivate(strict, paying(), why);
        }
        try (Engine strict =
                new Engine(store, keys, request -> new Decision.Refuse("Never " + SECRET))) {
            assertStopsInPrivate(
                    strict, paying(), new StopReason.ToolFailed("pay", "Never " + SECRET));
        }
    }
}
