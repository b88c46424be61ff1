package dev.glovebox.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.glovebox.run.MessageFailure.HandlerFailed;
import dev.glovebox.run.MessageFailure.NoSuchType;
import dev.glovebox.run.MessageFailure.OtherTenant;
import dev.glovebox.run.spi.MessageEvent;
import dev.glovebox.run.spi.MessageInterceptor.Change;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Somebody tries to reach another tenant. */
public class TenantTest extends RuntimeKit {

    /** Carries an id of somebody else's choice. */
    protected record Target(AgentId id, String text) {}

    private static final MessageTypes WITH_TARGET = TYPES.with("target", Target.class);
    private static final Topic NEWS = new Topic("news", "all");

    private final ConcurrentSkipListSet<String> handledIn = new ConcurrentSkipListSet<>();

    private Runtime startNoting() {
        Runtime runtime = start(RuntimeSettings.of(WITH_TARGET));
        runtime.register("victim", this::noting);
        return runtime;
    }

    private MessageHandler noting(AgentId id) {
        return (context, message) -> {
            assertThat(context.self()).isEqualTo(id);
            assertThat(context.sender().tenant()).isEqualTo(id.tenant());
            handledIn.add(id.tenant());
            context.reply(message);
        };
    }

    @Test
    void theSameNameInTwoTenantsIsTwoAgents() {
        Runtime runtime = startNoting();
        Messenger acme = runtime.outside(ACME);
        acme.call(acme.agent("victim", "1"), new Ping(), Ping.class);
        assertThat(handledIn).containsExactly(ACME);
    }

    @Test
    void aForgedIdLeadsNowhereFromOutside() {
        Runtime runtime = startNoting();
        Messenger acme = runtime.outside(ACME);
        AgentId foreign = new AgentId(GLOBEX, "victim", "1");
        OtherTenant refused = new OtherTenant(ACME, foreign);
        assertThat(failureOf(() -> acme.send(foreign, new Ping()))).isEqualTo(refused);
        assertThat(failureOf(() -> acme.call(foreign, new Ping(), Ping.class))).isEqualTo(refused);
        runtime.close();
        assertThat(handledIn).isEmpty();
    }

    @Test
    void aForgedIdInAMessageLeadsNowhereFromAnAgentEither() {
        Runtime runtime = startNoting();
        runtime.register(
                "courier",
                _ ->
                        (context, message) -> {
                            Target target = (Target) message;
                            context.send(target.id(), new Text(target.text()));
                        });
        Messenger acme = runtime.outside(ACME);
        AgentId courier = acme.agent("courier", "1");
        AgentId foreign = new AgentId(GLOBEX, "victim", "1");
        assertThat(failureOf(() -> acme.call(courier, new Target(foreign, "hi"), Ping.class)))
                .isInstanceOf(HandlerFailed.class)
                .extracting(MessageFailure::sentence)
                .asString()
                .contains("victim/1 is not an agent of the tenant acme");
        runtime.close();
        assertThat(handledIn).isEmpty();
    }

    @Test
    void whatExistsInAnotherTenantIsNotTold() {
        Runtime runtime = startNoting();
        Messenger globex = runtime.outside(GLOBEX);
        globex.call(globex.agent("victim", "1"), new Ping(), Ping.class);
        Messenger acme = runtime.outside(ACME);
        for (AgentId id :
                List.of(
                        new AgentId(GLOBEX, "victim", "1"),
                        new AgentId(GLOBEX, "victim", "not-there"),
                        new AgentId(GLOBEX, "nobody", "1"),
                        new AgentId("no-such-tenant", "victim", "1"))) {
            assertThat(failureOf(() -> acme.send(id, new Ping())))
                    .isEqualTo(new OtherTenant(ACME, id));
        }
    }

    @Test
    void aTopicOfTheSameNameIsAnotherTopic() {
        Runtime runtime = startNoting();
        runtime.subscribe("victim", "news");
        runtime.subscribe(new AgentId(GLOBEX, "victim", "subscriber"), NEWS);
        Published published = runtime.outside(ACME).publish(NEWS, new Ping());
        assertThat(published.reached()).containsExactly(new AgentId(ACME, "victim", "all"));
        assertThat(published.missed()).isEmpty();
        runtime.close();
        assertThat(handledIn).containsExactly(ACME);
    }

    @Test
    void anAgentSubscribesInItsOwnTenant() {
        Runtime runtime = startNoting();
        runtime.register(
                "spy",
                id ->
                        (context, message) -> {
                            if (message instanceof Ping) {
                                context.subscribe(NEWS);
                                context.reply(message);
                            } else {
                                handledIn.add(id.tenant() + " overhears");
                            }
                        });
        Messenger acme = runtime.outside(ACME);
        acme.call(acme.agent("spy", "1"), new Ping(), Ping.class);
        assertThat(runtime.outside(GLOBEX).publish(NEWS, new Text("secret")).reached()).isEmpty();
        runtime.close();
        assertThat(handledIn).isEmpty();
    }

    @Test
    void aReplyGoesToItsCallerWhateverTheMessageNames() {
        Runtime runtime = startNoting();
        runtime.register(
                "answering",
                _ ->
                        (context, message) -> {
                            // There is no receiver to choose: what looks like one is only content.
                            context.reply(message);
                        });
        Messenger acme = runtime.outside(ACME);
        Target target = new Target(new AgentId(GLOBEX, "victim", "1"), "for you");
        assertThat(acme.call(acme.agent("answering", "1"), target, Target.class)).isEqualTo(target);
        runtime.close();
        assertThat(handledIn).isEmpty();
    }

    @Test
    void thoseOutsideCannotBeSentTo() {
        Runtime runtime = startNoting();
        assertThatThrownBy(() -> runtime.register(AgentId.OUTSIDE, this::noting))
                .isInstanceOf(IllegalArgumentException.class);
        Messenger acme = runtime.outside(ACME);
        assertThat(failureOf(() -> acme.send(acme.self(), new Ping())))
                .isEqualTo(new NoSuchType("outside"));
        Messenger globex = runtime.outside(GLOBEX);
        assertThat(failureOf(() -> acme.send(globex.self(), new Ping())))
                .isInstanceOf(OtherTenant.class);
    }

    @Test
    void anInterceptorThatChangesAMessageCannotChangeWhereItGoes() {
        Runtime runtime =
                start(
                        RuntimeSettings.of(WITH_TARGET)
                                .intercept(passing ->
                                        new Change(
                                                new Target(
                                                        new AgentId(GLOBEX, "victim", "1"),
                                                        "" + passing.kind()))));
        runtime.register("victim", this::noting);
        Messenger acme = runtime.outside(ACME);
        acme.call(acme.agent("victim", "1"), new Ping(), Target.class);
        assertThat(handledIn).containsExactly(ACME);
    }

    @Test
    void aContextThatGotIntoAnotherTenantIsStillThatOfItsOwn() throws Exception {
        Runtime runtime = startNoting();
        CompletableFuture<AgentContext> leaked = new CompletableFuture<>();
        CountDownLatch used = new CountDownLatch(1);
        // Agents of one process can share an object behind the runtime's back. It does not help.
        runtime.register(
                "leaky",
                _ ->
                        (context, message) -> {
                            leaked.complete(context);
                            await(used);
                            context.reply(message);
                        });
        runtime.register(
                "thief",
                _ ->
                        (context, _) -> {
                            AgentContext stolen = leaked.get();
                            MessageFailure failure =
                                    failureOf(() ->
                                            stolen.send(context.agent("victim", "1"), new Ping()));
                            used.countDown();
                            context.reply(new Text(failure.kind()));
                        });
        Messenger acme = runtime.outside(ACME);
        acme.send(acme.agent("leaky", "1"), new Ping());
        Messenger globex = runtime.outside(GLOBEX);
        assertThat(globex.call(globex.agent("thief", "1"), new Ping(), Text.class).text())
                .isEqualTo("OtherTenant");
    }

    @Test
    void whatTheSendersThreadHasForItselfIsNotInherited() {
        Runtime runtime = startNoting();
        InheritableThreadLocal<String> credential = new InheritableThreadLocal<>();
        runtime.register(
                "curious", _ -> (context, _) -> context.reply(new Text("" + credential.get())));
        Messenger acme = runtime.outside(ACME);
        credential.set("a secret");
        assertThat(acme.call(acme.agent("curious", "1"), new Ping(), Text.class).text())
                .isEqualTo("null");
        credential.remove();
    }

    @Test
    void everyAttemptIsObserved() {
        ConcurrentLinkedQueue<MessageEvent> events = new ConcurrentLinkedQueue<>();
        Runtime runtime = start(RuntimeSettings.of(WITH_TARGET).listen(events::add));
        runtime.register("victim", this::noting);
        AgentId foreign = new AgentId(GLOBEX, "victim", "1");
        failureOf(() -> runtime.outside(ACME).send(foreign, new Ping()));
        MessageEvent event = events.element();
        assertThat(event.from().tenant()).isEqualTo(ACME);
        assertThat(event.to()).contains(foreign);
        assertThat(event.outcome()).isEqualTo(MessageEvent.Outcome.REFUSED);
        assertThat(event.failure()).contains("OtherTenant");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a/b", "../acme", "acme\n", "acme globex", "1acme", "ácme", "*"})
    void aNameThatCouldBeMisreadIsRefused(String name) {
        assertThatThrownBy(() -> new AgentId(name, "type", "key"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("Not a name for tenant");
        assertThatThrownBy(() -> new AgentId(ACME, name, "key"))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new Topic(name, "source"))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> start().outside(name))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a/b", "a b", "a\u0000", "*"})
    void soIsAKey(String key) {
        assertThatThrownBy(() -> new AgentId(ACME, "type", key))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new Topic("type", key))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
