package dev.glovebox.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.Tuple;
import net.jqwik.api.constraints.IntRange;

/** Whatever was said, what is sent of it keeps the rules. */
class WorkingMemoryProperties {

    private static final Pattern NUMBER = Pattern.compile("#(\\d+)#");

    /** A message, or a call with its results, to be numbered. */
    record Piece(List<Message> messages) {}

    @Provide
    Arbitrary<List<Message>> conversations() {
        Arbitrary<String> texts =
                Arbitraries.oneOf(
                        Arbitraries.strings().ofMaxLength(60),
                        Arbitraries.strings().all().ofMaxLength(20),
                        Arbitraries.integers()
                                .between(0, 4_000)
                                .map(length -> "ab\uD83E\uDDE4 ".repeat(length / 5)));
        Arbitrary<Piece> said = texts.map(text -> new Piece(List.of(new Message.User(text))));
        Arbitrary<Piece> answered =
                texts.map(text -> new Piece(List.of(Message.Assistant.of(text))));
        Arbitrary<Piece> stray =
                texts.map(text ->
                        new Piece(List.of(new Message.ToolResult("?", "none", text, true))));
        Arbitrary<Piece> called =
                Combinators.combine(texts, texts.list().ofMaxSize(5), texts).as(this::called);
        return Arbitraries.frequencyOf(
                        Tuple.of(2, said),
                        Tuple.of(2, answered),
                        Tuple.of(1, stray),
                        Tuple.of(4, called))
                .list()
                .ofMaxSize(25)
                .map(WorkingMemoryProperties::numbered);
    }

    private Piece called(String text, List<String> results, String arguments) {
        List<ToolCall> calls = new ArrayList<>();
        List<Message> messages = new ArrayList<>();
        for (int i = 0; i < results.size(); i++) {
            calls.add(new ToolCall("c" + i, "tool", i == 0 ? arguments : "{}"));
            messages.add(new Message.ToolResult("c" + i, "tool", results.get(i), i % 2 == 0));
        }
        messages.addFirst(new Message.Assistant(text, calls));
        return new Piece(messages);
    }

    /** Begins each text with its place, so that each is known again when it was cut. */
    private static List<Message> numbered(List<Piece> pieces) {
        List<Message> messages = new ArrayList<>();
        for (Piece piece : pieces) {
            for (Message message : piece.messages()) {
                String text = "#" + messages.size() + "# " + message.text();
                messages.add(
                        switch (message) {
                            case Message.User user -> new Message.User(text);
                            case Message.Assistant all -> new Message.Assistant(text, all.calls());
                            case Message.ToolResult result ->
                                    new Message.ToolResult(
                                            result.call(), result.tool(), text, result.isError());
                        });
            }
        }
        return messages;
    }

    /** Where the message was; empty if it was not there, or nothing is left of its text. */
    private static Optional<Integer> place(Message message) {
        Matcher number = NUMBER.matcher(message.text());
        return number.lookingAt()
                ? Optional.of(Integer.parseInt(number.group(1)))
                : Optional.empty();
    }

    private static long tokens(List<Message> messages) {
        return messages.stream().mapToLong(Tokens::of).sum();
    }

    @Property(tries = 300, shrinking = ShrinkingMode.OFF)
    void nothingIsTooLongExceptTheCallsOfTheLastMessage(
            @ForAll("conversations") List<Message> all,
            @ForAll @IntRange(min = 256, max = 4_000) int most) {
        List<Message> window = WorkingMemory.of(most).window(all);
        long calls =
                window.stream()
                        .filter(message -> !(message instanceof Message.User))
                        .mapToLong(message -> Tokens.of(message) - Tokens.of(message.text()))
                        .sum();
        if (calls < most / 4) {
            assertThat(tokens(window)).isLessThanOrEqualTo(most);
        }
    }

    @Property(tries = 300, shrinking = ShrinkingMode.OFF)
    void orderIsKeptAndSoAreTheTaskAndTheLast(
            @ForAll("conversations") List<Message> all,
            @ForAll @IntRange(min = 256, max = 4_000) int most) {
        WorkingMemory memory = WorkingMemory.of(most);
        for (List<Message> some : List.of(memory.window(all), memory.shortened(all, "short"))) {
            List<Integer> places = some.stream().flatMap(m -> place(m).stream()).toList();
            assertThat(places).isSorted().doesNotHaveDuplicates();
            all.stream()
                    .filter(Message.User.class::isInstance)
                    .findFirst()
                    .flatMap(WorkingMemoryProperties::place)
                    .ifPresent(task -> assertThat(places).contains(task));
            if (!all.isEmpty()) {
                assertThat(some.getLast().getClass()).isEqualTo(all.getLast().getClass());
            }
        }
    }

    @Property(tries = 300, shrinking = ShrinkingMode.OFF)
    void callsAndTheirResultsAreNeverSplit(
            @ForAll("conversations") List<Message> all,
            @ForAll @IntRange(min = 256, max = 4_000) int most) {
        WorkingMemory memory = WorkingMemory.of(most);
        for (List<Message> some :
                List.of(
                        memory.window(all),
                        memory.shortened(all, "short"),
                        memory.shortened(all),
                        memory.window(memory.shortened(all)))) {
            assertPaired(some);
        }
        memory.overflow(all).ifPresent(overflow -> assertPaired(overflow.old()));
    }

    private static void assertPaired(List<Message> messages) {
        for (int at = 0; at < messages.size(); at++) {
            if (messages.get(at) instanceof Message.Assistant assistant) {
                Set<String> wanted = new HashSet<>();
                assistant.calls().forEach(call -> wanted.add(call.id()));
                Set<String> got = new HashSet<>();
                for (int next = at + 1;
                        next < messages.size()
                                && messages.get(next) instanceof Message.ToolResult result;
                        next++) {
                    got.add(result.call());
                }
                assertThat(got).containsAll(wanted);
            }
            if (messages.get(at) instanceof Message.ToolResult result
                    && !result.tool().equals("none")) {
                assertThat(at).isPositive();
                assertThat(messages.get(at - 1)).isNotInstanceOf(Message.User.class);
            }
        }
    }

    @Property(tries = 300, shrinking = ShrinkingMode.OFF)
    void theTaskIsSentWhereverItIsAndSoIsTheSummary(
            @ForAll("conversations") List<Message> all,
            @ForAll @IntRange(max = 1_000) int which,
            @ForAll @IntRange(min = 256, max = 4_000) int most) {
        List<Message> said = all.stream().filter(Message.User.class::isInstance).toList();
        if (said.isEmpty()) {
            return;
        }
        Message task = said.get(which % said.size());
        WorkingMemory memory = WorkingMemory.of(most).about(task);
        List<Message> shortened = memory.shortened(all, "short");
        for (List<Message> some :
                List.of(memory.window(all), shortened, memory.window(shortened))) {
            assertPaired(some);
            List<Integer> places = some.stream().flatMap(m -> place(m).stream()).toList();
            assertThat(places).isSorted().contains(place(task).orElseThrow());
        }
        if (memory.overflow(all).isPresent()) {
            assertThat(memory.window(shortened))
                    .anyMatch(message -> message.text().endsWith("]\nshort"));
        }
        assertThat(memory.overflow(shortened)).isEmpty();
    }

    @Property(tries = 300, shrinking = ShrinkingMode.OFF)
    void onceIsEnough(
            @ForAll("conversations") List<Message> all,
            @ForAll @IntRange(min = 256, max = 4_000) int most) {
        WorkingMemory memory = WorkingMemory.of(most);
        List<Message> window = memory.window(all);
        assertThat(memory.window(window)).isEqualTo(window);

        List<Message> shortened = memory.shortened(all, "short");
        assertThat(memory.overflow(shortened)).isEmpty();
        assertThat(memory.shortened(shortened, "other")).isEqualTo(shortened);
    }
}
