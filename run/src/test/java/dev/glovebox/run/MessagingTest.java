package dev.glovebox.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.glovebox.run.MessageFailure.Cancelled;
import dev.glovebox.run.MessageFailure.HandlerFailed;
import dev.glovebox.run.MessageFailure.MailboxFull;
import dev.glovebox.run.MessageFailure.NoReply;
import dev.glovebox.run.MessageFailure.NoSuchType;
import dev.glovebox.run.MessageFailure.TimedOut;
import dev.glovebox.run.MessageFailure.WouldDeadlock;
import dev.glovebox.run.MessageFailure.WrongReply;
import dev.glovebox.run.support.Speechless;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** Direct messages, replies, and what can go wrong with them. */
public class MessagingTest extends RuntimeKit {

    @Test
    void aCallGetsItsReply() {
        Runtime runtime = start();
        runtime.register("echo", _ -> AgentContext::reply);
        Messenger acme = runtime.outside(ACME);
        assertThat(acme.call(acme.agent("echo", "1"), new Text("hello"), Text.class).text())
                .isEqualTo("hello");
        assertThat(acme.call(acme.agent("echo", "1"), new Ping(), Ping.class))
                .isEqualTo(new Ping());
    }

    @Test
    void anAgentIsToldWhoItIsAndWhoSent() {
        Runtime runtime = start();
        runtime.register(
                "who", _ -> (context, _) -> context.reply(new Text("" + context.sender())));
        runtime.register(
                "asker",
                id ->
                        (context, message) -> {
                            assertThat(context.self()).isEqualTo(id);
                            context.reply(
                                    context.call(context.agent("who", "x"), message, Text.class));
                        });
        Messenger acme = runtime.outside(ACME);
        assertThat(acme.call(acme.agent("who", "x"), new Ping(), Text.class).text())
                .isEqualTo("outside/caller");
        assertThat(acme.call(acme.agent("asker", "anna"), new Ping(), Text.class).text())
                .isEqualTo("asker/anna");
    }

    @Test
    void eachKeyIsAnAgentOfItsOwn() {
        Runtime runtime = start();
        runtime.register("counter", _ -> counter());
        Messenger acme = runtime.outside(ACME);
        AgentId one = acme.agent("counter", "one");
        AgentId two = acme.agent("counter", "two");
        acme.send(one, new Ping());
        acme.send(one, new Ping());
        assertThat(acme.call(one, new Ping(), Count.class).value()).isEqualTo(3);
        assertThat(acme.call(two, new Ping(), Count.class).value()).isEqualTo(1);
    }

    @Test
    void whatTheSenderChangesAfterwardsIsNotSeen() throws Exception {
        Runtime runtime = start();
        CountDownLatch changed = new CountDownLatch(1);
        CompletableFuture<Numbers> received = new CompletableFuture<>();
        runtime.register(
                "slow",
                _ ->
                        (context, message) -> {
                            await(changed);
                            received.complete((Numbers) message);
                            context.reply(message);
                        });
        Messenger acme = runtime.outside(ACME);
        List<Integer> values = new ArrayList<>(List.of(1, 2, 3));
        acme.send(acme.agent("slow", "1"), new Numbers(values));
        values.clear();
        changed.countDown();
        assertThat(received.join().values()).containsExactly(1, 2, 3);

        Numbers sent = new Numbers(List.of(4));
        Numbers reply = acme.call(acme.agent("slow", "1"), sent, Numbers.class);
        assertThat(reply).isEqualTo(sent).isNotSameAs(sent);
    }

    @Test
    void aHandlerThatThrowsFailsItsCallAndIsReplaced() {
        Runtime runtime = start();
        List<AgentEnding> endings = new ArrayList<>();
        AtomicInteger created = new AtomicInteger();
        runtime.register(
                "fragile",
                _ -> {
                    created.incrementAndGet();
                    return fragile(endings);
                });
        Messenger acme = runtime.outside(ACME);
        AgentId fragile = acme.agent("fragile", "1");
        assertThat(acme.call(fragile, new Ping(), Count.class).value()).isEqualTo(1);
        assertThat(failureOf(() -> acme.call(fragile, new Text("no"), Count.class)))
                .isEqualTo(
                        new HandlerFailed(fragile, "java.lang.IllegalStateException: no, it says"));
        assertThat(acme.call(fragile, new Ping(), Count.class).value())
                .as("a new instance counts from the beginning")
                .isEqualTo(1);
        assertThat(endings).containsExactly(AgentEnding.FAILED);
        assertThat(created).hasValue(2);
    }

    @Test
    void anExceptionThatCannotSayWhatItIsIsSurvived() {
        Runtime runtime = start();
        runtime.register(
                "odd",
                _ ->
                        (context, message) -> {
                            if (message instanceof Text) {
                                throw new Speechless();
                            }
                            context.reply(message);
                        });
        Messenger acme = runtime.outside(ACME);
        AgentId odd = acme.agent("odd", "1");
        assertThat(failureOf(() -> acme.call(odd, new Text(""), Ping.class)))
                .isEqualTo(new HandlerFailed(odd, Speechless.class.getName()));
        assertThat(acme.call(odd, new Ping(), Ping.class)).isEqualTo(new Ping());
    }

    @Test
    void anErrorIsSurvivedAsAnExceptionIs() {
        Runtime runtime = start();
        runtime.register(
                "deep",
                _ ->
                        (context, message) -> {
                            if (message instanceof Text) {
                                throw new StackOverflowError();
                            }
                            context.reply(message);
                        });
        runtime.register(
                "unborn",
                _ -> {
                    throw new IllegalStateException("no model");
                });
        Messenger acme = runtime.outside(ACME);
        AgentId deep = acme.agent("deep", "1");
        assertThat(failureOf(() -> acme.call(deep, new Text(""), Ping.class)))
                .isInstanceOf(HandlerFailed.class);
        assertThat(acme.call(deep, new Ping(), Ping.class)).isEqualTo(new Ping());
        assertThat(failureOf(() -> acme.call(acme.agent("unborn", "1"), new Ping(), Ping.class)))
                .hasToString(
                        "HandlerFailed[agent=unborn/1, error=java.lang.IllegalStateException: no"
                                + " model]");
    }

    @Test
    void whoDoesNotReplyOrRepliesSomethingElseIsNamed() {
        Runtime runtime = start();
        runtime.register("silent", _ -> (_, _) -> {});
        runtime.register("wrong", _ -> (context, _) -> context.reply(new Count(1)));
        Messenger acme = runtime.outside(ACME);
        AgentId silent = acme.agent("silent", "1");
        AgentId wrong = acme.agent("wrong", "1");
        assertThat(failureOf(() -> acme.call(silent, new Ping(), Ping.class)))
                .isEqualTo(new NoReply(silent));
        assertThat(failureOf(() -> acme.call(wrong, new Ping(), Text.class)))
                .isEqualTo(new WrongReply(wrong, "Text", "count"));
        assertThat(failureOf(() -> acme.send(acme.agent("nobody", "1"), new Ping())))
                .isEqualTo(new NoSuchType("nobody"));
    }

    @Test
    void aReplyIsGivenOnce() {
        Runtime runtime = start();
        runtime.register(
                "twice",
                _ ->
                        (context, _) -> {
                            context.reply(new Count(1));
                            assertThatThrownBy(() -> context.reply(new Count(2)))
                                    .isInstanceOf(IllegalStateException.class);
                        });
        Messenger acme = runtime.outside(ACME);
        assertThat(acme.call(acme.agent("twice", "1"), new Ping(), Count.class).value())
                .isEqualTo(1);
    }

    @Test
    void aHandlerThatHangsIsInterruptedWhenItsCallerGivesUp() throws Exception {
        Runtime runtime = start();
        CountDownLatch interrupted = new CountDownLatch(1);
        runtime.register("hanging", _ -> hanging(interrupted));
        Messenger acme = runtime.outside(ACME);
        AgentId hanging = acme.agent("hanging", "1");
        // With a short time it may be over before the agent has begun; then it is not begun at all.
        MessageFailure failure;
        do {
            failure = failureOf(() -> acme.call(hanging, new Text("hang"), Ping.class, SHORT));
            assertThat(failure).isInstanceOf(TimedOut.class);
        } while (!((TimedOut) failure).begun());
        await(interrupted);
        assertThat(acme.call(hanging, new Ping(), Ping.class)).isEqualTo(new Ping());
    }

    @Test
    void aHandlerThatTakesLongerThanItMayIsInterrupted() throws Exception {
        Runtime runtime = start(AgentLimits.standard().handling(SHORT));
        CountDownLatch interrupted = new CountDownLatch(1);
        runtime.register("hanging", _ -> hanging(interrupted));
        Messenger acme = runtime.outside(ACME);
        AgentId hanging = acme.agent("hanging", "1");
        assertThat(failureOf(() -> acme.call(hanging, new Text("hang"), Ping.class, LONG)))
                .hasToString(
                        "HandlerFailed[agent=hanging/1, error=not done within PT0.05S:"
                                + " java.lang.InterruptedException]");
        await(interrupted);
    }

    @Test
    void aCallThatWasGivenUpBeforeItWasBegunIsNeverHandled() throws Exception {
        Runtime runtime = start();
        CountDownLatch release = new CountDownLatch(1);
        List<Record> handled = new ArrayList<>();
        runtime.register(
                "busy",
                _ ->
                        (context, message) -> {
                            await(release);
                            handled.add(message);
                            context.reply(message);
                        });
        Messenger acme = runtime.outside(ACME);
        AgentId busy = acme.agent("busy", "1");
        acme.send(busy, new Count(1));
        assertThat(failureOf(() -> acme.call(busy, new Count(2), Count.class, SHORT)))
                .isEqualTo(new TimedOut(busy, SHORT, false));
        release.countDown();
        acme.call(busy, new Count(3), Count.class);
        assertThat(handled).containsExactly(new Count(1), new Count(3));
    }

    @Test
    void whoIsInterruptedWhileHeWaitsTakesHisCallBack() throws Exception {
        Runtime runtime = start();
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch interrupted = new CountDownLatch(1);
        runtime.register(
                "hanging",
                _ ->
                        (_, _) -> {
                            begun.countDown();
                            sleep(interrupted);
                        });
        Messenger acme = runtime.outside(ACME);
        AtomicReference<MessageFailure> failure = new AtomicReference<>();
        Thread caller =
                Thread.ofVirtual()
                        .start(() ->
                                failure.set(
                                        failureOf(() ->
                                                acme.call(
                                                        acme.agent("hanging", "1"),
                                                        new Ping(),
                                                        Ping.class))));
        await(begun);
        caller.interrupt();
        caller.join();
        assertThat(failure.get()).isEqualTo(new Cancelled());
        await(interrupted);
    }

    @Test
    void anInterruptIsForOneMessageOnly() throws Exception {
        Runtime runtime = start();
        CountDownLatch bothThere = new CountDownLatch(1);
        runtime.register(
                "agent",
                _ ->
                        (context, message) -> {
                            if (message instanceof Text) {
                                await(bothThere);
                                Thread.currentThread().interrupt();
                            } else {
                                context.reply(new Text("" + Thread.interrupted()));
                            }
                        });
        Messenger acme = runtime.outside(ACME);
        AgentId agent = acme.agent("agent", "1");
        acme.send(agent, new Text("interrupt"));
        CompletableFuture<Text> second = new CompletableFuture<>();
        Thread caller =
                Thread.ofVirtual()
                        .start(() -> second.complete(acme.call(agent, new Ping(), Text.class)));
        until(() -> caller.getState() == Thread.State.TIMED_WAITING);
        bothThere.countDown();
        assertThat(second.get().text()).isEqualTo("false");
    }

    @Test
    void aDeadlineIsInherited() {
        Runtime runtime = start();
        CountDownLatch never = new CountDownLatch(1);
        runtime.register("hanging", _ -> (_, _) -> never.await());
        ConcurrentLinkedQueue<Duration> remaining = new ConcurrentLinkedQueue<>();
        runtime.register(
                "patient",
                _ ->
                        (context, message) -> {
                            remaining.add(context.remaining());
                            context.call(context.agent("hanging", "1"), message, Ping.class, LONG);
                        });
        Messenger acme = runtime.outside(ACME);
        assertThat(
                        failureOf(() ->
                                acme.call(
                                        acme.agent("patient", "1"), new Ping(), Ping.class, SHORT)))
                .as("whichever of the two notices first")
                .isInstanceOfAny(TimedOut.class, HandlerFailed.class);
        assertThat(remaining).allMatch(left -> left.compareTo(SHORT) <= 0);
    }

    @Test
    void agentsThatWouldWaitForEachOtherAreToldSoAtOnce() {
        Runtime runtime = start();
        // Passes the call on to the agent with the next number, the third one to the first.
        runtime.register(
                "ring",
                id ->
                        (context, message) -> {
                            String next = id.key().equals("3") ? "1" : next(id.key());
                            context.reply(
                                    context.call(
                                            context.agent("ring", next),
                                            message,
                                            Text.class,
                                            LONG));
                        });
        runtime.register(
                "self",
                _ -> (context, message) -> context.call(context.self(), message, Text.class));
        Messenger acme = runtime.outside(ACME);
        assertThat(
                        failureOf(() ->
                                acme.call(acme.agent("ring", "1"), new Ping(), Text.class, LONG)))
                .extracting(MessageFailure::sentence)
                .asString()
                .contains("ring/3 -> ring/1 -> ring/2 -> ring/3 would wait for each other");
        assertThat(
                        failureOf(() ->
                                acme.call(acme.agent("self", "1"), new Ping(), Text.class, LONG)))
                .extracting(MessageFailure::sentence)
                .asString()
                .contains("self/1 -> self/1 would wait");
    }

    @Test
    void twoThatCallEachOtherFromTwoConversationsDoNotWaitForEver() throws Exception {
        Runtime runtime = start(AgentLimits.standard().waiting(LONG));
        CountDownLatch bothBusy = new CountDownLatch(2);
        ConcurrentLinkedQueue<MessageFailure> failures = new ConcurrentLinkedQueue<>();
        runtime.register(
                "peer",
                id ->
                        (context, message) -> {
                            if (message instanceof Count) {
                                context.reply(message);
                                return;
                            }
                            bothBusy.countDown();
                            await(bothBusy);
                            AgentId other = context.agent("peer", id.key().equals("1") ? "2" : "1");
                            try {
                                context.call(other, new Count(1), Count.class);
                            } catch (MessageException e) {
                                failures.add(e.failure());
                            }
                        });
        Messenger acme = runtime.outside(ACME);
        acme.send(acme.agent("peer", "1"), new Ping());
        acme.send(acme.agent("peer", "2"), new Ping());
        acme.call(acme.agent("peer", "1"), new Count(0), Count.class);
        acme.call(acme.agent("peer", "2"), new Count(0), Count.class);
        assertThat(failures).hasSize(1).allMatch(WouldDeadlock.class::isInstance);
    }

    @Test
    void whoHasRepliedMayBeCalledBack() {
        Runtime runtime = start();
        runtime.register(
                "first",
                _ ->
                        (context, message) -> {
                            if (message instanceof Ping) {
                                context.call(context.agent("second", "1"), message, Ping.class);
                            }
                            context.reply(message);
                        });
        AtomicReference<Count> answer = new AtomicReference<>();
        runtime.register(
                "second",
                _ ->
                        (context, message) -> {
                            context.reply(message);
                            answer.set(context.call(context.sender(), new Count(7), Count.class));
                        });
        Messenger acme = runtime.outside(ACME);
        acme.call(acme.agent("first", "1"), new Ping(), Ping.class);
        runtime.close();
        assertThat(answer.get()).isEqualTo(new Count(7));
    }

    @Test
    void nobodyWaitsForRoomInHisOwnMailbox() {
        Runtime runtime = start(AgentLimits.standard().mailbox(1).waiting(LONG));
        runtime.register(
                "self",
                _ ->
                        (context, message) -> {
                            if (message instanceof Text) {
                                context.send(context.self(), new Ping());
                                context.send(context.self(), new Ping());
                            }
                        });
        Messenger acme = runtime.outside(ACME);
        AgentId self = acme.agent("self", "1");
        assertThat(failureOf(() -> acme.call(self, new Text("go"), Ping.class)))
                .extracting(MessageFailure::sentence)
                .asString()
                .contains(new MailboxFull(self).sentence());
    }

    @Test
    void aContextIsGoodForOneMessageOnly() {
        Runtime runtime = start();
        CompletableFuture<AgentContext> kept = new CompletableFuture<>();
        runtime.register(
                "leaky",
                _ ->
                        (context, message) -> {
                            context.reply(message);
                            kept.complete(context);
                        });
        Messenger acme = runtime.outside(ACME);
        AgentId leaky = acme.agent("leaky", "1");
        acme.call(leaky, new Ping(), Ping.class);
        runtime.close();
        AgentContext context = kept.join();
        assertThatThrownBy(() -> context.send(leaky, new Ping()))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("one message only");
        assertThatThrownBy(() -> context.reply(new Ping()))
                .isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> context.publish(new Topic("t", "s"), new Ping()))
                .isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> context.subscribe(new Topic("t", "s")))
                .isInstanceOf(IllegalStateException.class);
    }

    private static String next(String key) {
        return Integer.toString(Integer.parseInt(key) + 1);
    }

    private static MessageHandler counter() {
        AtomicInteger count = new AtomicInteger();
        return (context, _) -> context.reply(new Count(count.incrementAndGet()));
    }

    private static MessageHandler fragile(List<AgentEnding> endings) {
        MessageHandler counter = counter();
        return new MessageHandler() {
            @Override
            public void handle(AgentContext context, Record message) throws Exception {
                if (message instanceof Text text) {
                    throw new IllegalStateException(text.text() + ", it says");
                }
                counter.handle(context, message);
            }

            @Override
            public void ended(AgentEnding why) {
                endings.add(why);
            }
        };
    }

    private static MessageHandler hanging(CountDownLatch interrupted) {
        return (context, message) -> {
            if (message instanceof Text) {
                sleep(interrupted);
            }
            context.reply(message);
        };
    }

    private static void sleep(CountDownLatch interrupted) throws InterruptedException {
        try {
            new CountDownLatch(1).await();
        } catch (InterruptedException e) {
            interrupted.countDown();
            throw e;
        }
    }
}
