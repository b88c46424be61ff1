package dev.glovebox.sandbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class PolicyFileTest {

    @TempDir Path directory;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "\n\n",
                "# only a comment\n",
                "---\n",
                "{}",
                "null",
                "limits:\nnetwork: {allow: }\nfiles:\nenv:\n"
            })
    void nothingSaidIsNothingAllowed(String text) {
        assertThat(parse(text)).isEqualTo(Policy.denyAll());
    }

    @Test
    void readsJsonThatIsNoYaml() {
        assertThat(parse("{\t\"env\":\t{\"A\":\"\\/\\ud83d\\ude00\\u0001\"}\n}"))
                .isEqualTo(Policy.denyAll().env("A", "/\ud83d\ude00\u0001"));
    }

    @Test
    void readsYamlThatStartsLikeJson() {
        assertThat(parse("{isolation: gvisor}").isolation()).isEqualTo(Isolation.GVISOR);
        assertThat(parse("{\"isolation\": gvisor}").isolation()).isEqualTo(Isolation.GVISOR);
    }

    static Stream<Arguments> mistakes() {
        return Stream.of(
                arguments(
                        "isolaton: jail",
                        "1:1: unknown key 'isolaton' in a policy; did you mean 'isolation'? known: isolation, limits,"),
                arguments(
                        "limits:\n  memroy: 1MiB",
                        "2:3: unknown key 'memroy' in 'limits'; did you mean 'memory'? known: wall, cpu-time, cpus, memory, processes, disk, disk-rate, open-files, output"),
                arguments(
                        "limits: {open_files: 64}",
                        "1:10: unknown key 'open_files' in 'limits'; did you mean 'open-files'?"),
                arguments("xyzzy: 1", "1:1: unknown key 'xyzzy' in a policy; known: isolation"),
                arguments(
                        "isolation: jial",
                        "1:12: unknown word 'jial'; did you mean 'jail'? known: process, jail, container, gvisor, microvm"),
                arguments("isolation: JAIL", "1:12: unknown word 'JAIL'; did you mean 'jail'?"),
                arguments(
                        "isolation:",
                        "1:11: expected one of process, jail, container, gvisor, microvm, found nothing"),
                arguments(
                        "isolation: [jail]",
                        "1:12: expected one of process, jail, container, gvisor, microvm, found a list"),
                arguments(
                        "isolation: 3",
                        "1:12: expected one of process, jail, container, gvisor, microvm, found the number '3'"),
                arguments(
                        "limits: 5",
                        "1:9: 'limits' is a mapping such as {wall: 30s}, not the number '5'"),
                arguments(
                        "limits: [wall]",
                        "1:9: 'limits' is a mapping such as {wall: 30s}, not a list"),
                arguments(
                        "limits:\n  wall: 30", "2:9: '30' is not a duration: write it like 500ms"),
                arguments("limits: {wall: soon}", "1:16: 'soon' is not a duration"),
                arguments("limits: {wall: 0s}", "1:16: The limit 'wall' is too short"),
                arguments("limits: {wall: 999999999h}", "1:16: '999999999h' is not a duration"),
                arguments(
                        "limits: {wall: true}",
                        "1:16: expected a duration such as 500ms, 10s or 2m, found true"),
                arguments("limits: {memory: 256MB}", "1:18: '256MB' is not an amount of bytes"),
                arguments("limits: {memory: -1}", "1:18: '-1' is not an amount of bytes"),
                arguments(
                        "limits: {memory: 1}",
                        "1:18: The limit 'memory' cannot be 1B: it goes from 4MiB to 4TiB"),
                arguments(
                        "limits: {memory: {}}",
                        "1:18: expected an amount of bytes such as 256MiB, found a mapping"),
                arguments(
                        "limits: {cpus: -1}",
                        "1:16: expected a number such as 2 or 0.5, found the number '-1'"),
                arguments("limits: {cpus: .inf}", "1:16: expected a number such as 2 or 0.5"),
                arguments("limits: {cpus: 1e3}", "1:16: expected a number such as 2 or 0.5"),
                arguments(
                        "limits: {cpus: 0}",
                        "1:16: The limit 'cpus' cannot be 0.0: it goes from 0.01 to 4096"),
                arguments(
                        "limits: {processes: 010}",
                        "1:21: expected a whole number such as 64, found the number '010'"),
                arguments(
                        "limits: {processes: '64'}",
                        "1:21: expected a whole number such as 64, found the text '64'"),
                arguments(
                        "limits: {processes: 99999999999}",
                        "1:21: expected a whole number such as 64"),
                arguments("limits: {processes: 1.5}", "1:21: expected a whole number such as 64"),
                arguments(
                        "limits: {disk-rate: 1k}",
                        "1:21: The limit 'disk-rate' cannot be 1KiB: it goes from 64KiB to 4TiB"),
                arguments(
                        "limits: {open-files: 3}",
                        "1:22: The limit 'open-files' cannot be 3: it goes from 16 to 1048576"),
                arguments(
                        "limits: {wall: 1s, wall: 2s}",
                        "1:20: the key 'wall' is given twice, first in line 1"),
                arguments(
                        "env: {A: x}\nlimits: {}\nenv: {B: y}",
                        "3:1: the key 'env' is given twice, first in line 1"),
                arguments(
                        "memory-enforcement: tre",
                        "1:21: unknown word 'tre'; did you mean 'tree'? known: any, tree"),
                arguments(
                        "output-overflow: drop",
                        "1:18: unknown word 'drop'; known: truncate, kill"),
                arguments(
                        "network: none",
                        "1:10: 'network' is a mapping such as {allow: [\"api.example.com:443\"]}, not the text 'none'"),
                arguments(
                        "network: {deny: []}",
                        "1:11: unknown key 'deny' in 'network'; known: allow"),
                arguments(
                        "network: {allow: api.example.com:443}", "1:18: 'allow' is a list such as"),
                arguments(
                        "network:\n  allow:\n    - a.com:443\n    - b.com",
                        "4:7: 'b.com' is not HOST:PORT"),
                arguments(
                        "network: {allow: ['a.com:0']}",
                        "1:19: Port 0 of a.com is not between 1 and 65535"),
                arguments(
                        "network: {allow: ['*.com:1']}",
                        "1:19: '*.com' is not a host name or IPv4 address"),
                arguments("network: {allow: [{}]}", "1:19: expected HOST:PORT, found a mapping"),
                arguments(
                        "files: {host: a}",
                        "1:8: 'files' is a list such as [{host: ./data, box: /data}], not a mapping"),
                arguments(
                        "files: [a]",
                        "1:9: an entry of 'files' is a mapping such as {host: ./data, box: /data, mode: read}, not the text 'a'"),
                arguments("files: [{host: .}]", "1:9: an entry of 'files' needs 'host' and 'box'"),
                arguments(
                        "files:\n- host: /etc\n  box: /data",
                        "2:9: No box may see the host path '/etc': it lies in the system directory /etc"),
                arguments("files: [{host: ./none, box: /data}]", "1:16: The host path '"),
                arguments(
                        "files: [{host: ~/x, box: /data}]",
                        "1:16: The host path '~/x' starts with ~, which is not expanded"),
                arguments(
                        "files: [{host: \"a\\0b\", box: /data}]",
                        "1:16: 'a\\u0000b' is not a path on this system"),
                arguments(
                        "files: [{host: ., box: /usr/x}]",
                        "1:24: The path in the box '/usr/x' lies in /usr, which the box needs for itself"),
                arguments(
                        "files: [{host: ., box: data}]",
                        "1:24: The path in the box 'data' must be absolute"),
                arguments(
                        "files: [{host: ., box: /d, mode: rw}]",
                        "1:34: unknown word 'rw'; known: read, write"),
                arguments(
                        "files: [{host: ., box: /d}, {host: ., box: /d/e}]",
                        "1:44: The paths in the box '/d' and '/d/e' lie in each other"),
                arguments(
                        "files: [{path: .}]",
                        "1:10: unknown key 'path' in an entry of 'files'; known: host, box, mode"),
                arguments(
                        "runtime: {pyton: /usr/bin/python3}",
                        "1:11: unknown word 'pyton'; did you mean 'python'? known: python, javascript, bash"),
                arguments(
                        "runtime: {python: python3}",
                        "1:19: The interpreter 'python3' is not an absolute path"),
                arguments(
                        "runtime: {python: /usr/../x}",
                        "1:19: The interpreter '/usr/../x' is not an absolute path"),
                arguments(
                        "env: [A=1]",
                        "1:6: 'env' is a mapping such as {LANG: C.UTF-8}, not a list"),
                arguments("env: {A-B: 1}", "1:7: 'A-B' is not an environment variable's name"),
                arguments(
                        "env: {A: }",
                        "1:9: expected a text, or '' for an empty one, found nothing"),
                arguments(
                        "env: {A: [1]}",
                        "1:10: expected a text, or '' for an empty one, found a list"),
                arguments(
                        "env: {A: \"x\\0\"}",
                        "1:10: The environment variable A holds a NUL character"),
                arguments(
                        "env: {A: \"\\ud800\"}",
                        "1:10: The environment variable A holds half a character"),
                arguments(
                        "install: {network: internet}",
                        "1:20: unknown word 'internet'; known: none, package-index"),
                arguments("install: {wall: 0ms}", "1:17: The limit 'install wall' is too short"),
                arguments(
                        "install: {index: x}",
                        "1:11: unknown key 'index' in 'install'; known: wall, network"),
                arguments(
                        "tools: {run_python: maybe}",
                        "1:21: unknown word 'maybe'; known: allow, ask, deny"),
                arguments("tools: {'': ask}", "1:9: '' is not the name of a tool"),
                arguments(
                        "jail",
                        "1:1: a policy is a mapping such as {isolation: jail}, not the text 'jail'"),
                arguments(
                        "- isolation: jail",
                        "1:1: a policy is a mapping such as {isolation: jail}, not a list"),
                arguments(
                        "isolation: jail\n---\nisolation: process",
                        "3:1: a policy is one document, and here a second one starts"),
                arguments(
                        "env: &e {A: x}",
                        "1:6: anchors and aliases (& and *) are not used in policies"),
                arguments("env: *e", "1:6: anchors and aliases (& and *) are not used in policies"),
                arguments(
                        "env: {<<: *e}",
                        "1:11: anchors and aliases (& and *) are not used in policies"),
                arguments("*e : jail", "1:3: not readable as YAML or JSON: Expected a field name"),
                arguments("isolation: !!str jail", "1:12: tags (!) are not used in policies"),
                arguments("env: {A: [[[[[[[[1]]]]]]]]}", "1:16: nested too deeply for a policy"),
                arguments("isolation: jail\n\tlimits: {}", "2:1: not readable as YAML or JSON:"),
                arguments("isolation: 'jail", "1:17: not readable as YAML or JSON:"),
                arguments("{\"isolation\": \"jail\"", "1:21: not readable as YAML or JSON:"),
                arguments("isolation: jail\u0007", "1:16: not readable as YAML or JSON:"),
                arguments("? [a]\n: b", "1:4: not readable as YAML or JSON: Expected a field name"),
                arguments("{\n\t\"limits\": {\"wall\": 5}\n}", "2:21: '5' is not a duration"));
    }

    @ParameterizedTest
    @MethodSource("mistakes")
    void namesThePlaceOfAMistakeInOneSentence(String text, String message) {
        assertThatThrownBy(() -> parse(text))
                .isInstanceOf(InvalidPolicy.class)
                .hasMessageStartingWith("test.yaml:" + message)
                .hasMessageNotContaining("\n");
    }

    @Test
    void isBoundedInSize() {
        assertThatThrownBy(() -> parse("#".repeat(64 * 1024 + 1)))
                .isInstanceOf(InvalidPolicy.class)
                .hasMessage("test.yaml:1:1: a policy is at most 64 KiB of text");
        assertThat(parse("#".repeat(64 * 1024))).isEqualTo(Policy.denyAll());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "[", "{", "{a: ", "- ", "? ", "'", "\"", "a: ", "[{", "!", "&", "*", "|", "%",
                "---\n", "{\"a\":"
            })
    void isNotSlowOrDeepOnRepeatedOpenings(String opening) {
        String text = opening.repeat(64 * 1024 / opening.length());

        assertThatThrownBy(() -> parse(text)).isInstanceOf(InvalidPolicy.class);
    }

    @Test
    void readsManyEntriesQuickly() {
        StringBuilder text = new StringBuilder("env:\n");
        for (int i = 0; text.length() < 64 * 1024 - 20; i++) {
            text.append(" A").append(i).append(": 1\n");
        }
        assertThat(parse(text.toString()).env()).hasSizeGreaterThan(5_000);
    }

    @Test
    void explainsAFileThatCannotBeRead() throws IOException {
        Path none = directory.resolve("none.yaml");
        assertThatThrownBy(() -> Policy.load(none))
                .isInstanceOf(InvalidPolicy.class)
                .hasMessage("The policy file " + none + " does not exist");
        assertThatThrownBy(() -> Policy.load(directory)).isInstanceOf(InvalidPolicy.class);
        assertThatThrownBy(() -> Policy.load(Path.of("/dev/zero")))
                .isInstanceOf(InvalidPolicy.class)
                .hasMessage("The policy file /dev/zero is larger than 64 KiB");
        Path latin =
                Files.write(directory.resolve("latin.yaml"), new byte[] {'#', (byte) 0xe9, '\n'});
        assertThatThrownBy(() -> Policy.load(latin))
                .isInstanceOf(InvalidPolicy.class)
                .hasMessage("The policy file " + latin + " is not UTF-8 text");
    }

    @Test
    void theExampleOfTheDocsLoads() throws IOException {
        Files.createDirectory(directory.resolve("data"));
        Path file = Files.writeString(directory.resolve("policy.yaml"), exampleOfTheDocs());
        Policy same =
                Policy.denyAll()
                        .allow("api.example.com", 443)
                        .grant(FileGrant.parse("./data:/data", directory))
                        .env("GREETING", "hello")
                        .runtime(Language.PYTHON, Path.of("/usr/bin/python3"))
                        .tool("run_python", Policy.ToolRule.ALLOW)
                        .tool("run_shell", Policy.ToolRule.ASK)
                        .tool("send_mail", Policy.ToolRule.DENY);

        assertThat(Policy.load(file)).isEqualTo(same);
        Files.writeString(file, exampleOfTheDocs().replace("# image:", "image:"));
        assertThat(Policy.load(file)).isEqualTo(same.image("python:3-slim"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "x: 1",
                "limits: {x: 1}",
                "network: {x: 1}",
                "files: [{x: 1}]",
                "install: {x: 1}"
            })
    void theExampleOfTheDocsHasEveryKey(String unknown) throws IOException {
        String example = exampleOfTheDocs();
        assertThatThrownBy(() -> parse(unknown))
                .isInstanceOf(InvalidPolicy.class)
                .satisfies(complaint -> {
                    String keys =
                            String.valueOf(complaint.getMessage()).replaceFirst(".*known: ", "");
                    assertThat(Stream.of(keys.split(", ")).map(key -> key + ":"))
                            .isNotEmpty()
                            .allSatisfy(key -> assertThat(example).contains(key));
                });
    }

    private static String exampleOfTheDocs() throws IOException {
        String page = Files.readString(Path.of("../docs/sandbox.md"));
        int begin = page.indexOf("```yaml\n") + "```yaml\n".length();
        return page.substring(begin, page.indexOf("```", begin));
    }

    private Policy parse(String text) {
        return Policy.parse(text, "test.yaml", directory);
    }
}
