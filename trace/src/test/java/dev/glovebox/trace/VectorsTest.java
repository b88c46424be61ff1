package dev.glovebox.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Two verifiers that share no code, each on what the other side has made. */
class VectorsTest {

    private static final Path FOLDER = Path.of("verify");
    private static final Path VECTORS = FOLDER.resolve("vectors");

    @TempDir private Path directory = Path.of("");

    static Stream<JsonNode> cases() throws IOException {
        List<JsonNode> cases = new ArrayList<>();
        new JsonMapper().readTree(VECTORS.resolve("expected.json").toFile()).forEach(cases::add);
        return cases.stream();
    }

    @ParameterizedTest
    @MethodSource("cases")
    void everyVectorIsJudgedAsItShouldBe(JsonNode expected) throws IOException {
        List<VerifyingKey> keys = new ArrayList<>();
        for (JsonNode key : expected.get("keys")) {
            keys.add(VerifyingKey.ofPem(Files.readString(VECTORS.resolve(key.textValue()))));
        }
        Verdict verdict =
                Verifier.trusting(keys).file(VECTORS.resolve(expected.get("file").textValue()));
        assertThat(verdict.exitCode())
                .as(verdict.sentence())
                .isEqualTo(expected.get("exit").intValue());
        if (verdict instanceof Verdict.Tampered tampered) {
            JsonNode seq = expected.get("seq");
            assertThat(tampered.seq())
                    .as(verdict.sentence())
                    .isEqualTo(
                            seq.isNull() ? OptionalLong.empty() : OptionalLong.of(seq.longValue()));
        }
    }

    @Test
    void theOtherVerifierBelievesOurExportsAndFindsChanges() throws Exception {
        assumeTrue(
                runs("python3", "--version") && runs("openssl", "version"),
                "python3 or openssl is missing");
        Path file = directory.resolve("run.trace");
        Path key = directory.resolve("key.pem");
        try (Trace trace = Trace.open(new MemoryStore(), directory.resolve("keys"))) {
            Recorder recorder = trace.start("test", "a run", utf8("input"), BlobRef.TEXT);
            KeptList first =
                    recorder.keepList(
                            KeptList.EMPTY,
                            List.of(recorder.keep(utf8("one"), BlobRef.TEXT).json()));
            KeptList second =
                    recorder.keepList(
                            first,
                            List.of(
                                    first.elements().getFirst(),
                                    recorder.keepPrivate(new byte[600_000], BlobRef.BYTES).json()));
            BlobRef secret = recorder.keepPrivate(utf8("secret"), BlobRef.TEXT);
            recorder.record(new Event.NodeStarted("node", second.reference()));
            recorder.record(new Event.NodeStarted("other", secret));
            recorder.finish("completed");
            trace.redact(secret.digest(), "asked");
            trace.rotate();
            Files.writeString(key, trace.key().pem());
            try (OutputStream out = Files.newOutputStream(file)) {
                trace.export(recorder.run(), out);
            }
        }
        assertThat(judged(file, key)).isZero();
        assertThat(judged(file, VECTORS.resolve("other.pem"))).isEqualTo(3);
        Files.writeString(file, Files.readString(file).replace("\"other\"", "\"otter\""));
        assertThat(judged(file, key)).isEqualTo(1);
    }

    /** That each of so many has signed something would take very long to check. */
    @Test
    void bothVerifiersStopAtTheFirstKeyTooMany() throws Exception {
        assumeTrue(runs("python3", "--version"), "python3 is missing");
        Entry only = Entry.of("r", 0, 1, Entry.NOTHING, new Event.RunClaimed(1, "nobody"));
        ObjectNode record = (ObjectNode) CanonicalScanner.read(only.bytes());
        record.put("type", "run.started").remove("hash");
        record.put("hash", Digests.hex(CanonicalJson.bytes(record)));
        StringBuilder text = new StringBuilder();
        text.append("{\"format\":\"glovebox.trace\",\"records\":1,\"run\":\"r\",\"v\":1}\n");
        text.append(new String(CanonicalJson.bytes(record), StandardCharsets.UTF_8)).append('\n');
        for (int i = 0; i <= SealCheck.MOST_KEYS; i++) {
            text.append("{\"publicKey\":\"%064x\"}\n".formatted(i));
        }
        Path file = Files.writeString(directory.resolve("keys.trace"), text);
        Process python =
                new ProcessBuilder(
                                "python3",
                                "-B",
                                FOLDER.resolve("verify.py").toString(),
                                file.toString())
                        .start();

        assertThat(new String(python.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                .contains("more than 1000 keys");
        assertThat(Verifier.trusting(List.of()).file(file).sentence())
                .contains("more than 1000 keys");
    }

    private static boolean runs(String... command) throws InterruptedException {
        try {
            return new ProcessBuilder(command)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException e) {
            return false;
        }
    }

    private static int judged(Path file, Path key) throws IOException, InterruptedException {
        return new ProcessBuilder(
                        "python3",
                        "-B",
                        FOLDER.resolve("verify.py").toString(),
                        file.toString(),
                        "--key",
                        key.toString())
                .inheritIO()
                .start()
                .waitFor();
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
