package dev.glovebox.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.junit.jupiter.api.Test;

/** Many agents, many senders, and little time in between. */
// Yielding makes the races more likely; nothing relies on it.
@SuppressWarnings("ThreadPriorityCheck")
public class RuntimeStressTest extends RuntimeKit {

    /** The n-th message of a sender. */
    protected record Step(int sender, int n) {}

    private static final RuntimeSettings STEPS = RuntimeSettings.of(TYPES.with("step", Step.class));

    @Test
    void tenThousandAgentsLiveAtOnce() throws Exception {
        int agents = 10_000;
        Runtime runtime = start(AgentLimits.standard().waiting(LONG));
        AtomicInteger created = new AtomicInteger();
        runtime.register(
                "worker",
                id -> {
                    created.incrementAndGet();
                    int key = Integer.parseInt(id.key());
                    return (context, _) -> context.reply(new Count(key));
                });
        runtime.subscribe("worker", "all");
        Messenger acme = runtime.outside(ACME);
        AtomicInteger wrong = new AtomicInteger();
        for (int round = 0; round < 2; round++) {
            List<Thread> callers = new ArrayList<>();
            for (int n = 0; n < agents; n++) {
                int key = n;
                callers.add(
                        Thread.ofVirtual()
                                .start(() -> {
                                    AgentId worker = acme.agent("worker", "" + key);
                                    if (acme.call(worker, new Ping(), Count.class).value() != key) {
                                        wrong.incrementAndGet();
                                    }
                                }));
            }
            for (Thread caller : callers) {
                caller.join();
            }
        }
        assertThat(wrong).hasValue(0);
        assertThat(created).as("none was made twice").hasValue(agents);
    }

    @Test
    void manyFirstMessagesAtOnceMakeOneAgent() throws Exception {
        int agents = 300;
        int senders = 8;
        Runtime runtime = start();
        AtomicInteger created = new AtomicInteger();
        AtomicInteger handled = new AtomicInteger();
        runtime.register(
                "worker",
                _ -> {
                    created.incrementAndGet();
                    return (_, _) -> handled.incrementAndGet();
                });
        Messenger acme = runtime.outside(ACME);
        CyclicBarrier together = new CyclicBarrier(senders);
        try (ExecutorService threads = Executors.newFixedThreadPool(senders)) {
            List<Callable<Void>> sending = new ArrayList<>();
            for (int sender = 0; sender < senders; sender++) {
                sending.add(() -> {
                    for (int n = 0; n < agents; n++) {
                        together.await();
                        acme.send(acme.agent("worker", "" + n), new Ping());
                    }
                    return null;
                });
            }
            for (Future<Void> sent : threads.invokeAll(sending)) {
                sent.get();
            }
        }
        runtime.close();
        assertThat(handled).hasValue(agents * senders);
        assertThat(created).hasValue(agents);
    }

    @Test
    void eachAgentHandlesOneMessageAtATimeInTheOrderOfEachSender() throws Exception {
        int senders = 40;
        int messages = 500;
        Runtime runtime = start(STEPS.limits(AgentLimits.standard().mailbox(3).waiting(LONG)));
        ConcurrentLinkedQueue<String> wrong = new ConcurrentLinkedQueue<>();
        AtomicInteger handled = new AtomicInteger();
        runtime.register("receiver", _ -> new InOrder(wrong, handled));
        // Half of them are agents, which are told to send.
        runtime.register(
                "sender",
                _ ->
                        (context, message) -> {
                            int sender = ((Count) message).value();
                            sendAll(context, sender, messages);
                        });
        List<Thread> threads = new ArrayList<>();
        Messenger acme = runtime.outside(ACME);
        for (int n = 0; n < senders; n++) {
            int sender = n;
            if (n % 2 == 0) {
                acme.send(acme.agent("sender", "" + n), new Count(n));
            } else {
                threads.add(Thread.ofVirtual().start(() -> sendAll(acme, sender, messages)));
            }
        }
        for (Thread thread : threads) {
            thread.join();
        }
        until(() -> handled.get() == senders * messages);
        assertThat(wrong).isEmpty();
    }

    private static void sendAll(Messenger messenger, int sender, int messages) {
        for (int n = 0; n < messages; n++) {
            messenger.send(messenger.agent("receiver", "" + sender % 4), new Step(sender, n));
        }
    }

    /** Not thread-safe at all: the runtime must see to it. */
    private static final class InOrder implements MessageHandler {
        private final Map<Integer, Integer> next = new HashMap<>();
        private final ConcurrentLinkedQueue<String> wrong;
        private final AtomicInteger handled;
        private boolean busy;

        private InOrder(ConcurrentLinkedQueue<String> wrong, AtomicInteger handled) {
            this.wrong = wrong;
            this.handled = handled;
        }

        @Override
        public void handle(AgentContext context, Record message) {
            if (busy) {
                wrong.add("two at a time");
            }
            busy = true;
            Step step = (Step) message;
            int expected = next.merge(step.sender(), 1, Integer::sum) - 1;
            if (step.n() != expected) {
                wrong.add(step + " instead of " + expected);
            }
            Thread.yield();
            busy = false;
            handled.incrementAndGet();
        }
    }

    @Test
    void passivationLosesNoMessageAndNeverHasTwoInstances() throws Exception {
        int agents = 20;
        int messages = 2_000;
        // So short that agents end all the time, between and during the arrival of messages.
        Runtime runtime =
                start(STEPS.limits(AgentLimits.standard().idle(Duration.ofNanos(1)).waiting(LONG)));
        AtomicIntegerArray live = new AtomicIntegerArray(agents);
        AtomicInteger instances = new AtomicInteger();
        ConcurrentLinkedQueue<String> wrong = new ConcurrentLinkedQueue<>();
        Map<String, Integer> kept = new ConcurrentHashMap<>();
        runtime.register(
                "counter",
                id -> {
                    instances.incrementAndGet();
                    return new Counting(id, live, wrong, kept);
                });
        Messenger acme = runtime.outside(ACME);
        List<Thread> threads = new ArrayList<>();
        for (int sender = 0; sender < 4; sender++) {
            int self = sender;
            threads.add(
                    Thread.ofVirtual()
                            .start(() -> {
                                for (int n = 0; n < messages; n++) {
                                    acme.send(
                                            acme.agent("counter", "" + n % agents),
                                            new Step(self, n));
                                    if (n % 10 == 0) {
                                        Thread.yield();
                                    }
                                }
                            }));
        }
        for (Thread thread : threads) {
            thread.join();
        }
        runtime.close();
        assertThat(wrong).isEmpty();
        assertThat(instances.get()).as("they did end in between").isGreaterThan(agents);
        assertThat(kept.values().stream().mapToInt(n -> n).sum()).isEqualTo(4 * messages);
    }

    /** Keeps its count when it ends, and finds it when it begins. */
    private static final class Counting implements MessageHandler {
        private final AgentId id;
        private final AtomicIntegerArray live;
        private final ConcurrentLinkedQueue<String> wrong;
        private final Map<String, Integer> kept;
        private int count;

        private Counting(
                AgentId id,
                AtomicIntegerArray live,
                ConcurrentLinkedQueue<String> wrong,
                Map<String, Integer> kept) {
            this.id = id;
            this.live = live;
            this.wrong = wrong;
            this.kept = kept;
        }

        @Override
        public void activated(AgentContext context) {
            if (live.incrementAndGet(Integer.parseInt(id.key())) != 1) {
                wrong.add("two of " + id);
            }
            count = kept.getOrDefault(id.key(), 0);
        }

        @Override
        public void handle(AgentContext context, Record message) {
            count++;
        }

        @Override
        public void ended(AgentEnding why) {
            Thread.yield();
            kept.put(id.key(), count);
            live.decrementAndGet(Integer.parseInt(id.key()));
        }
    }
}
