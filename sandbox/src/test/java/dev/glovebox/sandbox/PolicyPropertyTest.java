package dev.glovebox.sandbox;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.glovebox.sandbox.Policy.Install;
import dev.glovebox.sandbox.Policy.MemoryEnforcement;
import dev.glovebox.sandbox.Policy.OutputOverflow;
import dev.glovebox.sandbox.Policy.ToolRule;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

class PolicyPropertyTest {

    private static final Path BASE = Path.of("/");
    private static final Bytes MOST_ALLOCATED = Bytes.mebibytes(64);

    @Property
    void readsBackItsJson(@ForAll("policies") Policy policy) {
        Policy read = Policy.parse(policy.json(), "json", BASE);

        assertThat(read).isEqualTo(policy).hasSameHashCodeAs(policy);
        assertThat(read.json()).isEqualTo(policy.json());
        assertThat(read.digest()).isEqualTo(policy.digest()).matches("[0-9a-f]{64}");
    }

    @Property
    void hasTheDigestOfAnotherOnlyIfEqual(
            @ForAll("policies") Policy one, @ForAll("policies") Policy other) {
        assertThat(one.digest().equals(other.digest())).isEqualTo(one.equals(other));
    }

    @Property
    void hasAnotherDigestAfterAnyChange(@ForAll("policies") Policy policy) {
        Limits limits = policy.limits();
        List<Policy> changed =
                List.of(
                        policy.isolation(other(policy.isolation(), Isolation.values())),
                        policy.memoryEnforcement(
                                other(policy.memoryEnforcement(), MemoryEnforcement.values())),
                        policy.outputOverflow(
                                other(policy.outputOverflow(), OutputOverflow.values())),
                        policy.wall(limits.wall().plusMillis(1)),
                        policy.cpuTime(limits.cpuTime().plusMillis(1)),
                        policy.cpus(Math.nextUp(limits.cpus())),
                        policy.memory(limits.memory().plus(new Bytes(1))),
                        policy.processes(limits.processes() + 1),
                        policy.disk(limits.disk().plus(new Bytes(1))),
                        policy.diskRate(limits.diskRate().plus(new Bytes(1))),
                        policy.openFiles(limits.openFiles() + 1),
                        policy.output(limits.output().plus(new Bytes(1))),
                        policy.allow("not-in-any-example.com", 443),
                        policy.env("NOT_IN_ANY_EXAMPLE", ""),
                        policy.tool("not in any example", ToolRule.DENY),
                        policy.runtime(Language.BASH, Path.of("/not/in/any/example")),
                        policy.install(
                                new Install(
                                        policy.install().wall(),
                                        !policy.install().packageIndex())));

        assertThat(changed)
                .extracting(Policy::digest)
                .doesNotHaveDuplicates()
                .doesNotContain(policy.digest());
    }

    @Property
    void isNotChangedThroughWhatItWasMadeFrom(@ForAll("policies") Policy policy) {
        List<HostPort> network = new ArrayList<>(policy.network());
        List<FileGrant> files = new ArrayList<>(policy.files());
        Map<Language, Path> runtime = new TreeMap<>(policy.runtime());
        Map<String, String> env = new TreeMap<>(policy.env());
        Map<String, ToolRule> tools = new TreeMap<>(policy.tools());
        Policy copy =
                new Policy(
                        policy.isolation(),
                        policy.limits(),
                        policy.memoryEnforcement(),
                        policy.outputOverflow(),
                        network,
                        files,
                        runtime,
                        env,
                        policy.install(),
                        tools,
                        policy.image());

        network.add(new HostPort("later.example.com", 1));
        runtime.put(Language.PYTHON, Path.of("/later"));
        env.put("LATER", "");
        tools.put("later", ToolRule.ALLOW);

        assertThat(copy).isEqualTo(policy);
    }

    @Property
    void complainsAboutAnyTextInItsOwnWords(@ForAll String text) {
        readsOrComplains(text);
    }

    @Property(tries = 3000)
    void complainsAboutYamlLikeTextInItsOwnWords(@ForAll("yamlLike") String text) {
        readsOrComplains(text);
    }

    @Property(tries = 3000)
    void complainsAboutDamagedPoliciesInItsOwnWords(@ForAll("damaged") String text) {
        readsOrComplains(text);
    }

    private static void readsOrComplains(String text) {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadAllocatedBytes();
        try {
            Policy policy = Policy.parse(text, "text", BASE);
            assertThat(Policy.parse(policy.json(), "json", BASE)).isEqualTo(policy);
        } catch (InvalidPolicy e) {
            assertThat(e.getMessage()).matches("text:[1-9][0-9]*:[1-9][0-9]*: [^\\p{Cntrl}]+");
        }
        assertThat(threads.getCurrentThreadAllocatedBytes() - before)
                .isLessThan(MOST_ALLOCATED.count());
    }

    @Provide
    Arbitrary<String> yamlLike() {
        return Arbitraries.of(
                        "isolation",
                        "limits",
                        "wall",
                        "env",
                        "files",
                        "host",
                        "box",
                        "network",
                        "allow",
                        "tools",
                        "jail",
                        "30s",
                        "A",
                        ": ",
                        ":",
                        ", ",
                        "- ",
                        "? ",
                        "{",
                        "}",
                        "[",
                        "]",
                        "'",
                        "\"",
                        "\n",
                        "\n  ",
                        "\n    ",
                        "\t",
                        "#",
                        "&a ",
                        "*a ",
                        "!!str ",
                        "!",
                        "|\n",
                        ">\n",
                        "%YAML 1.1\n",
                        "---\n",
                        "...\n",
                        "<<",
                        "\\",
                        "\\x4",
                        "\\ud800",
                        "~",
                        "null",
                        "true",
                        "0",
                        "0x",
                        "-",
                        "1_0",
                        "1:30",
                        ".inf",
                        "0b",
                        "0o",
                        "+",
                        "1e",
                        "\0",
                        "\ufeff",
                        "\u0085",
                        "\u2028",
                        "\ud83d\ude00",
                        "\ud800",
                        "é")
                .list()
                .ofMaxSize(40)
                .map(words -> String.join("", words));
    }

    @Provide
    Arbitrary<String> damaged() {
        Arbitrary<String> block =
                Arbitraries.of(
                        "isolation: jail\nlimits: {wall: 30s, cpus: 1, memory: 256MiB}\nnetwork:\n  allow:\n    - a.com:443\nenv:\n  A: 'x'\n",
                        "tools:\n  run: allow\ninstall: {wall: 120s, network: package-index}\nruntime: {python: /usr/bin/python3}\n");
        Arbitrary<String> whole = Arbitraries.oneOf(block, policies().map(Policy::json));
        return Combinators.combine(
                        whole,
                        Arbitraries.integers().between(0, 400),
                        Arbitraries.integers().between(0, 5),
                        Arbitraries.strings().ofMaxLength(3))
                .as((text, at, cut, inserted) -> {
                    int from = Math.min(at, text.length());
                    int to = Math.min(from + cut, text.length());
                    return text.substring(0, from) + inserted + text.substring(to);
                });
    }

    @Provide
    Arbitrary<Policy> policies() {
        return Combinators.combine(
                        Arbitraries.of(Isolation.class),
                        limits(),
                        Arbitraries.of(MemoryEnforcement.class),
                        Arbitraries.of(OutputOverflow.class),
                        places().list().ofMaxSize(4),
                        Arbitraries.maps(Arbitraries.of(Language.class), interpreters()),
                        Arbitraries.maps(names(), texts()).ofMaxSize(4),
                        Combinators.combine(millis(), Arbitraries.of(true, false)).as(Install::new))
                .as((isolation, limits, memory, overflow, network, runtime, env, install) ->
                        new Policy(
                                isolation,
                                limits,
                                memory,
                                overflow,
                                network,
                                List.of(),
                                runtime,
                                env,
                                install,
                                Map.of(),
                                Optional.empty()))
                .flatMap(policy ->
                        Arbitraries.maps(names(), Arbitraries.of(ToolRule.class))
                                .ofMaxSize(3)
                                .map(tools -> {
                                    Policy all = policy;
                                    for (Map.Entry<String, ToolRule> tool : tools.entrySet()) {
                                        all = all.tool(tool.getKey(), tool.getValue());
                                    }
                                    return all;
                                }))
                .flatMap(policy ->
                        Arbitraries.of("python:3-slim", "a/b@sha256:00", "x")
                                .optional()
                                .map(image -> image.map(policy::image).orElse(policy)));
    }

    private static Arbitrary<Limits> limits() {
        return Combinators.combine(
                        millis(),
                        millis(),
                        Arbitraries.oneOf(
                                Arbitraries.doubles().between(0.01, 4095).ofScale(15),
                                Arbitraries.integers().between(1, 64).map(Integer::doubleValue)),
                        amounts(4 << 20),
                        Arbitraries.integers().between(1, 1000),
                        amounts(64 << 10),
                        Arbitraries.integers().between(16, 1000),
                        amounts(0))
                .as((wall, cpuTime, cpus, memory, processes, disk, openFiles, output) ->
                        new Limits(
                                wall,
                                cpuTime,
                                cpus,
                                memory,
                                processes,
                                disk,
                                Limits.DEFAULT.diskRate(),
                                openFiles,
                                output))
                .flatMap(limits -> amounts(64 << 10).map(limits::withDiskRate));
    }

    private static Arbitrary<Duration> millis() {
        return Arbitraries.oneOf(
                        Arbitraries.longs().between(1, 500_000_000),
                        Arbitraries.longs().between(1, 10_000).map(seconds -> seconds * 1000))
                .map(Duration::ofMillis);
    }

    private static Arbitrary<Bytes> amounts(int least) {
        return Arbitraries.oneOf(
                        Arbitraries.longs().between(least, 1 << 29),
                        Arbitraries.longs()
                                .between(least >> 20, 1 << 9)
                                .map(mebi -> Math.max(mebi << 20, least)))
                .map(Bytes::new);
    }

    private static Arbitrary<HostPort> places() {
        Arbitrary<String> labels =
                Arbitraries.strings().withCharRange('a', 'z').ofMinLength(1).ofMaxLength(9);
        return Combinators.combine(labels, Arbitraries.integers().between(1, 65535))
                .as((label, port) -> new HostPort(label + ".example", port));
    }

    private static Arbitrary<Path> interpreters() {
        return Arbitraries.strings()
                .alpha()
                .ofMinLength(1)
                .ofMaxLength(9)
                .map(name -> Path.of("/opt", name));
    }

    private static Arbitrary<String> names() {
        return Arbitraries.strings()
                .withCharRange('A', 'Z')
                .withChars("_az")
                .ofMinLength(1)
                .ofMaxLength(9);
    }

    private static Arbitrary<String> texts() {
        return Arbitraries.strings()
                .all()
                .ofMaxLength(20)
                .filter(text -> text.indexOf('\0') < 0 && !Wording.hasHalves(text));
    }

    private static <E extends Enum<E>> E other(E value, E[] all) {
        return Stream.of(all).filter(each -> each != value).findFirst().orElseThrow();
    }
}
