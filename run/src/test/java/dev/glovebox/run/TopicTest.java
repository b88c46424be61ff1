package dev.glovebox.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.glovebox.run.MessageFailure.MailboxFull;
import dev.glovebox.run.MessageFailure.NoSuchType;
import dev.glovebox.run.MessageFailure.TooMany;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What is published, and who gets it. */
public class TopicTest extends RuntimeKit {

    private static final Topic BUILD = new Topic("builds", "project-7");

    private final ConcurrentLinkedQueue<String> got = new ConcurrentLinkedQueue<>();

    private AgentFactory noting() {
        return id -> (context, message) -> got.add(id + " " + context.topic() + " " + message);
    }

    @Test
    void aTypeOfAgentsGetsItWithTheSourceAsKey() {
        Runtime runtime = start();
        runtime.register("tester", noting());
        runtime.subscribe("tester", "builds");
        Messenger acme = runtime.outside(ACME);
        Published published = acme.publish(BUILD, new Count(1));
        assertThat(published.reached()).containsExactly(acme.agent("tester", "project-7"));
        assertThat(published.missed()).isEmpty();
        runtime.close();
        assertThat(got)
                .containsExactly("tester/project-7 " + Optional.of(BUILD) + " Count[value=1]");
    }

    @Test
    void oneAgentGetsWhatItSubscribedToUntilItUnsubscribes() {
        Runtime runtime = start();
        runtime.register(
                "reader",
                _ ->
                        (context, message) -> {
                            switch (message) {
                                case Text(String text) when text.equals("on") ->
                                        context.subscribe(BUILD);
                                case Text _ -> context.unsubscribe(BUILD);
                                default -> got.add("" + message);
                            }
                            context.reply(message);
                            // The subscription is the agent's, not the instance's.
                            context.passivate();
                        });
        Messenger acme = runtime.outside(ACME);
        AgentId anna = acme.agent("reader", "anna");
        assertThat(acme.publish(BUILD, new Count(1)).reached()).isEmpty();
        acme.call(anna, new Text("on"), Text.class);
        acme.call(anna, new Text("on"), Text.class);
        assertThat(acme.publish(BUILD, new Count(2)).reached()).containsExactly(anna);
        assertThat(acme.publish(new Topic("builds", "other"), new Count(3)).reached()).isEmpty();
        acme.call(anna, new Text("off"), Text.class);
        assertThat(acme.publish(BUILD, new Count(4)).reached()).isEmpty();
        runtime.close();
        assertThat(got).containsExactly("Count[value=2]");
    }

    @Test
    void whoIsSubscribedInTwoWaysGetsItOnceAndThePublisherNever() {
        Runtime runtime = start();
        runtime.register(
                "tester",
                id ->
                        (context, message) -> {
                            if (message instanceof Ping) {
                                Published published = context.publish(BUILD, new Count(1));
                                context.reply(new Count(published.reached().size()));
                            } else {
                                got.add("" + id);
                            }
                        });
        runtime.subscribe("tester", "builds");
        Messenger acme = runtime.outside(ACME);
        AgentId self = acme.agent("tester", "project-7");
        AgentId other = acme.agent("tester", "other");
        runtime.subscribe(self, BUILD);
        runtime.subscribe(other, BUILD);
        assertThat(acme.call(self, new Ping(), Count.class).value()).isEqualTo(1);
        assertThat(acme.publish(BUILD, new Count(2)).reached())
                .containsExactlyInAnyOrder(self, other);
        runtime.unsubscribe(other, BUILD);
        assertThat(acme.publish(BUILD, new Count(3)).reached()).containsExactly(self);
        runtime.close();
        assertThat(got)
                .containsExactlyInAnyOrder(
                        "tester/other", "tester/project-7", "tester/other", "tester/project-7");
    }

    @Test
    void aSlowSubscriberHoldsNobodyElse() throws Exception {
        Runtime runtime = start(AgentLimits.standard().mailbox(2));
        CountDownLatch release = new CountDownLatch(1);
        CountDownLatch begun = new CountDownLatch(1);
        runtime.register(
                "slow",
                _ ->
                        (_, _) -> {
                            begun.countDown();
                            await(release);
                        });
        runtime.register("quick", noting());
        runtime.subscribe("slow", "builds");
        runtime.subscribe("quick", "builds");
        Messenger acme = runtime.outside(ACME);
        AgentId slow = acme.agent("slow", "project-7");
        AgentId quick = acme.agent("quick", "project-7");
        acme.publish(BUILD, new Count(0));
        await(begun);
        for (int n = 1; n <= 20; n++) {
            Published published = acme.publish(BUILD, new Count(n));
            int handled = n + 1;
            until(() -> got.size() == handled);
            assertThat(published.reached()).contains(quick);
            assertThat(published.missed())
                    .isEqualTo(n <= 2 ? Map.of() : Map.of(slow, new MailboxFull(slow)));
        }
        // Even while the publisher waits for the slow one, the others have it already.
        Thread publisher =
                Thread.ofVirtual()
                        .start(() -> {
                            Published all = acme.publish(BUILD, new Count(21), LONG);
                            got.add("reached " + all.reached().size());
                        });
        until(() -> got.size() == 22);
        assertThat(publisher.isAlive()).isTrue();
        release.countDown();
        publisher.join();
        assertThat(got).contains("reached 2");
    }

    @Test
    void thoseWhoAreFullAreWaitedForTogether() throws Exception {
        Runtime runtime = start(AgentLimits.standard().mailbox(1).closing(SHORT));
        CountDownLatch never = new CountDownLatch(1);
        List<CountDownLatch> releases =
                IntStream.range(0, 5).mapToObj(_ -> new CountDownLatch(1)).toList();
        CountDownLatch begun = new CountDownLatch(6);
        runtime.register(
                "slow",
                id ->
                        (_, message) -> {
                            begun.countDown();
                            int n = Integer.parseInt(id.key());
                            (n < 5 ? releases.get(n) : never).await();
                            got.add("" + message);
                        });
        Messenger acme = runtime.outside(ACME);
        for (int n = 5; n >= 0; n--) {
            AgentId slow = acme.agent("slow", "" + n);
            runtime.subscribe(slow, BUILD);
            acme.send(slow, new Ping());
        }
        await(begun);
        assertThat(acme.publish(BUILD, new Count(1)).reached()).hasSize(6);
        ConcurrentLinkedQueue<Published> result = new ConcurrentLinkedQueue<>();
        Thread publisher =
                Thread.ofVirtual().start(() -> result.add(acme.publish(BUILD, new Count(2), LONG)));
        // The first in the list never has room; the publisher gives up when he is interrupted.
        releases.forEach(CountDownLatch::countDown);
        until(() -> got.stream().filter("Count[value=2]"::equals).count() == 5);
        publisher.interrupt();
        publisher.join();
        assertThat(result.element().reached()).hasSize(5);
        assertThat(result.element().missed()).containsOnlyKeys(acme.agent("slow", "5"));
    }

    @Test
    void subscriptionsAreBoundedAndOfKnownTypes() {
        Runtime runtime = start(AgentLimits.standard().agents(2));
        runtime.register("reader", noting());
        AgentId anna = new AgentId(ACME, "reader", "anna");
        runtime.subscribe(anna, BUILD);
        runtime.subscribe(anna, BUILD);
        runtime.subscribe(anna, new Topic("builds", "2"));
        assertThat(failureOf(() -> runtime.subscribe(anna, new Topic("builds", "3"))))
                .isEqualTo(new TooMany("subscriptions", 2));
        assertThat(failureOf(() -> runtime.subscribe("nobody", "builds")))
                .isEqualTo(new NoSuchType("nobody"));
        assertThat(failureOf(() -> runtime.subscribe(new AgentId(ACME, "no", "1"), BUILD)))
                .isEqualTo(new NoSuchType("no"));
    }
}
