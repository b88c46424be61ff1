package dev.glovebox.sandbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.glovebox.sandbox.Policy.Install;
import dev.glovebox.sandbox.Policy.MemoryEnforcement;
import dev.glovebox.sandbox.Policy.OutputOverflow;
import dev.glovebox.sandbox.Policy.ToolRule;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PolicyTest {

    @TempDir Path directory;

    @Test
    void deniesEverythingAtFirst() {
        Policy policy = Policy.denyAll();

        assertThat(policy.isolation()).isEqualTo(Isolation.JAIL);
        assertThat(policy.network()).isEmpty();
        assertThat(policy.files()).isEmpty();
        assertThat(policy.env()).isEmpty();
        assertThat(policy.tools()).isEmpty();
        assertThat(policy.install().packageIndex()).isFalse();
        assertThat(policy.limits())
                .isEqualTo(
                        new Limits(
                                Duration.ofSeconds(30),
                                Duration.ofSeconds(30),
                                1,
                                Bytes.mebibytes(256),
                                64,
                                Bytes.mebibytes(64),
                                Bytes.mebibytes(64),
                                256,
                                Bytes.mebibytes(1)));
    }

    @Test
    void saysTheSameInJavaAndInYaml() throws IOException {
        Path data = Files.createDirectory(directory.toRealPath().resolve("data"));
        Path file =
                Files.writeString(
                        directory.resolve("policy.yaml"),
                        """
                        isolation: container
                        limits: {wall: 10s, cpu-time: 5s, cpus: 0.5, memory: 512MiB, processes: 8, disk: 1GiB, disk-rate: 5MiB, open-files: 64, output: 64k}
                        memory-enforcement: tree
                        output-overflow: kill
                        network: {allow: ["api.example.com:443", "EXAMPLE.org:80"]}
                        files: [{host: ./data, box: /data, mode: write}]
                        runtime: {python: /usr/bin/python3}
                        env:
                          LANG: C.UTF-8
                          PORT: 8080
                          DEBUG: yes
                          EMPTY: ''
                        install: {wall: 60s, network: package-index}
                        tools: {run_python: allow, run_shell: ask, send_mail: deny}
                        """);

        assertThat(Policy.load(file))
                .isEqualTo(
                        Policy.denyAll()
                                .isolation(Isolation.CONTAINER)
                                .wall(Duration.ofSeconds(10))
                                .cpuTime(Duration.ofSeconds(5))
                                .cpus(0.5)
                                .memory(Bytes.mebibytes(512))
                                .processes(8)
                                .disk(Bytes.mebibytes(1024))
                                .diskRate(Bytes.mebibytes(5))
                                .openFiles(64)
                                .output(Bytes.kibibytes(64))
                                .memoryEnforcement(MemoryEnforcement.TREE)
                                .outputOverflow(OutputOverflow.KILL)
                                .allow("example.org", 80)
                                .allow("api.example.com", 443)
                                .grant(new FileGrant(data, "/data", FileGrant.Mode.WRITE))
                                .runtime(Language.PYTHON, Path.of("/usr/bin/python3"))
                                .env("LANG", "C.UTF-8")
                                .env("PORT", "8080")
                                .env("DEBUG", "yes")
                                .env("EMPTY", "")
                                .install(new Install(Duration.ofMinutes(1), true))
                                .tool("run_python", ToolRule.ALLOW)
                                .tool("run_shell", ToolRule.ASK)
                                .tool("send_mail", ToolRule.DENY));
    }

    /** Traces hold this digest: if this test fails, old evidence no longer matches its policy. */
    @Test
    void hasOneWrittenForm() {
        assertThat(Policy.denyAll().json())
                .isEqualTo(
                        "{\"env\":{},\"files\":[],\"install\":{\"network\":\"none\",\"wall\":\"2m\"},"
                                + "\"isolation\":\"jail\",\"limits\":{\"cpu-time\":\"30s\",\"cpus\":1,\"disk\":\"64MiB\","
                                + "\"memory\":\"256MiB\",\"open-files\":256,\"output\":\"1MiB\",\"processes\":64,"
                                + "\"wall\":\"30s\"},\"memory-enforcement\":\"any\",\"network\":{\"allow\":[]},"
                                + "\"output-overflow\":\"truncate\",\"runtime\":{},\"tools\":{}}");
        assertThat(Policy.denyAll().digest())
                .isEqualTo("8372fdfc8eece82cd726aaa4c3dcc132bf9b38b9dada2ea987447accf0837fe9");
    }

    @Test
    void doesNotDependOnTheOrderOfAllowing() {
        Policy one =
                Policy.denyAll()
                        .allow("a.com", 1)
                        .allow("b.com", 2)
                        .allow("a.com", 1)
                        .env("A", "1")
                        .env("B", "2");
        Policy other =
                Policy.denyAll().env("B", "2").env("A", "1").allow("b.com", 2).allow("a.com", 1);

        assertThat(one).isEqualTo(other);
        assertThat(one.digest()).isEqualTo(other.digest());
    }

    @Test
    void keepsTimesInWholeMilliseconds() {
        Policy policy = Policy.denyAll().wall(Duration.ofNanos(1_999_999));

        assertThat(policy.limits().wall()).isEqualTo(Duration.ofMillis(1));
    }

    @Test
    void refusesNonsense() {
        Policy policy = Policy.denyAll();

        assertThatThrownBy(() -> policy.wall(Duration.ZERO))
                .isInstanceOf(InvalidPolicy.class)
                .hasMessage("The limit 'wall' is too short: it goes from 1ms to 168h");
        assertThatThrownBy(() -> policy.cpuTime(Duration.ofSeconds(Long.MAX_VALUE)))
                .isInstanceOf(InvalidPolicy.class)
                .hasMessage("The limit 'cpu-time' is too long: it goes from 1ms to 168h");
        assertThatThrownBy(() -> policy.cpus(Double.NaN)).isInstanceOf(InvalidPolicy.class);
        assertThatThrownBy(() -> policy.memory(new Bytes(0))).isInstanceOf(InvalidPolicy.class);
        assertThatThrownBy(() -> policy.env("A=B", "")).isInstanceOf(InvalidPolicy.class);
        assertThatThrownBy(() -> policy.env("A", "x\0y")).isInstanceOf(InvalidPolicy.class);
        assertThatThrownBy(() -> policy.env("A", "\ud800")).isInstanceOf(InvalidPolicy.class);
        assertThatThrownBy(() -> policy.tool("", ToolRule.ALLOW)).isInstanceOf(InvalidPolicy.class);
        assertThatThrownBy(() -> policy.runtime(Language.BASH, Path.of("bash")))
                .isInstanceOf(InvalidPolicy.class);
        assertThatThrownBy(() -> new Install(Duration.ZERO, true))
                .isInstanceOf(InvalidPolicy.class);
    }

    @Test
    void cannotBeChanged() {
        Policy policy = Policy.denyAll().allow("a.com", 1).env("A", "1");

        assertThatThrownBy(() -> policy.network().add(new HostPort("b.com", 1)))
                .isInstanceOf(UnsupportedOperationException.class);
        assertThatThrownBy(() -> policy.env().put("B", "2"))
                .isInstanceOf(UnsupportedOperationException.class);
        assertThatThrownBy(() -> policy.tools().put("t", ToolRule.ALLOW))
                .isInstanceOf(UnsupportedOperationException.class);
        assertThatThrownBy(
                        () -> policy.runtime().putAll(Map.of(Language.BASH, Path.of("/bin/bash"))))
                .isInstanceOf(UnsupportedOperationException.class);
        assertThatThrownBy(policy.files()::clear).isInstanceOf(UnsupportedOperationException.class);
    }

    @Test
    void anImageIsPartOfItOnlyWhereOneIsNamed() {
        Policy policy = Policy.denyAll().image("registry.example.com:5000/a/b:1.0@sha256:00ff");
        assertThat(Policy.denyAll().json()).doesNotContain("image");
        assertThat(policy.digest()).isNotEqualTo(Policy.denyAll().digest());
        assertThat(Policy.parse(policy.json(), "json", Path.of("/"))).isEqualTo(policy);
        for (String name :
                List.of("", " ", "-v", "a b", "a\nb", "ä", "--privileged", "x".repeat(300))) {
            assertThatThrownBy(() -> Policy.denyAll().image(name))
                    .isInstanceOf(InvalidPolicy.class)
                    .hasMessageContaining("not the name of an image");
        }
    }
}
