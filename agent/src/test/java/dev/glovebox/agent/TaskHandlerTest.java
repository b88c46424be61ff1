package dev.glovebox.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.glovebox.agent.TaskHandler.Report;
import dev.glovebox.agent.TaskHandler.Task;
import dev.glovebox.agent.support.ScriptedModel;
import dev.glovebox.agent.support.Turn;
import dev.glovebox.run.AgentId;
import dev.glovebox.run.LocalRuntime;
import dev.glovebox.run.MessageException;
import dev.glovebox.run.MessageFailure;
import dev.glovebox.run.MessageTypes;
import dev.glovebox.run.Messenger;
import dev.glovebox.run.Runtime;
import dev.glovebox.run.RuntimeSettings;
import dev.glovebox.trace.Trace;
import dev.glovebox.trace.spi.RunQuery;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class TaskHandlerTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private record Nothing() {}

    private final Engine engine = new Engine();
    private final Runtime runtime =
            LocalRuntime.open(
                    RuntimeSettings.of(
                            MessageTypes.none()
                                    .with("task", Task.class)
                                    .with("report", Report.class)
                                    .with("nothing", Nothing.class)));
    private final Messenger acme = runtime.outside("acme");
    private final AgentId desk = acme.agent("clerk", "front-desk");

    @AfterEach
    void close() throws Exception {
        runtime.close();
        engine.close();
    }

    private void register(Agent agent) {
        runtime.register("clerk", id -> TaskHandler.of(agent, engine.runs()));
    }

    private static Agent saying(Turn... turns) {
        return Agent.named("clerk", new ScriptedModel(turns)).build();
    }

    @Test
    void aCallIsAnsweredWithWhatCameOfTheTask() {
        register(saying(Turn.says("42"), Turn.says("50")));

        Report first = acme.call(desk, new Task("What is 40 + 2?"), Report.class, PATIENCE);
        Report second = acme.call(desk, new Task("What is 42 + 8?"), Report.class, PATIENCE);

        assertThat(first.text()).isEqualTo("42");
        assertThat(first.isCompleted()).isTrue();
        assertThat(second.text()).isEqualTo("50");
        assertThat(engine.trace().runs(RunQuery.newest(9)))
                .extracting(run -> run.run())
                .containsExactlyInAnyOrder(first.run(), second.run());
    }

    @Test
    void aTaskThatFailsIsReportedAsSuch() {
        register(saying(Turn.fails(401, "wrong key")));

        Report report = acme.call(desk, new Task("Go."), Report.class, PATIENCE);

        assertThat(report.isCompleted()).isFalse();
        assertThat(report.stop()).isEqualTo("model-failed");
    }

    @Test
    void whoGivesUpCancelsTheRun() throws Exception {
        CountDownLatch called = new CountDownLatch(1);
        Tool hang =
                Tools.of(
                        "hang",
                        "Hangs",
                        Nothing.class,
                        nothing -> {
                            called.countDown();
                            Thread.sleep(PATIENCE);
                            return "";
                        });
        register(
                Agent.named("clerk", new ScriptedModel(Turn.calls("hang", "{}")))
                        .tools(hang)
                        .build());
        Thread caller =
                Thread.ofVirtual()
                        .start(() ->
                                assertThatThrownBy(() ->
                                                acme.call(
                                                        desk,
                                                        new Task("Hang."),
                                                        Report.class,
                                                        PATIENCE))
                                        .isInstanceOf(MessageException.class));
        called.await();

        caller.interrupt();
        caller.join();

        Trace trace = engine.trace();
        String run = trace.runs(RunQuery.newest(1)).getFirst().run();
        while (trace.run(run).finishedAt().isEmpty()) {
            Thread.sleep(20);
        }
        assertThat(trace.run(run).stop()).isEqualTo("cancelled");
    }

    @Test
    void anotherMessageIsRefused() {
        register(saying());

        assertThatThrownBy(() -> acme.call(desk, new Nothing(), Report.class, PATIENCE))
                .isInstanceOfSatisfying(
                        MessageException.class,
                        e ->
                                assertThat(e.failure())
                                        .isInstanceOf(MessageFailure.HandlerFailed.class))
                .hasMessageContaining("takes tasks");
    }

    @Test
    void whoeverCallsIsToldThatTheEngineIsClosed() {
        register(saying());
        engine.runs().close();

        assertThatThrownBy(() -> acme.call(desk, new Task("Go."), Report.class, PATIENCE))
                .isInstanceOfSatisfying(
                        MessageException.class,
                        e ->
                                assertThat(e.failure())
                                        .isInstanceOf(MessageFailure.HandlerFailed.class));
    }
}
