package dev.glovebox.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.glovebox.agent.support.Jail;
import dev.glovebox.agent.support.ScriptedModel;
import dev.glovebox.agent.support.Turn;
import dev.glovebox.run.Graph;
import dev.glovebox.run.KnownGraphs;
import dev.glovebox.run.Run;
import dev.glovebox.run.RunOptions;
import dev.glovebox.run.Runs;
import dev.glovebox.run.Status;
import dev.glovebox.run.StopReason;
import dev.glovebox.sandbox.BoxGone;
import dev.glovebox.sandbox.Interpreter;
import dev.glovebox.sandbox.Isolation;
import dev.glovebox.sandbox.Language;
import dev.glovebox.sandbox.Policy;
import dev.glovebox.sandbox.Program;
import dev.glovebox.sandbox.Sandbox;
import dev.glovebox.sandbox.Sandboxes;
import dev.glovebox.sandbox.spi.Availability;
import dev.glovebox.sandbox.spi.Tier;
import dev.glovebox.trace.Entry;
import dev.glovebox.trace.Event;
import dev.glovebox.trace.Event.EffectIntent;
import dev.glovebox.trace.Event.EffectOutcome;
import dev.glovebox.trace.Trace;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Programs of agents, behind walls that were asked for. */
class WallTest {

    private static final Policy POLICY = Policy.denyAll();
    private static final Policy TRUSTING = POLICY.isolation(Isolation.PROCESS);
    private static final Turn SHELL = Turn.calls("run_shell", "{\"command\":\"echo here\"}");

    @AutoClose private final Engine engine = new Engine();
    private final Trace trace = engine.trace();
    private final Workspace workspace = Workspace.of(trace);

    /** Somebody's own wall: its boxes are jails. */
    private static class OwnTier implements Tier {

        private final Isolation isolation;
        final AtomicInteger opened = new AtomicInteger();

        OwnTier(Isolation isolation) {
            this.isolation = isolation;
        }

        private static Tier jail() {
            return Sandboxes.tiers().stream()
                    .filter(tier -> tier.name().equals("jail"))
                    .findFirst()
                    .orElseThrow();
        }

        @Override
        public String name() {
            return "engine";
        }

        @Override
        public Isolation isolation() {
            return isolation;
        }

        @Override
        public Duration typicalStart() {
            return Duration.ofSeconds(1);
        }

        @Override
        public int sweep() {
            return 0;
        }

        @Override
        public Availability probe() {
            return jail().probe();
        }

        @Override
        public Optional<Interpreter> interpreter(Language language, Policy policy) {
            return jail().interpreter(language, policy);
        }

        @Override
        public Sandbox open(Policy policy) {
            opened.incrementAndGet();
            return jail().open(policy);
        }
    }

    /** It hangs while a box is made, until somebody gives it up. */
    private static final class HangingTier extends OwnTier {

        final CountDownLatch asked = new CountDownLatch(1);

        HangingTier() {
            super(Isolation.JAIL);
        }

        @Override
        public Sandbox open(Policy policy) {
            asked.countDown();
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            throw new BoxGone("The engine hangs");
        }
    }

    private static Agent agent(List<Tool> tools, Turn... turns) {
        List<Turn> all = new ArrayList<>(List.of(turns));
        all.add(Turn.says("Done."));
        return Agent.named("ann", new ScriptedModel(all.toArray(Turn[]::new))).tools(tools).build();
    }

    private Agent shell(Policy policy, Wall wall) {
        return agent(List.of(BuiltInTools.runShell(policy, wall, workspace)), SHELL);
    }

    /** The walls that were asked for, or those that it really was. */
    private List<String> tiers(String run, Class<? extends Event> part) {
        try (Stream<Entry> entries = trace.entries(run, 0)) {
            return entries.map(Entry::event)
                    .filter(part::isInstance)
                    .map(WallTest::details)
                    .filter(details -> details.has("tier"))
                    .map(details -> details.path("tier").asText())
                    .toList();
        }
    }

    private static JsonNode details(Event event) {
        return switch (event) {
            case EffectIntent intent -> intent.details();
            case EffectOutcome outcome -> outcome.details();
            default -> Event.NONE;
        };
    }

    @ParameterizedTest
    @ValueSource(strings = {"process", "jail"})
    void toolsRunProgramsBehindTheWallThatIsNamed(String tier) {
        Jail.assumed();
        List<Tool> tools = BuiltInTools.all(TRUSTING, Wall.named(tier), workspace);
        Agent ann =
                agent(
                        tools,
                        Turn.calls("write_file", "{\"path\":\"n.txt\",\"content\":\"40 2\"}"),
                        Turn.calls(
                                "run_python",
                                """
                                {"code":"a, b = open('n.txt').read().split(); print(a + b)"}\
                                """),
                        Turn.calls("run_shell", "{\"command\":\"cat n.txt > m.txt\"}"),
                        Turn.calls("read_file", "{\"path\":\"m.txt\"}"));

        TaskResult result = ann.run(engine.runs(), "Add.");

        assertThat(result.stop()).isEqualTo(new StopReason.Completed());
        assertThat(Engine.results(result).get(1)).isEqualTo("outcome: exited 0\nstdout:\n402");
        assertThat(Engine.results(result).getLast()).isEqualTo("40 2");
        assertThat(tiers(result.run(), EffectIntent.class)).containsExactly(tier, tier);
        assertThat(tiers(result.run(), EffectOutcome.class)).containsExactly(tier, tier);
    }

    @Test
    void whoAsksForNoWallHasNoneOnRecordBefore() {
        Jail.assumed();
        TaskResult result = shell(POLICY, Wall.fastest()).run(engine.runs(), "Say.");
        assertThat(tiers(result.run(), EffectIntent.class)).isEmpty();
        assertThat(tiers(result.run(), EffectOutcome.class)).containsExactly("jail");
    }

    @Test
    void aWallThatIsNotThereStopsTheRun() {
        TaskResult result = shell(POLICY, Wall.named("nowhere")).run(engine.runs(), "Say.");
        assertNotEnforceable(result, "no tier 'nowhere'");
    }

    @Test
    void aWallThatIsTooWeakIsNotReplacedByAnother() {
        TaskResult result = shell(POLICY, Wall.named("process")).run(engine.runs(), "Say.");
        assertNotEnforceable(result, "weaker than the policy's 'jail'");
    }

    private void assertNotEnforceable(TaskResult result, String why) {
        assertThat(result.stop())
                .isInstanceOfSatisfying(
                        StopReason.NotEnforceable.class,
                        stop -> assertThat(stop.what()).contains(why));
        assertThat(tiers(result.run(), EffectOutcome.class)).isEmpty();
    }

    @Test
    void toolsRunProgramsBehindAWallOfOnesOwn() {
        Jail.assumed();
        OwnTier acme = new OwnTier(Isolation.JAIL);
        Agent ann = shell(POLICY, Wall.of("acme", acme));

        TaskResult result = ann.run(engine.runs(), "Say.");

        assertThat(Engine.results(result)).containsExactly("outcome: exited 0\nstdout:\nhere");
        assertThat(acme.opened).hasValue(1);
        assertThat(tiers(result.run(), EffectIntent.class)).containsExactly("engine@acme");
        assertThat(engine.runs().replay(ann.graph(), result.run()).isFaithful()).isTrue();
    }

    @Test
    void aWallOfOnesOwnThatIsTooWeakIsNotOpened() {
        OwnTier weak = new OwnTier(Isolation.PROCESS);
        TaskResult result = shell(POLICY, Wall.of("acme", weak)).run(engine.runs(), "Say.");
        assertNotEnforceable(result, "weaker than the policy's 'jail'");
        assertThat(weak.opened).hasValue(0);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a b", "a@b", "a\nb"})
    void aNameThatWouldBeUnclearOnRecordIsRefused(String name) {
        OwnTier tier = new OwnTier(Isolation.JAIL);
        assertThatThrownBy(() -> Wall.of(name, tier)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aCheckOfTheAnswerRunsBehindTheWallThatIsNamed() {
        Jail.assumed();
        TaskResult result = checked(TRUSTING, Wall.named("jail")).run(engine.runs(), "Say.");
        assertThat(result.stop()).isEqualTo(new StopReason.Completed());
        assertThat(tiers(result.run(), EffectOutcome.class)).containsExactly("jail");
    }

    @Test
    void aCheckOfTheAnswerIsNotDoneBehindAnotherWall() {
        TaskResult result = checked(POLICY, Wall.named("process")).run(engine.runs(), "Say.");
        assertNotEnforceable(result, "weaker than the policy's 'jail'");
    }

    private static Agent checked(Policy policy, Wall wall) {
        return Agent.named("ann", new ScriptedModel(Turn.says("Done.")))
                .validators(Validators.program(policy, wall, Program.bash("grep -q Done")))
                .build();
    }

    @Test
    void aCallThatIsBegunAgainDoesNotGoToAnotherWall() throws InterruptedException {
        Jail.assumed();
        HangingTier hanging = new HangingTier();
        String name;
        try (Runs first = Runs.in(trace)) {
            Agent ann = shell(POLICY, Wall.of("acme", hanging));
            name = ann.start(first, "Say.", RunOptions.titled("x")).name();
            hanging.asked.await();
        }
        OwnTier other = new OwnTier(Isolation.JAIL);
        for (Wall wall : List.of(Wall.fastest(), Wall.named("jail"), Wall.of("globex", other))) {
            Run<Conversation> run = engine.runs().resume(shell(POLICY, wall).graph(), name);
            assertThat(run.await())
                    .isInstanceOfSatisfying(
                            Status.Differs.class,
                            differs ->
                                    assertThat(differs.divergence().sentence())
                                            .contains("engine@acme"));
        }
        assertThat(other.opened).hasValue(0);

        OwnTier works = new OwnTier(Isolation.JAIL);
        Agent again =
                agent(List.of(BuiltInTools.runShell(POLICY, Wall.of("acme", works), workspace)));
        TaskResult result = Agent.result(engine.runs().resume(again.graph(), name));
        assertThat(result.stop()).isEqualTo(new StopReason.Completed());
        assertThat(works.opened).hasValue(1);
    }

    @Test
    void aProgramOfAWallOfOnesOwnIsNotRepeatedBehindAnother() {
        Jail.assumed();
        OwnTier acme = new OwnTier(Isolation.JAIL);
        SandboxExec exec =
                SandboxExec.of(
                        Launch.of(POLICY, Program.bash("echo here")).behind(Wall.of("acme", acme)));
        String name =
                engine.runs()
                        .start(
                                ExecGraph.of(exec),
                                ExecGraph.Progress.NONE,
                                RunOptions.titled("x").inPrivate())
                        .await()
                        .run();
        Graph<?> found = KnownGraphs.onClassPath().graph(trace, name);
        assertThat(engine.runs().replay(found, name, Set.of(SandboxExec.KIND)).repeated())
                .singleElement()
                .satisfies(one ->
                        assertThat(one.problem().orElse("")).contains("no tier 'engine@acme'"));
        assertThat(acme.opened).hasValue(1);
    }
}
