package dev.glovebox.run;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.glovebox.run.support.World;
import dev.glovebox.trace.BlobRef;
import dev.glovebox.trace.Entry;
import dev.glovebox.trace.Event;
import dev.glovebox.trace.Event.EffectIntent;
import dev.glovebox.trace.Event.EffectOutcome;
import dev.glovebox.trace.MemoryStore;
import dev.glovebox.trace.Trace;
import dev.glovebox.trace.Verdict;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Effects whose large members are kept as content of their own. */
class PartsTest {

    /** What an effect is given. */
    record Letter(String to, byte[] text, Map<String, byte[]> files, List<String> words) {}

    /** What comes back. */
    record Reply(byte[] text, Optional<byte[]> more, Map<String, byte[]> files, BigDecimal price) {}

    /** What the graph keeps. */
    record Seen(String all) {}

    private static final Map<String, String> APART =
            Map.of(
                    "text", BlobRef.TEXT,
                    "more", BlobRef.TEXT,
                    "files", BlobRef.BYTES,
                    "words", BlobRef.JSON);

    private final World world = new World();
    private Trace trace;
    private Runs runs;

    @BeforeEach
    void open(@TempDir Path keys) {
        trace = Trace.open(new MemoryStore(), keys);
        runs = Runs.in(trace);
    }

    @AfterEach
    void close() {
        runs.close();
        trace.close();
    }

    private Graph<Seen> writing(String text, boolean secret) {
        Letter letter =
                new Letter(
                        "me",
                        bytes(text),
                        Map.of("blob", bytes("any name will do"), "empty", new byte[0]),
                        List.of("dear", "me"));
        return Graph.of("writing", Seen.class)
                .node(
                        "write",
                        (seen, context) -> {
                            var effect =
                                    world.tool("post", letter, Reply.class, (l, call) -> reply(l))
                                            .apart(APART);
                            return seen(context.perform(secret ? effect.inPrivate() : effect));
                        })
                .edge("write", Graph.END)
                .build();
    }

    private static Reply reply(Letter letter) {
        return new Reply(letter.text(), Optional.empty(), letter.files(), new BigDecimal("1.10"));
    }

    private static Seen seen(Reply reply) {
        return new Seen(
                new String(reply.text(), UTF_8)
                        + " "
                        + new String(reply.files().get("blob"), UTF_8)
                        + " "
                        + reply.files().getOrDefault("empty", new byte[9]).length
                        + " "
                        + reply.price());
    }

    private static byte[] bytes(String text) {
        return text.getBytes(UTF_8);
    }

    private String ran(boolean secret) {
        Run<Seen> run = runs.start(writing("hello", secret), new Seen(""), "a letter");
        assertThat(run.await())
                .isInstanceOfSatisfying(
                        Status.Finished.class,
                        end ->
                                assertThat(end.state())
                                        .isEqualTo(new Seen("hello any name will do 0 1.10")));
        return run.name();
    }

    private JsonNode details(String run, boolean before) {
        try (Stream<Entry> entries = trace.entries(run, 0)) {
            return entries.map(Entry::event)
                    .mapMulti((Event event, Consumer<JsonNode> found) -> {
                        if (before && event instanceof EffectIntent intent) {
                            found.accept(intent.details());
                        } else if (!before && event instanceof EffectOutcome outcome) {
                            found.accept(outcome.details());
                        }
                    })
                    .findFirst()
                    .orElseThrow();
        }
    }

    private String content(JsonNode reference) {
        return new String(
                trace.blob(BlobRef.of(reference).digest()).orElseThrow().content(), UTF_8);
    }

    @Test
    void eachPartIsContentOfItsOwnAndTheWholeIsReplayed() {
        String run = ran(false);
        JsonNode before = details(run, true);
        assertThat(content(before.get("text"))).isEqualTo("hello");
        assertThat(before.at("/text/media").textValue()).isEqualTo(BlobRef.TEXT);
        assertThat(before.at("/files/0/name").textValue()).isEqualTo("blob");
        assertThat(content(before.at("/files/0/content"))).isEqualTo("any name will do");
        assertThat(content(before.get("words"))).isEqualTo("[\"dear\",\"me\"]");
        assertThat(content(details(run, false).get("text"))).isEqualTo("hello");
        assertThat(details(run, false).has("more")).isFalse();
        assertThat(trace.verify(run)).isInstanceOf(Verdict.Intact.class);
        assertThat(runs.replay(writing("hello", false), run).isFaithful()).isTrue();
        assertThat(world.performed()).hasSize(1);
    }

    @Test
    void aPrivatePartTellsNothingByItsDigestAndIsStillCompared() {
        String run = ran(true);
        assertThat(details(run, true).at("/text/salted").booleanValue()).isTrue();
        assertThat(details(run, false).at("/text/salted").booleanValue()).isTrue();
        assertThat(runs.replay(writing("hello", true), run).isFaithful()).isTrue();
        assertThat(runs.replay(writing("hallo", true), run).divergence())
                .contains(new Divergence("write#1", "the text", "hello", "hallo"));
    }

    @Test
    void whatWasDeletedIsMissed() {
        String run = ran(true);
        trace.redact(details(run, false).at("/text/blob").textValue(), "asked to");
        assertThatThrownBy(() -> runs.replay(writing("hello", true), run))
                .isInstanceOf(NotReplayable.class)
                .hasMessageContaining("was deleted");
    }

    @Test
    void aForkNamesThePartsOfItsOrigin() {
        String run = ran(true);
        Run<Seen> fork = runs.fork(writing("hello", true), run, Long.MAX_VALUE);
        fork.await();
        assertThat(details(fork.name(), true)).isEqualTo(details(run, true));
        assertThat(details(fork.name(), false)).isEqualTo(details(run, false));
        assertThat(runs.replay(writing("hello", true), fork.name()).isFaithful()).isTrue();
        assertThat(world.performed()).hasSize(1);
        Run<Seen> other = runs.fork(writing("bye", true), run, 2);
        other.await();
        assertThat(content(details(other.name(), true).get("text"))).isEqualTo("bye");
        assertThat(world.performed()).hasSize(2);
    }

    @Test
    void aRecordedEffectIsReadWithoutItsGraph() {
        RecordedRun recorded = RecordedRun.of(trace, ran(true));
        assertThat(recorded.kind()).isEqualTo("writing");
        assertThat(recorded.effects("tool"))
                .singleElement()
                .satisfies(effect -> {
                    Letter letter = effect.arguments(Letter.class, APART);
                    assertThat(letter.text()).isEqualTo(bytes("hello"));
                    assertThat(letter.words()).containsExactly("dear", "me");
                    assertThat(effect.result(Reply.class, APART))
                            .hasValueSatisfying(reply ->
                                    assertThat(reply.files()).containsOnlyKeys("blob", "empty"));
                });
    }
}
