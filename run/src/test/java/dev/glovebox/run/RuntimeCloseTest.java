package dev.glovebox.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.glovebox.run.MessageFailure.Closed;
import dev.glovebox.run.spi.MessageEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** After close nothing runs, and everybody who waited has been told. */
public class RuntimeCloseTest extends RuntimeKit {

    private final Set<Thread> threads = ConcurrentHashMap.newKeySet();

    private void noThreadIsLeft() throws InterruptedException {
        assertThat(threads).isNotEmpty();
        // The last step of a thread is after its last line of code.
        until(() -> threads.stream().noneMatch(Thread::isAlive));
        until(() ->
                Thread.getAllStackTraces().keySet().stream()
                        .noneMatch(thread -> thread.getName().startsWith("glovebox agent")));
    }

    @Test
    void whatAgentsHaveAndWhatTheyTellEachOtherIsFinished() throws Exception {
        Runtime runtime = start(AgentLimits.standard().closing(LONG));
        AtomicInteger handled = new AtomicInteger();
        CountDownLatch closing = new CountDownLatch(1);
        runtime.register(
                "chain",
                id ->
                        (context, message) -> {
                            threads.add(Thread.currentThread());
                            await(closing);
                            handled.incrementAndGet();
                            int left = ((Count) message).value();
                            if (left > 0) {
                                context.send(
                                        context.agent("chain", id.key() + left),
                                        new Count(left - 1));
                            }
                        });
        Messenger acme = runtime.outside(ACME);
        for (int n = 0; n < 10; n++) {
            acme.send(acme.agent("chain", "1"), new Count(9));
        }
        Thread closer = Thread.ofVirtual().start(runtime::close);
        until(() -> isClosed(acme));
        closing.countDown();
        closer.join();
        assertThat(handled).hasValue(100);
        noThreadIsLeft();
    }

    private static boolean isClosed(Messenger messenger) {
        try {
            messenger.publish(new Topic("nobody", "listens"), new Ping());
            return false;
        } catch (MessageException e) {
            return e.failure() instanceof Closed;
        }
    }

    @Test
    void whatDoesNotEndIsInterruptedAndWhoWaitsIsTold() throws Exception {
        ConcurrentLinkedQueue<MessageEvent> events = new ConcurrentLinkedQueue<>();
        Runtime runtime =
                start(
                        RuntimeSettings.of(TYPES)
                                .limits(
                                        AgentLimits.standard()
                                                .mailbox(2)
                                                .closing(SHORT)
                                                .waiting(LONG))
                                .listen(events::add));
        CountDownLatch begun = new CountDownLatch(1);
        ConcurrentLinkedQueue<AgentEnding> endings = new ConcurrentLinkedQueue<>();
        runtime.register(
                "hanging",
                _ ->
                        new MessageHandler() {
                            @Override
                            public void handle(AgentContext context, Record message)
                                    throws Exception {
                                threads.add(Thread.currentThread());
                                begun.countDown();
                                new CountDownLatch(1).await();
                            }

                            @Override
                            public void ended(AgentEnding why) {
                                endings.add(why);
                            }
                        });
        Messenger acme = runtime.outside(ACME);
        AgentId hanging = acme.agent("hanging", "1");
        acme.send(hanging, new Count(0));
        await(begun);
        acme.send(hanging, new Count(1));
        ConcurrentLinkedQueue<MessageFailure> failures = new ConcurrentLinkedQueue<>();
        List<Thread> callers = new ArrayList<>();
        for (int n = 0; n < 20; n++) {
            callers.add(
                    Thread.ofVirtual()
                            .start(() ->
                                    failures.add(
                                            failureOf(() ->
                                                    acme.call(
                                                            hanging, new Count(2), Count.class)))));
        }
        // One of them has a place in the mailbox, the others wait for one.
        until(() -> callers.stream().allMatch(t -> t.getState() == Thread.State.TIMED_WAITING));
        runtime.close();
        for (Thread caller : callers) {
            caller.join();
        }
        assertThat(failures).hasSize(20).containsOnly(new Closed());
        assertThat(endings).containsExactly(AgentEnding.FAILED);
        assertThat(events)
                .extracting(MessageEvent::outcome)
                .containsExactlyInAnyOrderElementsOf(
                        outcomes(
                                MessageEvent.Outcome.FAILED,
                                MessageEvent.Outcome.LOST,
                                MessageEvent.Outcome.LOST,
                                19));
        noThreadIsLeft();
    }

    private static List<MessageEvent.Outcome> outcomes(
            MessageEvent.Outcome first,
            MessageEvent.Outcome second,
            MessageEvent.Outcome third,
            int refused) {
        List<MessageEvent.Outcome> all = new ArrayList<>(List.of(first, second, third));
        for (int n = 0; n < refused; n++) {
            all.add(MessageEvent.Outcome.REFUSED);
        }
        return all;
    }

    @Test
    void nothingCanBeSentAfterwards() {
        Runtime runtime = start();
        runtime.register("echo", _ -> AgentContext::reply);
        Messenger acme = runtime.outside(ACME);
        runtime.close();
        runtime.close();
        AgentId echo = acme.agent("echo", "1");
        assertThat(failureOf(() -> acme.send(echo, new Ping()))).isEqualTo(new Closed());
        assertThat(failureOf(() -> acme.call(echo, new Ping(), Ping.class)))
                .isEqualTo(new Closed());
        assertThat(
                        failureOf(() ->
                                runtime.outside(GLOBEX).publish(new Topic("t", "s"), new Ping())))
                .isEqualTo(new Closed());
    }

    @Test
    void closeDuringTrafficLosesNothingThatWasAcceptedAndLeavesNoThread() throws Exception {
        for (int round = 0; round < 20; round++) {
            Runtime runtime = start(AgentLimits.standard().mailbox(5).closing(LONG));
            AtomicLong handled = new AtomicLong();
            AtomicLong accepted = new AtomicLong();
            runtime.register(
                    "worker",
                    _ ->
                            (context, message) -> {
                                threads.add(Thread.currentThread());
                                handled.incrementAndGet();
                                if (message instanceof Ping) {
                                    context.send(context.agent("sink", "1"), new Count(1));
                                    accepted.incrementAndGet();
                                }
                            });
            runtime.register("sink", _ -> (_, _) -> handled.incrementAndGet());
            List<Thread> senders = new ArrayList<>();
            for (int n = 0; n < 20; n++) {
                Messenger tenant = runtime.outside(n % 2 == 0 ? ACME : GLOBEX);
                AgentId worker = tenant.agent("worker", "" + n % 7);
                senders.add(
                        Thread.ofVirtual()
                                .start(() -> {
                                    MessageFailure end =
                                            failureOf(() -> {
                                                while (true) {
                                                    tenant.send(worker, new Ping());
                                                    accepted.incrementAndGet();
                                                }
                                            });
                                    assertThat(end).isEqualTo(new Closed());
                                }));
            }
            until(() -> handled.get() > 100);
            runtime.close();
            for (Thread sender : senders) {
                sender.join();
            }
            assertThat(handled.get()).isEqualTo(accepted.get());
        }
        noThreadIsLeft();
    }
}
