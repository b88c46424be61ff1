package dev.glovebox.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.glovebox.agent.support.WordEmbedder;
import dev.glovebox.run.support.FakeClock;
import dev.glovebox.trace.NotKept;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** All that a store of memories must pass. */
@Timeout(value = 5, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
abstract class MemoryKit {

    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    private final FakeClock clock = new FakeClock(START);

    /** The database of this test. */
    abstract MemoryDatabase database();

    private Memories open() {
        return open(1_000);
    }

    private Memories open(int most) {
        return new Memories(database(), new WordEmbedder(), most, clock);
    }

    private static List<String> texts(List<Recalled<Fact>> found) {
        return found.stream().map(one -> one.what().text()).toList();
    }

    @Test
    void aFactIsFoundWithItsSourceAndTime() {
        try (Memories memories = open()) {
            Memory memory = memories.tenant("anna");
            String id = memory.remember(new Fact("The server room is on floor three", "bob"));
            memory.remember(new Fact("Lunch is at noon", "carol"));

            List<Recalled<Fact>> found = memory.recall("Where is the server room?", 1);
            assertThat(found).hasSize(1);
            assertThat(found.getFirst().id()).isEqualTo(id);
            assertThat(found.getFirst().what())
                    .isEqualTo(new Fact("The server room is on floor three", "bob"));
            assertThat(found.getFirst().at()).isEqualTo(START);
            assertThat(found.getFirst().times()).isEqualTo(1);
            assertThat(found.getFirst().score()).isPositive();
        }
    }

    @Test
    void whatWasRememberedIsThereAfterwards() {
        try (Memories memories = open()) {
            memories.tenant("anna").remember(new Fact("The key is under the mat", "bob"));
        }
        try (Memories memories = open()) {
            assertThat(texts(memories.tenant("anna").recall("key", 5)))
                    .containsExactly("The key is under the mat");
        }
    }

    @Test
    void aTenantNeverFindsOrForgetsWhatIsAnothers() {
        try (Memories memories = open()) {
            Memory anna = memories.tenant("anna");
            Memory bob = memories.tenant("bob");
            String secret = anna.remember(new Fact("The code of the safe is 1234", "anna"));
            bob.remember(new Fact("The safe is in the cellar", "bob"));
            anna.learn(new Episode("Open the safe", "stuck", "oil", "completed", "run-1"));

            assertThat(texts(bob.recall("The code of the safe is 1234", 100)))
                    .containsExactly("The safe is in the cellar");
            assertThat(bob.similar("Open the safe", "stuck", 100)).isEmpty();
            assertThat(bob.forget(secret)).isFalse();
            assertThat(bob.forgetSource("anna")).isZero();
            assertThat(bob.forgetBefore(START.plusSeconds(9))).isEqualTo(1);
            assertThat(bob.forgetBeyond(0)).isZero();
            assertThat(texts(anna.recall("safe", 5))).hasSize(1);
            // A name that looks like it once it is part of something longer.
            assertThat(memories.tenant("anna' OR '1'='1").recall("safe", 5)).isEmpty();
            assertThat(memories.tenant("ann").recall("safe", 5)).isEmpty();
        }
    }

    @Test
    void aTenantWhoseNameCannotBeKeptIsRefused() {
        try (Memories memories = open()) {
            memories.tenant("anna?").remember(new Fact("The code of the safe is 1234", "anna"));
            for (String name : List.of("anna\ud800", "anna\udc00", "\udc00\ud800")) {
                assertThatThrownBy(() -> memories.tenant(name))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessage("The name of a tenant is made of whole characters");
            }
            assertThat(memories.tenant("anna\ud83d\ude00").recall("safe", 5)).isEmpty();
        }
    }

    @Test
    void theSameAgainIsOneMemoryWithALaterTime() {
        try (Memories memories = open()) {
            Memory memory = memories.tenant("anna");
            String first = memory.remember(new Fact("Tea is at four", "bob"));
            clock.advance(Duration.ofHours(1));
            String again = memory.remember(new Fact(" Tea is at four\n", "carol"));

            assertThat(again).isEqualTo(first);
            Recalled<Fact> only = memory.recall("tea", 10).getFirst();
            assertThat(memory.recall("tea", 10)).hasSize(1);
            assertThat(only.times()).isEqualTo(2);
            assertThat(only.at()).isEqualTo(START.plus(Duration.ofHours(1)));
            assertThat(only.what().source()).isEqualTo("carol");
        }
    }

    @Test
    void aRareWordIsFoundAmongManyThatMeanTheLike() {
        try (Memories memories = open()) {
            Memory memory = memories.tenant("anna");
            for (int i = 0; i < 200; i++) {
                memory.remember(new Fact("The build number " + i + " failed with an error", "ci"));
            }
            memory.remember(new Fact("Ticket GBX4711 waits for review", "ci"));
            assertThat(texts(memory.recall("What of GBX4711?", 3)))
                    .contains("Ticket GBX4711 waits for review");
        }
    }

    @Test
    void aLongQuestionInALanguageWithoutBlanksIsAnswered() {
        String question =
                IntStream.range(0x4e00, 0x4e00 + 1_200)
                        .mapToObj(Character::toString)
                        .collect(Collectors.joining());
        try (Memories memories = open()) {
            Memory memory = memories.tenant("anna");
            memory.remember(new Fact("\u4e00\u4e01 is the answer", "bob"));
            assertThat(texts(memory.recall(question, 1))).hasSize(1);
            memory.learn(new Episode(question, "stuck", "oil", "completed", "run-1"));
            assertThat(memory.similar(question, "stuck", 1)).hasSize(1);
        }
    }

    @Test
    void episodesAreFoundByTaskAndError() {
        try (Memories memories = open()) {
            Memory memory = memories.tenant("anna");
            Episode csv =
                    new Episode(
                            "Parse the csv file",
                            "UnicodeDecodeError in line 7",
                            "open it with latin-1",
                            "completed",
                            "run-1");
            memory.learn(csv);
            memory.learn(new Episode("Draw a chart", "", "", "completed", "run-2"));
            memory.remember(new Fact("Parse the csv file", "bob"));

            List<Recalled<Episode>> found =
                    memory.similar("Parse another csv", "UnicodeDecodeError", 1);
            assertThat(found).extracting(Recalled::what).containsExactly(csv);
            assertThat(memory.similar("Parse", "", 10)).hasSize(2);
            assertThat(memory.forgetSource("run-1")).isEqualTo(1);
            assertThat(memory.similar("Parse another csv", "UnicodeDecodeError", 10)).hasSize(1);
        }
    }

    @Test
    void whatIsForgottenIsNotFound() {
        try (Memories memories = open()) {
            Memory memory = memories.tenant("anna");
            String one = memory.remember(new Fact("One apple", "bob"));
            memory.remember(new Fact("Two apples", "carol"));
            clock.advance(Duration.ofDays(1));
            memory.remember(new Fact("Three apples", "dora"));
            memory.remember(new Fact("Four apples", "dora"));

            assertThat(memory.forget(one)).isTrue();
            assertThat(memory.forget(one)).isFalse();
            assertThat(texts(memory.recall("apples one", 10))).doesNotContain("One apple");
            assertThat(memory.forgetBefore(START.plusSeconds(1))).isEqualTo(1);
            assertThat(texts(memory.recall("apples", 10)))
                    .containsExactlyInAnyOrder("Three apples", "Four apples");
            assertThat(memory.forgetSource("dora")).isEqualTo(2);
            assertThat(memory.recall("apples", 10)).isEmpty();
        }
    }

    @Test
    void whatWasNotUsedForTheLongestIsForgottenFirst() {
        try (Memories memories = open(10)) {
            Memory memory = memories.tenant("anna");
            for (int i = 0; i < 10; i++) {
                memory.remember(new Fact("thing" + i, "bob"));
                clock.advance(Duration.ofMinutes(1));
            }
            assertThat(texts(memory.recall("thing0", 1))).containsExactly("thing0");
            clock.advance(Duration.ofMinutes(1));
            memory.remember(new Fact("thing10", "bob"));

            assertThat(texts(memory.recall("thing", 100)))
                    .hasSize(9)
                    .contains("thing0", "thing10")
                    .doesNotContain("thing1", "thing2");
            assertThat(memory.forgetBeyond(3)).isEqualTo(6);
            assertThat(memory.recall("thing", 100)).hasSize(3);
        }
    }

    @Test
    void whatAnotherProcessRemembersAndForgetsIsSeenAtOnce() {
        try (Memories here = open();
                Memories there = open()) {
            Memory mine = here.tenant("anna");
            Memory other = there.tenant("anna");
            assertThat(mine.recall("apple", 5)).isEmpty();
            String id = other.remember(new Fact("An apple a day", "bob"));
            assertThat(texts(mine.recall("apple", 5))).containsExactly("An apple a day");
            assertThat(mine.remember(new Fact("An apple a day", "carol"))).isEqualTo(id);
            assertThat(other.forget(id)).isTrue();
            assertThat(mine.recall("apple", 5)).isEmpty();
            mine.remember(new Fact("An apple a day", "dora"));
            assertThat(texts(other.recall("apple", 5))).containsExactly("An apple a day");
        }
    }

    @Test
    void manyAtOnceLoseNothing() throws Exception {
        try (Memories here = open();
                Memories there = open();
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<String>> done =
                    IntStream.range(0, 60)
                            .mapToObj(i ->
                                    threads.submit(() -> {
                                        Memory memory = (i % 2 == 0 ? here : there).tenant("anna");
                                        memory.recall("item", 3);
                                        memory.remember(new Fact("The same for all", "x"));
                                        return memory.remember(new Fact("item " + i, "x"));
                                    }))
                            .toList();
            for (Future<String> one : done) {
                one.get();
            }
            assertThat(here.tenant("anna").recall("item", 100)).hasSize(61);
            assertThat(there.tenant("anna").recall("same", 1).getFirst().times()).isEqualTo(60);
        }
    }

    @Test
    void moreTenantsThanHaveAnIndexAtATime() {
        try (Memories memories = open()) {
            for (int round = 0; round < 2; round++) {
                for (int i = 0; i < 40; i++) {
                    Memory memory = memories.tenant("tenant" + i);
                    memory.remember(new Fact("My number is " + i, "x"));
                    assertThat(texts(memory.recall("number", 5)))
                            .containsExactly("My number is " + i);
                }
            }
        }
    }

    @Test
    void hostileTextsAreKeptAndFound() {
        try (Memories memories = open()) {
            Memory memory = memories.tenant("anna \0 '; DROP TABLE mementos; --");
            for (String text :
                    List.of(
                            "nul \0 within",
                            "half a pair \uD83E here",
                            "'; DELETE FROM mementos; --",
                            "+a:* AND (\"b ~9 [x TO",
                            "\u202Eright to left",
                            "🧤",
                            "x".repeat(Fact.MOST_CHARACTERS))) {
                String id = memory.remember(new Fact(text, "evil \0 source"));
                assertThat(memory.recall(text, 50)).extracting(Recalled::id).contains(id);
            }
            assertThat(memory.forgetSource("evil \0 source")).isEqualTo(7);
        }
    }

    @Test
    void anyQuestionHasAnAnswer() {
        try (Memories memories = open()) {
            Memory memory = memories.tenant("anna");
            memory.remember(new Fact("something", "x"));
            assertThat(memory.recall("", 5)).isEmpty();
            assertThat(memory.recall(" \n\t", 5)).isEmpty();
            assertThat(memory.recall("something", 0)).isEmpty();
            assertThat(memory.recall("something", -1)).isEmpty();
            assertThat(memory.recall("something", Integer.MAX_VALUE)).hasSize(1);
            assertThat(memory.recall("a b c d ".repeat(100_000), 5)).hasSize(1);
            assertThat(memory.recall("?!", 5)).hasSize(1);
            assertThat(memory.forget("no such id")).isFalse();
            assertThat(memory.forgetBefore(Instant.MIN.plusSeconds(1))).isZero();
            assertThat(memory.forgetBefore(Instant.MAX)).isPositive();
        }
    }

    @Test
    void aFactHasATextOfReasonableLength() {
        assertThatThrownBy(() -> new Fact(" ", "x")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new Fact("x".repeat(Fact.MOST_CHARACTERS + 1), "x"))
                .isInstanceOf(IllegalArgumentException.class);
        assertThat(new Episode("t", "e".repeat(1_000_000), "", "", "").error().length())
                .isLessThan(9_000);
    }

    /** As many as those of vendors have. */
    private record LargeEmbedder() implements Embedder {

        @Override
        public String name() {
            return "large";
        }

        @Override
        public int dimensions() {
            return 3_072;
        }

        @Override
        public List<float[]> embed(List<String> texts) {
            return new WordEmbedder()
                    .embed(texts).stream()
                            .map(vector -> Arrays.copyOf(vector, dimensions()))
                            .toList();
        }
    }

    @Test
    void anEmbedderMayHaveThousandsOfDimensions() {
        try (Memories memories = new Memories(database(), new LargeEmbedder(), 1_000, clock)) {
            Memory memory = memories.tenant("anna");
            memory.remember(new Fact("Tea is at four", "bob"));
            assertThat(texts(memory.recall("When is tea?", 5))).containsExactly("Tea is at four");
        }
    }

    @Test
    void vectorsOfAnotherEmbedderAreRefused() {
        open().close();
        assertThatThrownBy(() -> new Memories(database(), new WordEmbedder("others"), 10, clock))
                .isInstanceOf(NotKept.class)
                .hasMessageContaining("made with the embedder words");
    }

    @Test
    void aClosedMemorySaysSo() {
        Memories memories = open();
        Memory memory = memories.tenant("anna");
        memories.close();
        assertThatThrownBy(() -> memory.remember(new Fact("late", "x")))
                .isInstanceOf(NotKept.class)
                .hasMessageContaining("closed");
    }
}
