package dev.glovebox.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.glovebox.trace.Trace;
import dev.glovebox.trace.store.SqliteStore;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What {@code glovebox exec --trace} records, and what {@code glovebox trace} makes of it. */
class TraceCommandsTest {

    private static final int TAMPERED = 1;
    private static final int INCOMPLETE = 3;

    @TempDir private Path directory = Path.of("");

    @BeforeEach
    void aJail() {
        Cli.needs("jail");
    }

    private Cli.Ran glovebox(String... arguments) {
        return Cli.in(directory).run(arguments);
    }

    private String traced(String source) {
        Cli.Ran ran = Cli.in(directory).stdin(source).run("exec", "--trace", "--lang", "bash", "-");
        assertThat(ran.stderr()).contains("recorded: glovebox trace show ");
        return ran.stderr().strip().replaceFirst("(?s).* ", "");
    }

    @Test
    void an_execution_is_recorded_with_its_receipt_and_verifies() throws IOException {
        Cli.Ran ran =
                Cli.in(directory)
                        .stdin("echo answer; echo fault >&2; exit 3")
                        .run("exec", "--trace", "--json", "--lang", "bash", "-");
        assertThat(ran.exit()).isEqualTo(3);
        String run = ran.json().get("run").textValue();
        JsonNode entries = glovebox("trace", "show", run, "--json").json().get("entries");

        assertThat(entries)
                .extracting(entry -> entry.get("type").textValue())
                .containsExactly(
                        "run.started",
                        "node.started",
                        "effect.intent",
                        "effect.outcome",
                        "node.failed",
                        "run.finished");
        JsonNode details = entries.get(3).at("/body/observed/details");
        assertThat(details.at("/outcome/code").intValue()).isEqualTo(3);
        JsonNode kept = blob(details.at("/receipt/blob").textValue());
        assertThat(kept).isEqualTo(ran.json().get("receipt"));
        assertThat(glovebox("trace", "verify", run).exit()).isZero();
    }

    @Test
    void what_is_passed_on_from_standard_input_is_recorded() throws IOException {
        Path script = directory.resolve("count.sh");
        Files.writeString(script, "wc -c");
        String run = tracedWith("a secret answer", script);
        JsonNode details = outcome(run);
        assertThat(details.get("stdinBytes").longValue()).isEqualTo(15);
        assertThat(details.at("/stdin/salted").booleanValue()).isTrue();
        assertThat(content(details.at("/stdin/blob").textValue()))
                .asString()
                .isEqualTo("a secret answer");
        assertThat(glovebox("trace", "show", run).out())
                .asString()
                .contains("in | a secret answer");
        assertThat(glovebox("trace", "verify", run).exit()).isZero();

        assertThat(outcome(tracedWith("", script)).has("stdin")).isFalse();
    }

    @Test
    void of_a_long_standard_input_a_part_is_recorded_and_that_it_is_one() throws IOException {
        Path script = directory.resolve("count.sh");
        Files.writeString(script, "wc -c");
        JsonNode details = outcome(tracedWith("x".repeat(3_000_000), script));
        assertThat(details.get("stdinBytes").longValue()).isEqualTo(3_000_000);
        assertThat(details.at("/stdin/bytes").longValue()).isEqualTo(1 << 20);
        assertThat(content(details.at("/stdout/blob").textValue())).asString().contains("3000000");
    }

    private String tracedWith(String stdin, Path script) throws IOException {
        Cli.Ran ran =
                Cli.in(directory).stdin(stdin).run("exec", "--trace", "--json", script.toString());
        assertThat(ran.exit()).isZero();
        return ran.json().get("run").textValue();
    }

    private JsonNode outcome(String run) throws IOException {
        return glovebox("trace", "show", run, "--json")
                .json()
                .get("entries")
                .get(3)
                .at("/body/observed/details");
    }

    private JsonNode blob(String digest) throws IOException {
        return new JsonMapper().readTree(content(digest));
    }

    private byte[] content(String digest) {
        Path home = directory.resolve(Cli.HOME);
        try (Trace trace =
                Trace.open(SqliteStore.open(home.resolve("trace.db")), home.resolve("keys"))) {
            return trace.blob(digest).orElseThrow().content();
        }
    }

    @Test
    void a_person_sees_what_was_done_and_observed() {
        String run = traced("echo answer; echo fault >&2; exit 3");
        assertThat(glovebox("trace", "show", "last").out())
                .contains(run + "  exec, failed after ")
                .contains("act     sandbox.exec  bash")
                .contains("| echo answer; echo fault >&2; exit 3")
                .contains("observe sandbox.exec  exited 3")
                .contains("| answer")
                .contains("err | fault")
                .contains("run finished: failed");
    }

    @Test
    void what_a_program_prints_does_not_drive_the_terminal() {
        traced("printf 'red \\033[31m\\007 \u202egnp.exe'");
        assertThat(glovebox("trace", "show", "last").out())
                .doesNotContain("\033", "\007", "\u202e");
    }

    @Test
    void a_document_does_not_go_on() throws IOException {
        Cli.Ran ran = glovebox("trace", "show", "last", "--follow", "--json");
        assertThat(ran.exit()).isEqualTo(Main.USAGE);
        assertThat(ran.json().at("/error/type").asText()).isEqualTo("usage");
    }

    @Test
    void following_a_finished_run_shows_it_and_ends() {
        traced("echo one");
        assertThat(glovebox("trace", "show", "last", "--follow").out())
                .contains("| one")
                .contains("run finished: completed");
    }

    @Test
    void what_could_not_run_is_recorded_as_well() {
        Cli.Ran ran = glovebox("exec", "--trace", "--", "no-such-program");
        assertThat(ran.exit()).isEqualTo(ExecCommand.FAILED);
        assertThat(glovebox("trace", "show", "last").out())
                .contains("not-started there is no command 'no-such-program' in the box")
                .contains("run finished: failed");
    }

    @Test
    void an_unenforceable_policy_is_recorded_as_well() {
        Cli.Ran ran = glovebox("exec", "--trace", "--tier", "nowhere", "--", "true");
        assertThat(ran.exit()).isEqualTo(ExecCommand.FAILED);
        assertThat(glovebox("trace", "list").out()).contains("not-enforceable").contains("true");
        assertThat(glovebox("trace", "show", "last").out())
                .contains("not-started: There is no tier 'nowhere'");
        assertThat(glovebox("trace", "verify", "last").exit()).isZero();
    }

    @Test
    void runs_are_listed_newest_first_and_page_by_page() throws IOException {
        String first = traced("true");
        String second = traced("false");
        String third = traced("true");
        JsonNode page = glovebox("trace", "list", "--most", "2", "--json").json();
        assertThat(page.get("runs"))
                .extracting(run -> run.get("run").textValue())
                .containsExactly(third, second);
        assertThat(page.get("more").booleanValue()).isTrue();
        JsonNode next = glovebox("trace", "list", "--before", second, "--json").json();
        assertThat(next.get("runs"))
                .extracting(run -> run.get("run").textValue())
                .containsExactly(first);
        assertThat(next.get("more").booleanValue()).isFalse();
        assertThat(glovebox("trace", "list", "--stop", "failed").out())
                .contains(second)
                .doesNotContain(first, third);
        assertThat(glovebox("trace", "list", "--open").stderr()).contains("no such runs");
    }

    @Test
    void an_export_is_believed_with_the_key_only() throws IOException {
        traced("echo secret");
        glovebox("trace", "export", "last", "-o", "run.trace");
        Files.writeString(directory.resolve("key.pem"), glovebox("trace", "key").out());
        Cli.Ran unknown = glovebox("trace", "verify", "run.trace");
        assertThat(unknown.exit()).isEqualTo(INCOMPLETE);
        assertThat(unknown.out()).contains("not sealed by a known key");
        Cli.Ran known = glovebox("trace", "verify", "run.trace", "--key", "key.pem");
        assertThat(known.exit()).as(known.out()).isZero();
        Cli.Ran piped =
                Cli.in(directory)
                        .stdin(glovebox("trace", "export", "last", "-o", "-").out())
                        .run("trace", "verify", "-", "--key", "key.pem", "--json");
        assertThat(piped.json().get("verdict").textValue()).isEqualTo("intact");
    }

    @Test
    void all_keys_of_a_file_are_believed() throws IOException {
        traced("true");
        glovebox("trace", "export", "last", "-o", "run.trace");
        String another =
                """
                -----BEGIN PUBLIC KEY-----
                MCowBQYDK2VwAyEAPUAXw+hDiVqStwqnTRt+vJyYLM8uxJaMwM1V8Sr0Zgw=
                -----END PUBLIC KEY-----
                """;
        Files.writeString(directory.resolve("keys.pem"), another + glovebox("trace", "key").out());
        Cli.Ran ran = glovebox("trace", "verify", "run.trace", "--key", "keys.pem");
        assertThat(ran.exit()).as(ran.out()).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"print('hello')\n", "{}\n", "{\"format\":\"zip\",\"v\":1}\n"})
    void what_is_no_export_is_called_that(String content) throws IOException {
        Files.writeString(directory.resolve("hello.py"), content);
        Cli.Ran ran = glovebox("trace", "verify", "hello.py");
        assertThat(ran.exit()).isEqualTo(TAMPERED);
        assertThat(ran.out()).contains("the file is no export of a trace, or its first line");
    }

    @ParameterizedTest
    @ValueSource(strings = {"link", "fifo", "folder", ""})
    void an_export_takes_the_place_of_nothing_but_a_file(String name) throws Exception {
        traced("echo hi");
        Path kept = Files.writeString(directory.resolve("kept"), "as it was");
        Files.createSymbolicLink(directory.resolve("link"), kept);
        Files.createDirectory(directory.resolve("folder"));
        String fifo = directory.resolve("fifo").toString();
        assertThat(new ProcessBuilder("mkfifo", fifo).start().waitFor()).isZero();

        Cli.Ran ran = glovebox("trace", "export", "last", "-o", name);

        assertThat(ran.exit()).isEqualTo(Main.USAGE);
        assertThat(ran.stderr())
                .containsAnyOf("symbolic link", "FIFO, socket or device", "a directory", "empty");
        assertThat(directory.resolve("link")).isSymbolicLink();
        assertThat(Files.isRegularFile(directory.resolve("fifo"))).isFalse();
        assertThat(kept).hasContent("as it was");
        assertThat(glovebox("trace", "export", "last", "-o", "kept").exit()).isZero();
        assertThat(kept).content().startsWith("{\"format\"");
    }

    @Test
    void a_changed_export_is_found_and_the_record_is_named() throws IOException {
        traced("echo secret");
        String export = glovebox("trace", "export", "last", "-o", "-").out();
        Files.writeString(
                directory.resolve("run.trace"),
                export.replace("\"name\":\"bash\"", "\"name\":\"bish\""));
        Cli.Ran ran = glovebox("trace", "verify", "run.trace");
        assertThat(ran.exit()).isEqualTo(TAMPERED);
        assertThat(ran.out()).contains("record 2");
    }

    @Test
    void content_is_redacted_everywhere_and_the_run_still_verifies() throws IOException {
        String run = traced("echo the-secret-itself");
        JsonNode outcome = glovebox("trace", "show", run, "--json").json().at("/entries/3");
        String digest = outcome.at("/body/observed/details/stdout/blob").textValue();
        String code =
                glovebox("trace", "show", run, "--json")
                        .json()
                        .at("/entries/2/body/derived/details/source/blob")
                        .textValue();
        for (String one : List.of(digest, code)) {
            assertThat(glovebox("trace", "redact", one, "--reason", " ").exit())
                    .isEqualTo(Main.USAGE);
            assertThat(glovebox("trace", "redact", one, "--reason", "asked to").exit()).isZero();
        }
        assertThat(glovebox("trace", "show", run).out())
                .contains("(deleted)")
                .contains("content deleted: asked to")
                .doesNotContain("the-secret-itself");
        assertThat(glovebox("trace", "export", run, "-o", "-").out())
                .doesNotContain(
                        Base64.getEncoder()
                                .encodeToString(
                                        "the-secret-itself".getBytes(StandardCharsets.UTF_8)));
        assertThat(glovebox("trace", "verify", run).exit()).isZero();
        assertThat(glovebox("trace", "verify", "--all").exit()).isZero();
        try (var files = Files.list(directory.resolve(Cli.HOME))) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                assertThat(new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1))
                        .doesNotContain("the-secret-itself");
            }
        }
    }

    @Test
    void a_replaced_key_goes_on_where_the_old_one_ended() throws IOException {
        traced("true");
        String old = glovebox("trace", "key").out();
        String fresh = glovebox("trace", "key", "--rotate").out();
        assertThat(fresh).isNotEqualTo(old).startsWith("-----BEGIN PUBLIC KEY-----");
        String later = traced("true");
        Files.writeString(directory.resolve("old.pem"), old);
        glovebox("trace", "export", later, "-o", "run.trace");
        Cli.Ran ran = glovebox("trace", "verify", "run.trace", "--key", "old.pem");
        assertThat(ran.exit()).as(ran.out()).isZero();
        assertThat(glovebox("trace", "verify", "--all").exit()).isZero();
    }

    @Test
    void a_kept_head_shows_that_everything_was_thrown_away() throws IOException {
        traced("true");
        Files.writeString(directory.resolve("head"), glovebox("trace", "head").out());
        assertThat(glovebox("trace", "verify", "--all", "--head", "head").exit()).isZero();
        try (var files = Files.list(directory.resolve(Cli.HOME))) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                Files.delete(file);
            }
        }
        Files.deleteIfExists(directory.resolve(Cli.HOME).resolve("keys/frontier.json"));
        traced("true");
        Cli.Ran ran = glovebox("trace", "verify", "--all", "--head", "head");
        assertThat(ran.exit()).as(ran.out()).isEqualTo(TAMPERED);
    }

    @Test
    void a_key_that_cannot_be_used_leaves_the_record_whole_and_not_sealed() throws IOException {
        traced("true");
        Path key = directory.resolve(Cli.HOME).resolve("keys/signing.pem");
        String good = Files.readString(key);
        Files.writeString(key, "nonsense");

        String[] command = {"exec", "--trace", "--json", "--", "echo", "hello"};
        Cli.Ran ran = glovebox(command);
        assertThat(ran.exit()).isEqualTo(ExecCommand.FAILED);
        assertThat(ran.stderr())
                .startsWith("glovebox: recorded, but not sealed: The key ")
                .contains("signing.pem")
                .hasLineCount(1);
        assertThat(ran.json().get("record").textValue()).isEqualTo("not-sealed");
        assertThat(ran.json().get("record_problem").textValue()).contains("signing.pem");
        String run = ran.json().get("run").textValue();
        assertThat(glovebox("trace", "show", run).out())
                .contains("| hello")
                .contains("run finished: completed");
        assertThat(glovebox("exec", "--trace", "--", "true").stderr())
                .contains("recorded, but not sealed: The key ")
                .contains("recorded: glovebox trace show ");

        Files.writeString(key, good);
        glovebox("trace", "list"); // seals what was left, as any other would
        assertThat(glovebox("trace", "verify", run).exit()).isZero();
    }

    @Test
    void a_record_that_is_sealed_is_said_to_be() throws IOException {
        JsonNode json = glovebox("exec", "--trace", "--json", "--", "true").json();
        assertThat(json.get("record").textValue()).isEqualTo("sealed");
        assertThat(json.has("record_problem")).isFalse();
        assertThat(glovebox("exec", "--json", "--", "true").json().has("record")).isFalse();
    }

    @Test
    void spans_are_shown_on_standard_error() {
        Cli.Ran ran =
                Cli.in(directory)
                        .stdin("echo hello")
                        .run("exec", "--otel", "console", "--lang", "bash", "-");
        assertThat(ran.out()).isEqualTo("hello\n");
        assertThat(ran.stderr())
                .contains("sandbox.exec")
                .contains("sandbox.tier=jail")
                .contains("invoke_workflow exec");
    }

    @Test
    void nothing_is_recorded_unless_asked_for() {
        Cli.in(directory).stdin("true").run("exec", "--lang", "bash", "-");
        assertThat(directory.resolve(Cli.HOME).resolve("trace.db")).doesNotExist();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "show",
                "show no-such-run",
                "show a b",
                "verify",
                "verify no-such-file.trace",
                "verify last --head x",
                "verify --all last",
                "verify --all --key no-such-key",
                "export",
                "export no-such-run",
                "redact",
                "redact 00 --reason x",
                "redact last",
                "list --most 0",
                "list --most many",
                "list --open --stop failed",
                "head",
                "frobnicate",
                "verify x.trace --key no-such-key",
            })
    void bad_input_gets_one_clear_sentence(String words) {
        List<String> arguments = new ArrayList<>(List.of("trace"));
        arguments.addAll(List.of(words.split(" ")));
        Cli.Ran ran = glovebox(arguments.toArray(String[]::new));
        assertThat(ran.exit()).isEqualTo(Main.USAGE);
        assertThat(ran.stderr()).startsWith("glovebox: ").endsWith("\n").hasLineCount(1);
        assertThat(ran.stderr()).doesNotContain("inside Glovebox");
        assertThat(ran.stdout()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"verify run.trace --key", "verify --all --head"})
    void a_file_that_is_no_key_or_head_is_named(String words) throws IOException {
        traced("true");
        glovebox("trace", "export", "last", "-o", "run.trace");
        Files.writeString(directory.resolve("notes"), "no key");
        for (String name : new String[] {"notes", "/dev/zero", "/dev/null"}) {
            Cli.Ran ran = glovebox(("trace " + words + " " + name).split(" "));
            assertThat(ran.exit()).as(name).isEqualTo(Main.USAGE);
            assertThat(ran.stderr()).contains("'" + name + "'").doesNotContain("inside Glovebox");
            assertThat(ran.stdout()).isEmpty();
        }
    }
}
