package dev.glovebox.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.glovebox.run.MessageFailure.Dropped;
import dev.glovebox.run.spi.MessageEvent;
import dev.glovebox.run.spi.MessageInterceptor;
import dev.glovebox.run.spi.MessageInterceptor.Change;
import dev.glovebox.run.spi.MessageInterceptor.Drop;
import dev.glovebox.run.spi.MessageInterceptor.Pass;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;

/** Those who see messages on their way, and those who hear what became of them. */
public class InterceptionTest extends RuntimeKit {

    private static final Topic NEWS = new Topic("news", "all");

    private static RuntimeSettings with(MessageInterceptor interceptor) {
        return RuntimeSettings.of(TYPES).intercept(interceptor);
    }

    @Test
    void everyMessageIsSeenAndRepliesToo() {
        ConcurrentLinkedQueue<String> seen = new ConcurrentLinkedQueue<>();
        Runtime runtime =
                start(
                        with(m -> {
                            seen.add(m.kind() + " " + m.from() + " " + m.to());
                            return new Pass();
                        }));
        runtime.register("echo", _ -> AgentContext::reply);
        runtime.subscribe("echo", "news");
        Messenger acme = runtime.outside(ACME);
        AgentId echo = acme.agent("echo", "1");
        acme.send(echo, new Ping());
        acme.call(echo, new Ping(), Ping.class);
        acme.publish(NEWS, new Ping());
        assertThat(seen)
                .containsExactly(
                        "SEND outside/caller echo/1",
                        "CALL outside/caller echo/1",
                        "REPLY echo/1 outside/caller",
                        "PUBLISH outside/caller echo/all");
    }

    @Test
    void aMessageCanBeChangedAndTheNextSeesTheChange() {
        Runtime runtime =
                start(
                        with(m -> m.content() instanceof Text t ? louder(t) : new Pass())
                                .intercept(m ->
                                        m.content() instanceof Text t ? louder(t) : new Pass()));
        runtime.register(
                "reader", _ -> (context, message) -> context.reply(new Count(length(message))));
        Messenger acme = runtime.outside(ACME);
        assertThat(acme.call(acme.agent("reader", "1"), new Text("hello"), Count.class).value())
                .isEqualTo(7);
    }

    private static Change louder(Text text) {
        return new Change(new Text(text.text() + "!"));
    }

    private static int length(Record message) {
        return ((Text) message).text().length();
    }

    @Test
    void whatIsDroppedGoesNowhereAndTheSenderIsToldWhy() {
        ConcurrentLinkedQueue<Record> handled = new ConcurrentLinkedQueue<>();
        Runtime runtime =
                start(
                        with(m ->
                                m.content() instanceof Text(String text)
                                                && text.contains("/etc/passwd")
                                        ? new Drop("it names a host path")
                                        : new Pass()));
        runtime.register(
                "echo",
                _ ->
                        (context, message) -> {
                            handled.add(message);
                            context.reply(
                                    message instanceof Ping ? new Text("/etc/passwd") : message);
                            handled.add(new Text("went on"));
                        });
        runtime.subscribe("echo", "news");
        Messenger acme = runtime.outside(ACME);
        AgentId echo = acme.agent("echo", "1");
        Text evil = new Text("read /etc/passwd");
        Dropped dropped = new Dropped("it names a host path");
        assertThat(failureOf(() -> acme.send(echo, evil))).isEqualTo(dropped);
        assertThat(failureOf(() -> acme.call(echo, evil, Text.class))).isEqualTo(dropped);
        assertThat(acme.publish(NEWS, evil).missed())
                .containsEntry(acme.agent("echo", "all"), dropped);
        assertThat(handled).isEmpty();
        assertThat(failureOf(() -> acme.call(echo, new Ping(), Text.class)))
                .as("a reply that was dropped")
                .isEqualTo(dropped);
        runtime.close();
        assertThat(handled).containsExactly(new Ping(), new Text("went on"));
    }

    @Test
    void anInterceptorThatFailsLetsNothingPass() {
        record Unknown() {}
        Runtime throwing =
                start(
                        with(_ -> {
                            throw new IllegalStateException("no rules");
                        }));
        Runtime wrong = start(with(_ -> new Change(new Unknown())));
        for (Runtime runtime : List.of(throwing, wrong)) {
            runtime.register("echo", _ -> AgentContext::reply);
            Messenger acme = runtime.outside(ACME);
            assertThat(failureOf(() -> acme.send(acme.agent("echo", "1"), new Ping())))
                    .isInstanceOf(Dropped.class);
        }
    }

    @Test
    void whatAnInterceptorDoesToItsCopyIsSeenByNobody() {
        Runtime runtime =
                start(
                        with(
                                        m -> {
                                            ((Numbers) m.content()).values().clear();
                                            return new Pass();
                                        })
                                .intercept(m ->
                                        ((Numbers) m.content()).values().isEmpty()
                                                ? new Drop("empty")
                                                : new Pass()));
        runtime.register("echo", _ -> AgentContext::reply);
        Messenger acme = runtime.outside(ACME);
        Numbers numbers = new Numbers(List.of(1, 2));
        assertThat(acme.call(acme.agent("echo", "1"), numbers, Numbers.class)).isEqualTo(numbers);
    }

    @Test
    void listenersAreToldOfEachMessageWhatBecameOfItAndNotWhatItSaid() {
        Instant now = Instant.parse("2030-01-01T00:00:00Z");
        ConcurrentLinkedQueue<MessageEvent> events = new ConcurrentLinkedQueue<>();
        record Unknown() {}
        Runtime runtime =
                start(
                        RuntimeSettings.of(TYPES)
                                .clock(Clock.fixed(now, ZoneOffset.UTC))
                                .listen(_ -> {
                                    throw new IllegalStateException("a broken listener");
                                })
                                .listen(events::add));
        runtime.register(
                "echo",
                _ ->
                        (context, message) -> {
                            if (message instanceof Text(String text)) {
                                throw new IllegalStateException(text);
                            }
                            context.reply(message);
                        });
        runtime.subscribe("echo", "news");
        Messenger acme = runtime.outside(ACME);
        AgentId echo = acme.agent("echo", "1");
        acme.call(echo, new Count(1), Count.class);
        failureOf(() -> acme.call(echo, new Text("secret"), Text.class));
        failureOf(() -> acme.send(acme.agent("nobody", "1"), new Ping()));
        failureOf(() -> acme.send(echo, new Unknown()));
        acme.publish(NEWS, new Ping());
        runtime.close();
        failureOf(() -> acme.publish(NEWS, new Ping()));

        assertThat(events)
                .extracting(InterceptionTest::summary)
                .containsExactlyInAnyOrder(
                        "CALL Optional[echo/1] count 11 HANDLED",
                        "REPLY Optional[outside/caller] count 11 HANDLED",
                        "CALL Optional[echo/1] text 17 FAILED HandlerFailed",
                        "SEND Optional[nobody/1] ping 2 REFUSED NoSuchType",
                        "SEND Optional[echo/1] Unknown 0 REFUSED NotAMessage",
                        "PUBLISH Optional[echo/all] ping 2 HANDLED",
                        "PUBLISH Optional.empty ping 2 REFUSED Closed");
        assertThat(events).allMatch(e -> e.sent().equals(now) && e.ended().equals(now));
        assertThat(events.toString()).doesNotContain("secret");
        Optional<String> call =
                events.stream()
                        .filter(e -> e.kind() == MessageKind.REPLY)
                        .map(MessageEvent::id)
                        .findAny();
        assertThat(events.stream().filter(e -> e.id().equals(call.orElseThrow()))).hasSize(2);
    }

    private static String summary(MessageEvent e) {
        return String.join(
                        " ",
                        "" + e.kind(),
                        "" + e.to(),
                        e.type(),
                        "" + e.bytes(),
                        "" + e.outcome(),
                        e.failure().orElse(""))
                .strip();
    }
}
