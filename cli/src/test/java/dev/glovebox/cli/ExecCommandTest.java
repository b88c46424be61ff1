package dev.glovebox.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Base64;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledIfEnvironmentVariable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a person or a script sees of {@code glovebox exec}. */
class ExecCommandTest {

    @TempDir Path directory;
    private Cli cli = Cli.in(Path.of(""));

    @BeforeAll
    static void needsTheJail() {
        Cli.needs("jail");
    }

    @BeforeEach
    void inAFreshDirectory() {
        cli = Cli.in(directory);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    exit 0           | 0   | ''
                    exit 7           | 7   | ''
                    exit 125         | 125 | ''
                    kill -9 $$       | 137 | glovebox: ended by signal 9 (SIGKILL)
                    kill -SEGV $$    | 139 | glovebox: ended by signal 11 (SIGSEGV)
                    sleep 20         | 124 | glovebox: stopped after 500ms (wall limit)
                    """)
    void the_exit_code_is_the_programs_and_a_kill_is_explained(
            String script, int exit, String line) {
        Cli.Ran ran = cli.run("exec", "--timeout", "500ms", "--", "sh", "-c", script);
        assertThat(ran.exit()).isEqualTo(exit);
        assertThat(ran.stderr().strip()).isEqualTo(line);
    }

    @Test
    void a_program_that_takes_too_much_memory_is_killed() {
        // Enough for all processes together, but not too much for any one of them: without a cgroup
        // a single one gets an error from the kernel instead.
        String hungry =
                """
                import os, time
                for i in range(4):
                    if os.fork() == 0:
                        x = bytearray(os.urandom(1)) * 40_000_000
                        time.sleep(20)
                time.sleep(20)
                """;
        Cli.Ran ran = cli.stdin(hungry).run("exec", "--memory", "64m", "--lang", "python", "-");
        assertThat(ran.exit()).isEqualTo(126);
        assertThat(ran.stderr())
                .startsWith("glovebox: killed: memory limit of 64MiB reached (peak ");
        assertThat(ran.stderr().lines()).hasSize(1);
    }

    @Test
    void a_command_that_the_box_does_not_have_is_not_started() {
        Cli.Ran ran = cli.run("exec", "--", "no-such-command");
        assertThat(ran.exit()).isEqualTo(125);
        assertThat(ran.stderr()).startsWith("glovebox: not started: ").contains("no-such-command");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    a.py   | print(6*7)
                    a.js   | console.log(42)
                    a.mjs  | import fs from 'fs'; console.log(42)
                    a.sh   | echo $((6*7))
                    script | #!/usr/bin/env bash\\necho $((6*7))
                    """)
    void a_file_tells_its_language_by_its_name_or_first_line(String name, String source)
            throws IOException {
        Files.writeString(directory.resolve(name), source.replace("\\n", "\n"));
        assertThat(cli.run("exec", name))
                .extracting(Cli.Ran::exit, Cli.Ran::out)
                .containsExactly(0, "42\n");
    }

    @Test
    void words_behind_the_file_belong_to_the_program() throws IOException {
        Files.writeString(directory.resolve("args.py"), "import sys; print(sys.argv[1:])");
        assertThat(cli.run("exec", "args.py", "--json", "--", "-x", "@a", "").out())
                .isEqualTo("['--json', '--', '-x', '@a', '']\n");
    }

    @Test
    void standard_input_reaches_the_program_byte_by_byte_with_its_end() {
        assertThat(cli.stdin("a\0b\n\nc").run("exec", "--", "cat").stdout())
                .isEqualTo("a\0b\n\nc".getBytes(UTF_8));
    }

    @Test
    void source_on_standard_input_leaves_none_for_the_program() {
        Cli.Ran ran =
                cli.stdin("import sys; print(repr(sys.stdin.read()), sys.argv[1:])")
                        .run("exec", "--lang", "python", "-", "x");
        assertThat(ran.out()).isEqualTo("'' ['x']\n");
    }

    @Test
    void files_go_in_and_results_come_out() throws IOException {
        Files.writeString(directory.resolve("a.txt"), "A");
        Files.writeString(directory.resolve("b:c.txt"), "B");
        Cli.Ran ran =
                cli.run(
                        "exec",
                        "--in",
                        "a.txt:deep/in.txt",
                        "--in",
                        "b:c.txt",
                        "--out",
                        "r",
                        "--out",
                        "d/r",
                        "--",
                        "sh",
                        "-c",
                        "mkdir d; cat deep/in.txt > r; cat b:c.txt > d/r");
        assertThat(ran).extracting(Cli.Ran::exit, Cli.Ran::stderr).containsExactly(0, "");
        assertThat(directory.resolve("r")).hasContent("A");
        assertThat(directory.resolve("d/r")).hasContent("B");
    }

    @ParameterizedTest
    @ValueSource(strings = {"true", "mkdir d", "touch d"})
    void a_result_that_was_not_made_is_said_and_is_no_success(String script) {
        Cli.Ran ran = cli.run("exec", "--out", "d/r", "--", "sh", "-c", script);
        assertThat(ran.exit()).isEqualTo(125);
        assertThat(ran.stderr())
                .isEqualTo("glovebox: --out 'd/r': the program left no such file\n");
    }

    @Test
    void a_program_that_failed_without_its_result_ends_with_its_own_code() {
        Cli.Ran ran = cli.run("exec", "--out", "r", "--", "sh", "-c", "exit 3");
        assertThat(ran.exit()).isEqualTo(3);
        assertThat(ran.stderr()).contains("the program left no such file");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            textBlock =
                    """
                    mkdir d; ln -s /etc/passwd d/r | it is a symbolic link, which is not followed
                    mkdir d; ln -s nowhere d/r     | it is a symbolic link, which is not followed
                    ln -s /etc d                   | 'd' is a symbolic link, which is not followed
                    mkdir -p d/r                   | it is a directory
                    mkdir d; mkfifo d/r            | it is a FIFO, socket or device
                    """)
    void a_result_that_may_not_be_taken_is_said_with_the_reason(String script, String why)
            throws IOException {
        String[] command = {"exec", "--json", "--out", "d/r", "--", "sh", "-c", script};
        Cli.Ran ran = cli.run(command);
        assertThat(ran.exit()).isEqualTo(125);
        assertThat(ran.stderr()).isEqualTo("glovebox: --out 'd/r' was not taken: " + why + "\n");
        assertThat(ran.json().at("/files")).isEmpty();
        assertThat(ran.json().at("/refused_files/d~1r").asText()).isEqualTo(why);
        assertThat(directory.resolve("d")).doesNotExist();
    }

    @Test
    void options_override_the_policy_file() throws IOException {
        Files.writeString(
                directory.resolve("p.yaml"), "limits: {wall: 20s}\nenv: {A: file, B: file}\n");
        Cli.Ran ran =
                cli.run(
                        "exec",
                        "--policy",
                        "p.yaml",
                        "--env",
                        "A=option",
                        "--timeout",
                        "1s",
                        "--",
                        "sh",
                        "-c",
                        "echo $A $B; sleep 9");
        assertThat(ran.out()).isEqualTo("option file\n");
        assertThat(ran.exit()).isEqualTo(124);
    }

    @Test
    void a_mounted_folder_is_read_only_unless_told() throws IOException {
        // A box of root's is an unprivileged user, who has to get there.
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
        Path data = Files.createDirectory(directory.resolve("data"));
        Files.writeString(data.resolve("x"), "seen");
        Cli.Ran ran =
                cli.run(
                        "exec",
                        "--mount",
                        "data:/data",
                        "--",
                        "sh",
                        "-c",
                        "cat /data/x; echo > /data/y");
        assertThat(ran.out()).isEqualTo("seen");
        assertThat(ran.exit()).isNotZero();
        assertThat(data.resolve("y")).doesNotExist();
    }

    @Test
    void output_beyond_the_limit_loses_its_middle_and_says_so() {
        Cli.Ran ran =
                cli.run("exec", "--", "sh", "-c", "echo first; yes | head -c 5000000; echo last");
        assertThat(ran.exit()).isZero();
        assertThat(ran.out()).startsWith("first\ny\n").endsWith("y\nlast\n");
        assertThat(ran.stderr())
                .startsWith("glovebox: stdout truncated: ")
                .contains(" of 5000011 bytes ");
        long omitted = Long.parseLong(ran.stderr().split(" ")[3]);
        assertThat(ran.stdout().length + omitted).isEqualTo(5_000_011);
    }

    @Test
    void json_tells_everything_in_one_document() throws IOException {
        Cli.Ran ran =
                cli.run(
                        "exec",
                        "--json",
                        "--out",
                        "r",
                        "--",
                        "sh",
                        "-c",
                        "printf 'h\\303\\251'; printf '\\377' >&2; echo R > r; exit 3");
        JsonNode json = ran.json();
        assertThat(ran.exit()).isEqualTo(3);
        assertThat(ran.stderr()).isEmpty();
        assertThat(json.at("/outcome").toString()).isEqualTo("{\"type\":\"exited\",\"code\":3}");
        assertThat(json.at("/stdout").toString())
                .isEqualTo("{\"text\":\"hé\",\"bytes\":3,\"truncated\":false}");
        assertThat(Base64.getDecoder().decode(json.at("/stderr/base64").asText()))
                .isEqualTo(new byte[] {(byte) 0xff});
        assertThat(json.at("/usage/wall_ms").isIntegralNumber()).isTrue();
        assertThat(json.at("/usage/cpu_ms").isIntegralNumber()).isTrue();
        assertThat(json.at("/usage/peak_memory_bytes").asLong()).isPositive();
        assertThat(json.at("/pressure").isArray()).isTrue();
        assertThat(json.at("/receipt/tier").asText()).isEqualTo("jail");
        assertThat(json.at("/receipt/controls").findValuesAsText("name"))
                .contains("memory", "seccomp");
        assertThat(json.at("/files/r/bytes").asInt()).isEqualTo(2);
        assertThat(json.at("/files/r/sha256").asText())
                .isEqualTo("13b30eab8afdfab285103004686b2e6140ce53aa45a4f917341c740dfdb6e956");
        assertThat(directory.resolve("r")).hasContent("R");
    }

    @Test
    void json_shows_where_the_hole_in_a_truncated_output_is() throws IOException {
        JsonNode stdout =
                cli.run("exec", "--json", "--", "sh", "-c", "yes | head -c 3000000")
                        .json()
                        .at("/stdout");
        assertThat(stdout.at("/truncated").asBoolean()).isTrue();
        assertThat(stdout.at("/bytes").asLong()).isEqualTo(3_000_000);
        assertThat(stdout.at("/text").asText())
                .hasSize(stdout.at("/head_bytes").asInt() + stdout.at("/tail_bytes").asInt());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    sleep 20   | timed-out
                    kill -9 $$ | signalled
                    """)
    void json_names_every_ending(String script, String type) throws IOException {
        Cli.Ran ran = cli.run("exec", "--json", "--timeout", "500ms", "--", "sh", "-c", script);
        assertThat(ran.json().at("/outcome/type").asText()).isEqualTo(type);
        assertThat(ran.stderr().lines()).hasSize(1);
    }

    @Test
    void what_cannot_be_enforced_is_named_and_nothing_runs() throws IOException {
        // A machine has no network, whether or not one can be had here.
        String policy = policy("{isolation: microvm, network: {allow: ['example.com:443']}}");
        Cli.Ran ran = cli.run("exec", "--json", "--policy", policy, "--", "true");
        assertThat(ran.exit()).isEqualTo(125);
        assertThat(ran.json().at("/error/type").asText()).isEqualTo("not-enforceable");
        assertThat(ran.json().at("/error/control").asText()).isIn("isolation", "network");
        assertThat(ran.stderr()).startsWith("glovebox: ").contains("jail");
    }

    @Test
    void the_weak_wall_is_used_only_when_it_is_named() throws IOException {
        assertThat(cli.run("exec", "--json", "--", "true").json().at("/receipt/tier").asText())
                .isEqualTo("jail");
        assertThat(
                        cli.run("exec", "--tier", "process", "--json", "--", "true")
                                .json()
                                .at("/receipt/tier")
                                .asText())
                .isEqualTo("process");
    }

    @Test
    @DisabledIfEnvironmentVariable(named = "OPEN_SANDBOX_DOMAIN", matches = ".+")
    void a_server_that_nobody_named_runs_nothing_and_the_variables_are_told() throws IOException {
        Cli.Ran ran =
                cli.stdin("print(1)")
                        .run("exec", "--tier", "opensandbox", "--json", "--lang", "python", "-");
        assertThat(ran.exit()).isEqualTo(125);
        assertThat(ran.json().at("/error/type").asText()).isEqualTo("not-enforceable");
        assertThat(ran.stderr()).contains("OPEN_SANDBOX_DOMAIN", "OPEN_SANDBOX_API_KEY");
    }

    @Test
    void what_a_server_cannot_enforce_is_refused_with_the_reason() throws IOException {
        Cli.Ran ran =
                cli.run(
                        "exec",
                        "--tier",
                        "opensandbox",
                        "--json",
                        "--allow",
                        "example.com:443",
                        "--",
                        "true");
        assertThat(ran.exit()).isEqualTo(125);
        assertThat(ran.json().at("/error/control").asText()).isEqualTo("network");
        assertThat(ran.stderr()).contains("hosts, not ports");
    }

    private String policy(String text) throws IOException {
        return Files.writeString(directory.resolve("policy.yaml"), text).toString();
    }
}
