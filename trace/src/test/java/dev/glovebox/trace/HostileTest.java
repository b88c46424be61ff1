package dev.glovebox.trace;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Files that were made to hurt whoever checks them. */
class HostileTest {

    private static final String HEADER =
            "{\"format\":\"glovebox.trace\",\"records\":1,\"run\":\"r\",\"v\":1}\n";

    @TempDir private Path home;

    private static Verdict verdict(String file) {
        return verdict(Installation.utf8(file));
    }

    private static Verdict verdict(byte[] file) {
        Verdict verdict = ExportLines.verdict(file, List.of());
        assertThat(verdict.sentence()).hasSizeLessThan(500).doesNotContain("\n", "\u001b");
        return verdict;
    }

    static Stream<Arguments> files() {
        String huge = "9".repeat(100_000);
        String deep = "[".repeat(100_000);
        return Stream.of(
                Arguments.of("nothing", ""),
                Arguments.of("one byte", "{"),
                Arguments.of("only line feeds", "\n\n\n"),
                Arguments.of("not JSON", "hello\n"),
                Arguments.of("another format", HEADER.replace("glovebox", "other")),
                Arguments.of("no line feed", HEADER.strip()),
                Arguments.of("nothing behind the first line", HEADER),
                Arguments.of("version 0", HEADER.replace("\"v\":1", "\"v\":0")),
                Arguments.of("an unknown member", HEADER.replace("\"v\":1", "\"v\":1,\"w\":1")),
                Arguments.of("a name twice", HEADER.replace("\"v\":1", "\"v\":1,\"v\":1")),
                Arguments.of("no records", HEADER.replace(":1,", ":0,")),
                Arguments.of("fewer than none", HEADER.replace(":1,", ":-1,")),
                Arguments.of("too many", HEADER.replace(":1,", ":9007199254740991,")),
                Arguments.of("a huge number", HEADER.replace(":1,", ":" + huge + ",")),
                Arguments.of("a fraction", HEADER.replace(":1,", ":1.0,")),
                Arguments.of("a name with an escape", HEADER.replace("\"r\"", "\"\\u001b[2J\"")),
                Arguments.of("deep nesting", deep + "\n"),
                Arguments.of(
                        "a record that nests deep", HEADER + "{\"at\":1,\"body\":" + deep + "\n"),
                Arguments.of("a record that is cut", HEADER + "{\"at\":1,\"bo\n"),
                Arguments.of("a record that is null", HEADER + "null\n"),
                Arguments.of("spaces", HEADER + " {}\n"),
                Arguments.of("an end at once", HEADER + "{\"end\":\"" + "0".repeat(64) + "\"}\n"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("files")
    void isRefusedInOneSentence(String what, String file) {
        assertThat(verdict(file)).as(what).isInstanceOf(Verdict.Tampered.class);
    }

    @Test
    void bytesThatAreNotUtf8AreRefused() {
        byte[] file = Installation.utf8(HEADER);
        file[12] = (byte) 0xff;

        assertThat(verdict(file)).isInstanceOf(Verdict.Tampered.class);
    }

    @Test
    void aFileOfAVersionToComeIsNotJudged() {
        Verdict verdict = verdict(HEADER.replace("\"v\":1", "\"v\":2"));

        assertThat(verdict).isInstanceOf(Verdict.Incomplete.class);
        assertThat(verdict.sentence()).contains("version 2");
    }

    /** Gives bytes for ever, and counts them. */
    private static final class Endless extends InputStream {

        private final byte[] beginning;
        private final byte filler;
        private long given;

        Endless(String beginning, char filler) {
            this.beginning = Installation.utf8(beginning);
            this.filler = (byte) filler;
        }

        @Override
        public int read() {
            int at = (int) Math.min(given++, Integer.MAX_VALUE);
            return at < beginning.length ? beginning[at] : filler;
        }

        @Override
        public int read(byte[] bytes, int offset, int length) {
            for (int i = 0; i < length; i++) {
                bytes[offset + i] = (byte) read();
            }
            return length;
        }
    }

    static Stream<Arguments> endless() {
        return Stream.of(
                Arguments.of("", 'x'),
                Arguments.of("", '\n'),
                Arguments.of("{\"format\":\"", 'x'),
                Arguments.of(HEADER, ' '),
                Arguments.of(HEADER + "{\"at\":1,\"body\":{\"derived\":{\"a\":\"", 'x'),
                Arguments.of(HEADER + "{\"at\":1,\"body\":", '['),
                Arguments.of(HEADER + "{\"at\":", '1'));
    }

    @ParameterizedTest
    @MethodSource("endless")
    void anEndlessLineIsNotReadToItsEnd(String beginning, char filler) throws IOException {
        Endless in = new Endless(beginning, filler);

        assertThat(Verifier.trusting(List.of()).file(in)).isInstanceOf(Verdict.Tampered.class);
        assertThat(in.given).isLessThan(8L << 20);
    }

    // ---- Files that are right but for one thing, by somebody who can compute hashes.

    private static final String NONE = "{}";

    /** Records with these bodies, of a run that is not finished, and these blobs. */
    private static ExportLines file(List<String> bodies, List<Blob> blobs) {
        StringBuilder text = new StringBuilder();
        text.append(HEADER.replace(":1,", ":" + bodies.size() + ","));
        String prev = Entry.NOTHING;
        for (int i = 0; i < bodies.size(); i++) {
            ObjectNode record = JsonNodeFactory.instance.objectNode();
            record.put("at", 1).put("prev", prev).put("run", "r").put("seq", i).put("v", 1);
            record.put("type", i == 0 ? "run.started" : "note");
            record.set("body", CanonicalScanner.read(Installation.utf8(bodies.get(i))));
            prev = Digests.hex(CanonicalJson.bytes(record));
            record.put("hash", prev);
            text.append(string(record)).append('\n');
        }
        for (Blob blob : blobs) {
            byte[] line = new BlobPart(blob.digest(), blob.content(), 0, 1, blob.salt()).line();
            text.append(new String(line, StandardCharsets.UTF_8)).append('\n');
        }
        String digest = Digests.hex(Installation.utf8(text.toString()));
        text.append("{\"end\":\"").append(digest).append("\"}\n");
        return new ExportLines(Installation.utf8(text.toString()));
    }

    private static String string(JsonNode node) {
        return new String(CanonicalJson.bytes(node), StandardCharsets.UTF_8);
    }

    private static String body(String derived) {
        return "{\"derived\":" + derived + ",\"observed\":{}}";
    }

    private static String body(BlobRef reference) {
        return body("{\"input\":" + string(reference.json()) + "}");
    }

    private static BlobRef list(Blob blob) {
        return blob.reference(BlobRef.LIST);
    }

    private static Blob list(String content) {
        return Blob.of(Installation.utf8(content));
    }

    private static void isTampered(ExportLines file) {
        assertThat(verdict(file.bytes())).isInstanceOf(Verdict.Tampered.class);
    }

    private static void isIncomplete(ExportLines file) {
        assertThat(verdict(file.bytes())).isInstanceOf(Verdict.Incomplete.class);
    }

    @Test
    void whatIsRightIsOnlyNotFinished() {
        Blob content = list("content");
        Blob first = list("{\"add\":[1,2],\"length\":2}");
        Blob second =
                list(
                        "{\"add\":[%s],\"base\":%s,\"keep\":1,\"length\":2}"
                                .formatted(
                                        string(content.reference(BlobRef.TEXT).json()),
                                        string(list(first).json())));

        isIncomplete(file(List.of(body(NONE)), List.of()));
        isIncomplete(file(List.of(body(list(second))), List.of(second, first, content)));
        isIncomplete(
                file(
                        List.of(body(list(first)), body(list(second))),
                        List.of(first, second, content)));
        // The same bytes once as a list, once as a text that somebody wrote.
        isIncomplete(
                file(
                        List.of(body(first.reference(BlobRef.TEXT)), body(list(first))),
                        List.of(first, first)));
    }

    static Stream<String> lists() {
        String other =
                "{\"blob\":\"%s\",\"bytes\":2,\"media\":\"%s\"}"
                        .formatted("0".repeat(64), BlobRef.LIST);
        return Stream.of(
                "[]",
                "{}",
                "{\"add\":[]}",
                "{\"add\":{},\"length\":0}",
                "{\"add\":[],\"length\":1}",
                "{\"add\":[],\"length\":-1}",
                "{\"add\":[1],\"keep\":1,\"length\":2}",
                "{\"add\":[1],\"base\":{},\"keep\":1,\"length\":2}",
                "{\"add\":[1],\"base\":\"x\",\"keep\":1,\"length\":2}",
                "{\"add\":[1],\"base\":" + other + ",\"length\":2}",
                "{\"add\":[1],\"base\":" + other + ",\"keep\":-1,\"length\":0}",
                "{\"add\":[1],\"base\":" + other + ",\"keep\":9007199254740991,\"length\":2}",
                "{\"add\":[1],\"base\":"
                        + other.replace(",\"media\":\"" + BlobRef.LIST + "\"", "")
                        + ",\"keep\":1,\"length\":2}",
                "{\"add\":[1],\"length\":1,\"more\":0}",
                "{\"add\":[{\"blob\":\"x\"}],\"length\":1}",
                "{\"add\":[{\"a\":1,\"blob\":\"x\"}],\"length\":1}",
                "{\"add\":[1] ,\"length\":1}",
                "{\"add\":" + "[".repeat(40) + "]".repeat(40) + ",\"length\":1}");
    }

    @ParameterizedTest
    @MethodSource("lists")
    void aListThatIsNoneIsRefused(String content) {
        Blob blob = list(content);

        isTampered(file(List.of(body(list(blob))), List.of(blob)));
    }

    @Test
    void aListThatKeepsMoreThanThereIsIsRefusedWhicheverComesFirst() {
        Blob first = list("{\"add\":[1],\"length\":1}");
        Blob greedy =
                list(
                        "{\"add\":[],\"base\":%s,\"keep\":2,\"length\":2}"
                                .formatted(string(list(first).json())));

        isTampered(file(List.of(body(list(greedy))), List.of(greedy, first)));
        isTampered(file(List.of(body(list(first)), body(list(greedy))), List.of(first, greedy)));
    }

    /** A real cycle would need a digest of itself; whoever claims one is caught at the digest. */
    @Test
    void listsThatReferToThemselvesAreRefused() {
        String digest = "a".repeat(64);
        String self =
                "{\"blob\":\"%s\",\"bytes\":200,\"media\":\"%s\"}".formatted(digest, BlobRef.LIST);
        byte[] content =
                Installation.utf8(
                        "{\"add\":[],\"base\":%s,\"keep\":0,\"length\":0}".formatted(self));
        Blob cyclic = new Blob(digest, content, new byte[0]);
        BlobRef reference = new BlobRef(digest, content.length, BlobRef.LIST, false);

        isTampered(file(List.of(body(reference)), List.of(cyclic)));
        isTampered(file(List.of(body(reference)), List.of(cyclic, cyclic)));
    }

    static Stream<String> bodies() {
        String digest = "0".repeat(64);
        return Stream.of(
                "{}",
                "{\"derived\":{}}",
                "{\"derived\":{},\"observed\":[]}",
                "{\"derived\":[],\"observed\":{}}",
                "{\"derived\":{},\"observed\":{},\"other\":{}}",
                body("{\"a\":{\"blob\":1,\"bytes\":1}}"),
                body("{\"a\":{\"blob\":\"x\",\"bytes\":1}}"),
                body("{\"a\":{\"blob\":\"" + digest + "\"}}"),
                body("{\"a\":{\"blob\":\"" + digest + "\",\"bytes\":-1}}"),
                body("{\"a\":{\"blob\":\"" + digest + "\",\"bytes\":1,\"salted\":false}}"),
                body("{\"a\":{\"blob\":\"" + digest + "\",\"bytes\":1,\"zz\":1}}"),
                body("{\"a\":{\"aa\":1,\"blob\":\"" + digest + "\",\"bytes\":1}}"),
                body("{\"blob\":\"" + digest + "\",\"bytes\":9007199254740991}"),
                body("{\"blob\":{\"blob\":{\"blob\":1}}}"));
    }

    @ParameterizedTest
    @MethodSource("bodies")
    void aBodyThatIsNoneIsRefused(String body) {
        isTampered(file(List.of(body), List.of()));
    }

    @Test
    void textThatLooksLikeAReferenceIsText() {
        ObjectNode derived = JsonNodeFactory.instance.objectNode();
        derived.put("text", "{\"blob\":\"x\"},\"blob\":");
        derived.put("x\"blob", "{");
        derived.put("y{\"blob", 1);

        isIncomplete(file(List.of(body(string(derived))), List.of()));
    }

    @Test
    void oneBlobWithTwoLengthsIsRefused() {
        Blob blob = list("content");
        BlobRef right = blob.reference(BlobRef.TEXT);
        BlobRef wrong = new BlobRef(right.digest(), 8, BlobRef.TEXT, false);

        isTampered(file(List.of(body(right), body(wrong)), List.of(blob)));
    }

    static Stream<String> blobLines() {
        String digest = Digests.hex(Installation.utf8("abcd"));
        String right = "{\"blob\":\"" + digest + "\",\"data\":\"YWJjZA==\",\"part\":0,\"parts\":1}";
        return Stream.of(
                right.replace("YWJjZA==", "YWJjZA"),
                right.replace("YWJjZA==", "YWJjZB=="),
                right.replace("YWJjZA==", "YWJj\\nZA=="),
                right.replace("YWJjZA==", "????"),
                right.replace("YWJjZA==", "YWJj"),
                right.replace("YWJjZA==", ""),
                right.replace("\"part\":0", "\"part\":1"),
                right.replace("\"parts\":1", "\"parts\":2"),
                right.replace("\"parts\":1", "\"parts\":1,\"salt\":\"" + digest + "\""),
                right.replace("\"parts\":1", "\"parts\":1,\"salt\":\"\""),
                right.replace("\"parts\":1", "\"parts\":1,\"zz\":1"),
                right + " ",
                right + "\n" + right);
    }

    @ParameterizedTest
    @MethodSource("blobLines")
    void aBlobInAnyOtherFormIsRefused(String line) {
        BlobRef reference = list("abcd").reference(BlobRef.TEXT);
        ExportLines file = file(List.of(body(reference)), List.of(list("abcd")));
        isIncomplete(file);
        file.lines().set(2, Installation.utf8(line));
        file.lines().removeLast();
        String end = "{\"end\":\"" + Digests.hex(file.bytes()) + "\"}";
        file.lines().add(Installation.utf8(end));

        isTampered(file);
    }

    @Test
    void veryManyReferencesCostSomeBytesEach() {
        List<String> bodies = new ArrayList<>();
        for (int record = 0; record < 40; record++) {
            ArrayNode references = JsonNodeFactory.instance.arrayNode();
            for (int i = 0; i < 5_000; i++) {
                String digest = Digests.hex(Installation.utf8(record + "/" + i));
                references.add(new BlobRef(digest, i, BlobRef.BYTES, false).json());
            }
            bodies.add(body("{\"all\":" + string(references) + "}"));
        }

        assertThat(verdict(file(bodies, List.of()).bytes()).sentence())
                .isEqualTo(
                        "Tampered with: record 0: the blob "
                                + Digests.hex(Installation.utf8("0/0"))
                                + " is missing.");
    }

    @Test
    void whatIsUnknownIsCarriedThrough() {
        try (Installation here = new Installation(home.resolve("keys"))) {
            Recorder recorder = here.start("newer");
            ObjectNode body = JsonNodeFactory.instance.objectNode();
            body.putObject("derived").put("path", "x").put("what", 1);
            body.putObject("observed").putObject("deep").put("blobs", true);
            recorder.record(new Event.Other("weather.changed", 1, body));
            ObjectNode newer = body.deepCopy();
            newer.putObject("observed").putObject("x").put("blob", "not a digest in version 7");
            recorder.record(new Event.Other("node.started", 7, newer));
            recorder.finish("Completed");
            byte[] export = here.export(recorder.run());

            assertThat(ExportLines.verdict(export, here.trusted()))
                    .isInstanceOf(Verdict.Intact.class);
            assertThat(here.trace.verify(recorder.run())).isInstanceOf(Verdict.Intact.class);
            assertThat(new String(export, StandardCharsets.UTF_8))
                    .contains("weather.changed", "not a digest in version 7");
            assertThat(here.trace.entries(recorder.run(), 1).map(Entry::event))
                    .startsWith(
                            new Event.Other("weather.changed", 1, body),
                            new Event.Other("node.started", 7, newer));
        }
    }
}
