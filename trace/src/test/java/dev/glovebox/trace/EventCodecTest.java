package dev.glovebox.trace;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.DoubleNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.LongNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.glovebox.trace.Event.NodeFinished;
import dev.glovebox.trace.Event.NodeStarted;
import java.time.Duration;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

class EventCodecTest {

    /** What is written without a detour is what the body says, and reads as the event. */
    @Property(tries = 500)
    void nodesAreWrittenAsTheirBodies(
            @ForAll("texts") String path,
            @ForAll("texts") String edge,
            @ForAll("references") BlobRef reference) {
        Event start = new NodeStarted(path, reference);
        Event end = new NodeFinished(path, reference, edge, Duration.ofMillis(7));
        for (Event event : new Event[] {start, end}) {
            ByteText direct = new ByteText();
            ByteText body = new ByteText();

            int derivedTo = EventCodec.write(event, direct);

            assertThat(derivedTo).isEqualTo(event.body().write(body));
            assertThat(direct.bytes()).isEqualTo(body.bytes());
            Entry entry = Entry.of("r", 3, 5, Entry.NOTHING, event);
            assertThat(Entry.read(entry.bytes()).event()).isEqualTo(event);
            assertThat(entry.hash()).isEqualTo(entry.computedHash());
        }
    }

    @Test
    void whatWasObservedBeforeAnEffectIsNoPartOfWhatIsDerived() {
        ObjectNode observed = JsonNodeFactory.instance.objectNode();
        observed.putObject("atMost").put("tokens", 40);
        Event.EffectIntent intent =
                new Event.EffectIntent(
                        new Event.EffectId("n", 1, "n:1", "tool"),
                        "name",
                        Blob.of(new byte[3]).reference(BlobRef.TEXT),
                        Event.NONE);
        Event.EffectIntent told = intent.observed(observed);
        ByteText direct = new ByteText();
        ByteText body = new ByteText();

        int derivedTo = EventCodec.write(told, direct);

        assertThat(derivedTo).isEqualTo(told.body().write(body));
        assertThat(direct.bytes()).isEqualTo(body.bytes());
        assertThat(told.body().derived()).isEqualTo(intent.body().derived());
        Entry entry = Entry.of("r", 3, 5, Entry.NOTHING, told);
        assertThat(Entry.read(entry.bytes()).event()).isEqualTo(told);
        assertThat(entry.hash()).isEqualTo(entry.computedHash());
    }

    @Provide
    Arbitrary<String> texts() {
        return Arbitraries.strings()
                .withChars("abc\"\\/\n\u0000\u007fäß€#:")
                .ofMaxLength(12)
                .map(text -> text + (text.length() % 3 == 0 ? "\uD83D\uDE00" : ""));
    }

    @Provide
    Arbitrary<BlobRef> references() {
        return Combinators.combine(
                        texts(),
                        Arbitraries.of(BlobRef.BYTES, BlobRef.JSON, "text/x-\"quoted\""),
                        Arbitraries.of(true, false))
                .as((text, media, salted) ->
                        new BlobRef(
                                Digests.hex(text.getBytes(UTF_8)), text.length(), media, salted));
    }

    @Test
    void aReferenceThatNoRecordCanHoldIsRefused() {
        BlobRef kept = Blob.of(new byte[3]).reference(BlobRef.TEXT);
        for (JsonNode bytes : List.of(DoubleNode.valueOf(3.5), LongNode.valueOf(1L << 60))) {
            ObjectNode details = JsonNodeFactory.instance.objectNode();
            details.putObject("r").put("blob", kept.digest()).set("bytes", bytes);
            Event event =
                    new Event.EffectIntent(
                            new Event.EffectId("n", 1, "n:1", "tool"), "name", kept, details);

            assertThatThrownBy(() -> Entry.of("r", 1, 5, Entry.NOTHING, event))
                    .isInstanceOf(Malformed.class);
        }
    }

    @Test
    void digestsAreWrittenAsText() {
        byte[] raw = Digests.raw("something".getBytes(UTF_8));
        byte[] text = new byte[Digests.LENGTH + 4];

        Digests.put(raw, text, 2);

        assertThat(new String(text, 2, Digests.LENGTH, UTF_8))
                .isEqualTo(Digests.hex("something".getBytes(UTF_8)));
    }
}
