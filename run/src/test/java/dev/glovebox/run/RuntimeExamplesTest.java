package dev.glovebox.run;

import static dev.glovebox.run.Permissions.Action.SEND;
import static dev.glovebox.run.Permissions.Action.TOOL;
import static org.assertj.core.api.Assertions.assertThat;

import dev.glovebox.run.MessageFailure.HandlerFailed;
import dev.glovebox.run.MessageFailure.MailboxFull;
import dev.glovebox.run.MessageFailure.NotPermitted;
import dev.glovebox.run.MessageFailure.TimedOut;
import dev.glovebox.run.spi.MessageInterceptor.Drop;
import dev.glovebox.run.spi.MessageInterceptor.Pass;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;

/** The examples of {@code docs/runtime.md}. */
class RuntimeExamplesTest {

    record Hello(String name) {}

    record Greeting(String text) {}

    static final class Greeter implements MessageHandler {
        private int greeted;

        @Override
        public void handle(AgentContext context, Record message) {
            if (message instanceof Hello(String name)) {
                greeted++;
                context.reply(new Greeting("Hello " + name + ", number " + greeted));
            }
        }
    }

    record Built(String project, boolean green) {}

    private final MessageTypes types =
            MessageTypes.none()
                    .with("hello", Hello.class)
                    .with("greeting", Greeting.class)
                    .with("built", Built.class);

    @Test
    void messages() {
        MessageTypes types =
                MessageTypes.none().with("hello", Hello.class).with("greeting", Greeting.class);
        try (Runtime runtime = LocalRuntime.open(RuntimeSettings.of(types))) {
            runtime.register("greeter", id -> new Greeter());

            Messenger acme = runtime.outside("acme"); // for one tenant, and bound to it
            AgentId desk = acme.agent("greeter", "front-desk"); // created by its first message
            acme.send(desk, new Hello("Anna")); // returns when it is in the mailbox
            Greeting greeting =
                    acme.call(desk, new Hello("Ben"), Greeting.class, Duration.ofSeconds(5));
            assertThat(greeting.text()).isEqualTo("Hello Ben, number 2");
        }
    }

    private static String greet(Messenger acme, String type) {
        try {
            AgentId agent = acme.agent(type, "1");
            return acme.call(agent, new Hello("Anna"), Greeting.class).text();
        } catch (MessageException e) {
            return switch (e.failure()) {
                case NotPermitted _ -> "never";
                case MailboxFull _ -> "later";
                case TimedOut late -> late.begun() ? "perhaps it did" : "it did not";
                case HandlerFailed failed -> failed.error();
                case MessageFailure other -> other.sentence();
            };
        }
    }

    @Test
    void permissions() {
        Permissions permissions =
                Permissions.none()
                        .allow(AgentId.OUTSIDE, SEND, "greeter")
                        .allow("coder", TOOL, "run_python"); // SEND, PUBLISH, SUBSCRIBE, TOOL
        RuntimeSettings settings = RuntimeSettings.of(types).permissions(permissions);
        try (Runtime runtime = LocalRuntime.open(settings)) {
            runtime.register("greeter", _ -> new Greeter());
            runtime.register("coder", _ -> new Greeter());
            Messenger acme = runtime.outside("acme");
            assertThat(greet(acme, "greeter")).isEqualTo("Hello Anna, number 1");
            assertThat(greet(acme, "coder")).isEqualTo("never");
        }
        assertThat(permissions.allows("coder", TOOL, "send_mail")).isFalse();
    }

    @Test
    void topics() {
        ConcurrentLinkedQueue<String> log = new ConcurrentLinkedQueue<>();
        try (Runtime runtime = LocalRuntime.open(RuntimeSettings.of(types))) {
            runtime.register("notifier", id -> (_, message) -> log.add(id + ": " + message));
            Messenger acme = runtime.outside("acme");

            runtime.subscribe("notifier", "builds"); // builds/x reaches notifier/x
            Published published =
                    acme.publish(new Topic("builds", "site"), new Built("site", true));
            List<AgentId> reached = published.reached(); // missed(): who did not, and why

            assertThat(reached).containsExactly(acme.agent("notifier", "site"));
            assertThat(published.missed()).isEmpty();
        }
        assertThat(log).containsExactly("notifier/site: Built[project=site, green=true]");
    }

    @Test
    void interception() {
        RuntimeSettings settings =
                RuntimeSettings.of(types)
                        .intercept(message ->
                                message.content() instanceof Hello(String name)
                                                && name.contains("/etc/")
                                        ? new Drop("it names a host path")
                                        : new Pass());
        try (Runtime runtime = LocalRuntime.open(settings)) {
            runtime.register("greeter", _ -> new Greeter());
            Messenger acme = runtime.outside("acme");
            AgentId desk = acme.agent("greeter", "1");
            assertThat(RuntimeKit.failureOf(() -> acme.send(desk, new Hello("/etc/shadow"))))
                    .isEqualTo(new MessageFailure.Dropped("it names a host path"));
        }
    }

    /** A counter that outlives its instances. */
    private static final class Visits implements MessageHandler {
        private final AgentId id;
        private final Map<AgentId, Integer> store;
        private int visits;

        private Visits(AgentId id, Map<AgentId, Integer> store) {
            this.id = id;
            this.store = store;
        }

        @Override
        public void activated(AgentContext context) {
            visits = store.getOrDefault(id, 0);
        }

        @Override
        public void handle(AgentContext context, Record message) {
            visits++;
            context.reply(new Greeting("Visit " + visits));
            context.passivate();
        }

        @Override
        public void ended(AgentEnding why) {
            if (why != AgentEnding.FAILED) {
                store.put(id, visits);
            }
        }
    }

    @Test
    void lifecycle() {
        Map<AgentId, Integer> store = new ConcurrentHashMap<>();
        try (Runtime runtime = LocalRuntime.open(RuntimeSettings.of(types))) {
            runtime.register("visits", id -> new Visits(id, store));
            Messenger acme = runtime.outside("acme");
            AgentId page = acme.agent("visits", "page");
            acme.call(page, new Hello("Anna"), Greeting.class);
            assertThat(acme.call(page, new Hello("Ben"), Greeting.class).text())
                    .isEqualTo("Visit 2");
        }
    }
}
