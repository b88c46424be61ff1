package dev.glovebox.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What of a conversation a model is sent. */
class WorkingMemoryTest {

    private static final WorkingMemory MEMORY = WorkingMemory.of(1_000);
    private static final Message TASK = new Message.User("Count the words of the book.");

    private static Message.Assistant calls(String id) {
        return new Message.Assistant("", List.of(new ToolCall(id, "read", "{\"page\":1}")));
    }

    private static Message.ToolResult result(String id, String text) {
        return new Message.ToolResult(id, "read", text, false);
    }

    /** A task and pages of about 100 tokens, each read by a tool. */
    private static List<Message> pages(int count) {
        List<Message> messages = new ArrayList<>(List.of(TASK));
        for (int page = 0; page < count; page++) {
            messages.add(calls("c" + page));
            messages.add(result("c" + page, "page " + page + " " + "word ".repeat(55)));
        }
        return messages;
    }

    private static long tokens(List<Message> messages) {
        return messages.stream().mapToLong(Tokens::of).sum();
    }

    @Test
    void aConversationThatFitsIsSentAsItIs() {
        assertThat(MEMORY.window(pages(5))).isEqualTo(pages(5));
        assertThat(MEMORY.overflow(pages(5))).isEmpty();
        assertThat(MEMORY.shortened(pages(5), "short")).isEqualTo(pages(5));
        assertThat(MEMORY.window(List.of())).isEmpty();
    }

    @Test
    void theTaskAndTheLatestAreSentWithAWordOnTheGap() {
        List<Message> all = pages(50);
        List<Message> window = MEMORY.window(all);

        assertThat(tokens(window)).isBetween(700L, 1_000L);
        assertThat(window.getFirst()).isEqualTo(TASK);
        assertThat(window.get(1).text()).contains("left out");
        assertThat(window.subList(2, window.size()))
                .isEqualTo(all.subList(all.size() - window.size() + 2, all.size()));
        assertThat(window.get(2)).isInstanceOf(Message.Assistant.class);
    }

    @Test
    void aLongResultIsCutInTheWindowAndNotInTheRecord() {
        Message long_ = result("c", "first " + "x".repeat(100_000) + " last");
        List<Message> all = List.of(TASK, calls("c"), long_);

        Message sent = MEMORY.window(all).getLast();
        assertThat(Tokens.of(sent)).isBetween(200L, 250L);
        assertThat(sent.text())
                .startsWith("first ")
                .endsWith(" last")
                .containsPattern("\\[… \\d+ bytes left out …]");
        assertThat(all.getLast()).isSameAs(long_);
    }

    @Test
    void hundredsOfResultsOfOneMessageShareTheWindow() {
        List<ToolCall> wanted = new ArrayList<>();
        List<Message> results = new ArrayList<>();
        for (int i = 0; i < 30; i++) {
            wanted.add(new ToolCall("c" + i, "read", "{}"));
            results.add(result("c" + i, "x".repeat(3_000)));
        }
        List<Message> all = new ArrayList<>(List.of(TASK));
        all.add(new Message.Assistant("", wanted));
        all.addAll(results);

        List<Message> window = MEMORY.window(all);
        assertThat(window).hasSameSizeAs(all);
        assertThat(tokens(window)).isLessThanOrEqualTo(1_000);
    }

    @Test
    void theOlderPartIsNamedForASummaryThatTakesItsPlace() {
        List<Message> all = pages(20);
        WorkingMemory.Overflow overflow = MEMORY.overflow(all).orElseThrow();

        assertThat(overflow.old()).isEqualTo(all.subList(1, 1 + overflow.old().size()));
        assertThat(overflow.prompt().messages().getFirst().text())
                .contains("[assistant calls read]\n> {\"page\":1}")
                .contains("[read returned]\n> page 0 word");
        assertThat(Tokens.of(overflow.prompt())).isLessThan(1_000);

        List<Message> shortened = MEMORY.shortened(all, " Ten pages were read. ");
        assertThat(shortened.getFirst()).isEqualTo(TASK);
        assertThat(shortened.get(1).text())
                .isEqualTo("[Summary of the earlier conversation]\nTen pages were read.");
        assertThat(shortened.subList(2, shortened.size()))
                .isEqualTo(all.subList(1 + overflow.old().size(), all.size()));
        assertThat(MEMORY.overflow(shortened)).isEmpty();
        assertThat(tokens(shortened)).isLessThan(700);
    }

    @Test
    void aSummaryIsSummarisedWithWhatCameAfterIt() {
        List<Message> all = new ArrayList<>(MEMORY.shortened(pages(20), "Ten pages were read."));
        all.addAll(pages(20).subList(1, 41));

        assertThat(MEMORY.overflow(all).orElseThrow().prompt().messages().getFirst().text())
                .contains("Ten pages were read.");
        assertThat(MEMORY.shortened(all, "Twenty pages."))
                .noneMatch(message -> message.text().contains("Ten pages"));
    }

    @Test
    void withoutASummaryTheOlderPartIsLeftOut() {
        List<Message> dropped = MEMORY.shortened(pages(20));
        assertThat(dropped.getFirst()).isEqualTo(TASK);
        assertThat(dropped.get(1).text()).contains("left out");
        assertThat(MEMORY.overflow(dropped)).isEmpty();
        assertThat(MEMORY.shortened(pages(20), "  ")).isEqualTo(dropped);
    }

    @Test
    void aSummaryAsLongAsABookIsCut() {
        assertThat(tokens(MEMORY.shortened(pages(20), "word ".repeat(100_000)))).isLessThan(1_000);
    }

    @Test
    void aTaskAndALastWordThatDoNotFitTogetherAreCut() {
        List<Message> all =
                List.of(
                        new Message.User("begin " + "x".repeat(9_000) + " end"),
                        new Message.User("Go on " + "y".repeat(9_000)));
        List<Message> window = MEMORY.window(all);

        assertThat(tokens(window)).isBetween(900L, 1_000L);
        assertThat(window).hasSize(2);
        assertThat(window.getFirst().text()).startsWith("begin x").endsWith("x end");
        assertThat(MEMORY.overflow(all)).isEmpty();
    }

    @Test
    void aTaskThatFillsTheWindowIsCutAndLeavesRoomForTheSummary() {
        for (int words : List.of(1_000, 2_900, 9_000)) {
            List<Message> all = new ArrayList<>(pages(20));
            all.set(0, new Message.User("begin " + "x".repeat(words) + " end"));
            List<Message> shortened = MEMORY.shortened(all, "Ten pages were read.");
            List<Message> window = MEMORY.window(shortened);

            assertThat(tokens(window)).isLessThanOrEqualTo(1_000);
            assertThat(window.getFirst().text()).startsWith("begin x").endsWith("x end");
            assertThat(window.get(1).text()).endsWith("Ten pages were read.");
            assertThat(window.getLast()).isEqualTo(all.getLast());
            assertThat(MEMORY.overflow(shortened)).isEmpty();
            assertThat(shortened.getFirst()).isEqualTo(all.getFirst());
        }
    }

    @Test
    void theSummaryIsSentBesideResultsThatFillTheWindow() {
        List<Message> all = new ArrayList<>(MEMORY.shortened(pages(20), "Ten pages were read."));
        List<ToolCall> wanted = new ArrayList<>();
        List<Message> results = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            wanted.add(new ToolCall("d" + i, "read", "{}"));
            results.add(result("d" + i, "x".repeat(3_000)));
        }
        all.add(new Message.Assistant("", wanted));
        all.addAll(results);

        List<Message> window = MEMORY.window(all);
        assertThat(tokens(window)).isLessThanOrEqualTo(1_000);
        assertThat(window.get(1).text()).endsWith("Ten pages were read.");
        assertThat(window.get(2).text()).contains("left out");
        assertThat(window).hasSize(3 + 5);
    }

    @Test
    void textsOfOtherScriptsCountForMore() {
        assertThat(Tokens.of("手袋箱")).isEqualTo(3);
        assertThat(Tokens.of("abcdef")).isEqualTo(2);
        assertThat(Tokens.of("🧤")).isEqualTo(2);
        assertThat(Tokens.of("")).isZero();
    }

    @Test
    void aWindowMustBeLargeEnoughForSomething() {
        assertThatThrownBy(() -> WorkingMemory.of(255))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("256");
    }

    /** With each step as long as the conversation these would take hours. */
    @Test
    @Timeout(value = 5, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void aVeryLongConversationTakesTimeByItsLength() {
        WorkingMemory large = WorkingMemory.of(10_000_000);
        assertThat(large.window(pages(200_000))).hasSizeGreaterThan(100_000);
        assertThat(large.shortened(pages(200_000), "short")).hasSizeGreaterThan(50_000);
        List<Message> strays = new ArrayList<>(Collections.nCopies(1_000_000, result("c", "text")));
        assertThat(WorkingMemory.of(4_000_000).window(strays)).hasSizeGreaterThan(100_000);
        assertThat(MEMORY.overflow(strays)).isPresent();
    }
}
