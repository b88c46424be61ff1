package dev.glovebox.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.glovebox.run.MessageFailure.HandlerFailed;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;

/** When agents come to life, and when they end. */
public class LifecycleTest extends RuntimeKit {

    private final ConcurrentLinkedQueue<String> log = new ConcurrentLinkedQueue<>();

    private final class Logging implements MessageHandler {
        private final AgentId id;

        private Logging(AgentId id) {
            this.id = id;
            log.add("created " + id);
        }

        @Override
        public void activated(AgentContext context) {
            log.add("activated by " + context.sender());
        }

        @Override
        public void handle(AgentContext context, Record message) {
            log.add("handled " + message);
            if (message instanceof Text(String text)) {
                switch (text) {
                    case "passivate" -> context.passivate();
                    case "fail" -> throw new IllegalStateException("as told");
                    default -> log.add(text);
                }
            }
            context.reply(message);
        }

        @Override
        public void ended(AgentEnding why) {
            log.add("ended " + id + " " + why);
        }
    }

    private Messenger logging(Runtime runtime) {
        runtime.register("agent", Logging::new);
        return runtime.outside(ACME);
    }

    @Test
    void anAgentIsCreatedForItsFirstMessageAndEndsWhenTheRuntimeCloses() {
        Runtime runtime = start();
        Messenger acme = logging(runtime);
        AgentId agent = acme.agent("agent", "1");
        assertThat(log).isEmpty();
        acme.call(agent, new Count(1), Count.class);
        acme.call(agent, new Count(2), Count.class);
        runtime.close();
        assertThat(log)
                .containsExactly(
                        "created agent/1",
                        "activated by outside/caller",
                        "handled Count[value=1]",
                        "handled Count[value=2]",
                        "ended agent/1 CLOSED");
    }

    @Test
    void anIdleAgentIsPassivatedAndComesBackForTheNextMessage() throws Exception {
        Runtime runtime = start(AgentLimits.standard().idle(Duration.ofMillis(1)));
        Messenger acme = logging(runtime);
        AgentId agent = acme.agent("agent", "1");
        acme.call(agent, new Count(1), Count.class);
        until(() -> log.contains("ended agent/1 IDLE"));
        acme.call(agent, new Count(2), Count.class);
        runtime.close();
        assertThat(log.stream().filter("created agent/1"::equals)).hasSize(2);
    }

    @Test
    void anAgentCanAskForItAndWhatWaitsGetsANewInstance() throws Exception {
        Runtime runtime = start();
        Messenger acme = logging(runtime);
        AgentId agent = acme.agent("agent", "1");
        acme.send(agent, new Text("passivate"));
        acme.send(agent, new Count(1));
        acme.send(agent, new Text("fail"));
        acme.call(agent, new Count(2), Count.class);
        runtime.close();
        assertThat(log)
                .containsSubsequence(
                        "handled Text[text=passivate]",
                        "ended agent/1 REQUESTED",
                        "created agent/1",
                        "handled Count[value=1]",
                        "handled Text[text=fail]",
                        "ended agent/1 FAILED",
                        "created agent/1",
                        "handled Count[value=2]",
                        "ended agent/1 CLOSED");
    }

    @Test
    void hooksThatFailOrHangHoldNobodyForEver() {
        Runtime runtime = start(AgentLimits.standard().handling(SHORT).closing(LONG));
        runtime.register(
                "bad-start",
                _ ->
                        new MessageHandler() {
                            @Override
                            public void activated(AgentContext context) {
                                throw new IllegalStateException("no memory found");
                            }

                            @Override
                            public void handle(AgentContext context, Record message) {
                                context.reply(message);
                            }

                            @Override
                            public void ended(AgentEnding why) {
                                log.add("" + why);
                                throw new IllegalStateException("again");
                            }
                        });
        runtime.register(
                "bad-end",
                _ ->
                        new MessageHandler() {
                            @Override
                            public void handle(AgentContext context, Record message) {
                                context.reply(message);
                                context.passivate();
                            }

                            @Override
                            public void ended(AgentEnding why) throws Exception {
                                Thread.sleep(Duration.ofDays(1));
                            }
                        });
        Messenger acme = runtime.outside(ACME);
        for (int n = 1; n <= 2; n++) {
            assertThat(
                            failureOf(() ->
                                    acme.call(
                                            acme.agent("bad-start", "1"), new Ping(), Ping.class)))
                    .isInstanceOf(HandlerFailed.class);
            acme.call(acme.agent("bad-end", "1"), new Ping(), Ping.class);
        }
        runtime.close();
        assertThat(log).containsExactly("FAILED", "FAILED");
    }

    @Test
    void aTypeIsRegisteredOnce() {
        Runtime runtime = start();
        runtime.register("agent", Logging::new);
        assertThatThrownBy(() -> runtime.register("agent", Logging::new))
                .isInstanceOf(IllegalArgumentException.class);
        for (String bad : List.of("a/b", "", "outside")) {
            assertThatThrownBy(() -> runtime.register(bad, Logging::new))
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }
}
