package dev.glovebox.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.glovebox.run.MessageFailure.MailboxFull;
import dev.glovebox.run.MessageFailure.TooBig;
import dev.glovebox.run.MessageFailure.TooMany;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** A mailbox takes so much and no more; who has more to say waits. */
public class MailboxTest extends RuntimeKit {

    private final Semaphore turns = new Semaphore(0);
    private final CountDownLatch begun = new CountDownLatch(1);
    private final ConcurrentLinkedQueue<Record> handled = new ConcurrentLinkedQueue<>();

    /** An agent that handles a message only when the test says so. */
    private Messenger slow(AgentLimits limits) throws InterruptedException {
        Runtime runtime = start(limits.closing(SHORT));
        runtime.register(
                "slow",
                _ ->
                        (_, message) -> {
                            begun.countDown();
                            turns.acquire();
                            handled.add(message);
                        });
        Messenger acme = runtime.outside(ACME);
        acme.send(acme.agent("slow", "1"), new Ping());
        await(begun);
        return acme;
    }

    @Test
    void whoFindsItFullWaitsUntilThereIsRoom() throws Exception {
        Messenger acme = slow(AgentLimits.standard().mailbox(3).waiting(LONG));
        AgentId slow = acme.agent("slow", "1");
        AtomicInteger accepted = new AtomicInteger();
        List<Thread> senders = new ArrayList<>();
        for (int n = 0; n < 50; n++) {
            senders.add(
                    Thread.ofVirtual()
                            .start(() -> {
                                acme.send(slow, new Text("x".repeat(1_000)));
                                accepted.incrementAndGet();
                            }));
        }
        until(() ->
                accepted.get() == 3 && senders.stream().filter(MailboxTest::waits).count() == 47);
        // Room for one is room for one.
        for (int n = 1; n <= 47; n++) {
            turns.release();
            int taken = 3 + n;
            int left = 47 - n;
            until(() ->
                    accepted.get() == taken
                            && senders.stream().filter(MailboxTest::waits).count() == left);
        }
        turns.release(4);
        until(() -> handled.size() == 51);
    }

    private static boolean waits(Thread thread) {
        return thread.getState() == Thread.State.TIMED_WAITING;
    }

    @Test
    void whoWaitsTooLongIsToldThatItWasFullAndHisMessageIsNotThere() throws Exception {
        Messenger acme = slow(AgentLimits.standard().mailbox(2));
        AgentId slow = acme.agent("slow", "1");
        acme.send(slow, new Count(1), Duration.ZERO);
        acme.send(slow, new Count(2), Duration.ZERO);
        assertThat(failureOf(() -> acme.send(slow, new Count(3), SHORT)))
                .isEqualTo(new MailboxFull(slow));
        assertThat(failureOf(() -> acme.call(slow, new Count(4), Count.class, SHORT)))
                .isEqualTo(new MailboxFull(slow));
        turns.release(10);
        until(() -> handled.size() == 3);
        acme.send(slow, new Count(5));
        until(() -> handled.size() == 4);
        assertThat(handled).containsExactly(new Ping(), new Count(1), new Count(2), new Count(5));
    }

    @Test
    void itIsFullByBytesAsWell() throws Exception {
        Messenger acme = slow(AgentLimits.standard().messageBytes(1_000).mailboxBytes(2_500));
        AgentId slow = acme.agent("slow", "1");
        Text large = new Text("x".repeat(900));
        acme.send(slow, large, Duration.ZERO);
        acme.send(slow, large, Duration.ZERO);
        assertThat(failureOf(() -> acme.send(slow, large, SHORT))).isEqualTo(new MailboxFull(slow));
        acme.send(slow, new Ping(), Duration.ZERO);
        turns.release(2);
        acme.send(slow, large, LONG);
        assertThat(failureOf(() -> acme.send(slow, new Text("x".repeat(1_000)))))
                .isEqualTo(new TooBig("text", 1_000));
    }

    @Test
    void messagesOfOneSenderAreHandledInTheirOrderEvenIfItWaits() throws Exception {
        Messenger acme = slow(AgentLimits.standard().mailbox(1).waiting(LONG));
        Thread sender =
                Thread.ofVirtual()
                        .start(() -> {
                            for (int n = 0; n < 1_000; n++) {
                                acme.send(acme.agent("slow", "1"), new Count(n));
                            }
                        });
        turns.release(1_001);
        sender.join();
        until(() -> handled.size() == 1_001);
        int expected = 0;
        handled.remove();
        for (Record message : handled) {
            assertThat(message).isEqualTo(new Count(expected++));
        }
    }

    @Test
    void aTenantHasOnlySoManyAgentsAndTheOthersHaveTheirs() throws Exception {
        Runtime runtime = start(AgentLimits.standard().agents(2));
        runtime.register(
                "short",
                _ ->
                        (context, message) -> {
                            context.reply(message);
                            if (message instanceof Text) {
                                context.passivate();
                            }
                        });
        Messenger acme = runtime.outside(ACME);
        Messenger globex = runtime.outside(GLOBEX);
        acme.call(acme.agent("short", "1"), new Ping(), Ping.class);
        acme.call(acme.agent("short", "2"), new Ping(), Ping.class);
        assertThat(failureOf(() -> acme.send(acme.agent("short", "3"), new Ping())))
                .isEqualTo(new TooMany("agents", 2));
        globex.call(globex.agent("short", "3"), new Ping(), Ping.class);
        acme.call(acme.agent("short", "1"), new Text("go"), Text.class);
        until(() -> {
            try {
                acme.send(acme.agent("short", "3"), new Ping());
                return true;
            } catch (MessageException e) {
                return false;
            }
        });
    }
}
