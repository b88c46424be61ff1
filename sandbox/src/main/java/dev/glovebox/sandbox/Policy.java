package dev.glovebox.sandbox;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;

/**
 * What a program may see, use and reach. It starts at nothing and is allowed things one by one; in
 * which order does not matter.
 *
 * @param isolation the least wall accepted
 * @param limits how much a box may use
 * @param memoryEnforcement how strictly memory must be bounded
 * @param outputOverflow what happens when a program writes more than is kept
 * @param network the only places it may connect to; empty means no network at all
 * @param files host directories and files it may see
 * @param runtime interpreters to use instead of the ones found
 * @param env environment variables beside PATH, HOME, TMPDIR and LANG
 * @param install what the install step of a task may do
 * @param tools which tools an agent may call
 * @param image what its box is made of, behind walls that are made of images
 */
public record Policy(
        Isolation isolation,
        Limits limits,
        MemoryEnforcement memoryEnforcement,
        OutputOverflow outputOverflow,
        List<HostPort> network,
        List<FileGrant> files,
        Map<Language, Path> runtime,
        Map<String, String> env,
        Install install,
        Map<String, ToolRule> tools,
        Optional<String> image) {

    /** How memory must be bounded. */
    public enum MemoryEnforcement {
        /** By a cgroup, or by a supervisor that sums the processes. */
        ANY,
        /** By a cgroup over the whole box, or not at all: then nothing runs. */
        TREE
    }

    /** What happens when a program writes more than is kept of its output. */
    public enum OutputOverflow {
        /** The middle is dropped and counted; the program goes on. */
        TRUNCATE,
        /** The program is killed. */
        KILL
    }

    /** What an agent may do with a tool. */
    public enum ToolRule {
        ALLOW,
        ASK,
        DENY
    }

    /** What the install step may do: how long, and whether it may reach the package index. */
    public record Install(Duration wall, boolean packageIndex) {

        public static final Install DEFAULT = new Install(Duration.ofMinutes(2), false);

        public Install {
            wall = Limits.wholeMillis("install wall", wall);
        }
    }

    private static final Comparator<HostPort> BY_HOST =
            Comparator.comparing(HostPort::host).thenComparingInt(HostPort::port);

    // A name with its registry, tag and digest; it goes to an engine, and into no command line.
    private static final Pattern IMAGE = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._/:@-]{0,254}");

    private static final Policy DENY_ALL =
            new Policy(
                    Isolation.JAIL,
                    Limits.DEFAULT,
                    MemoryEnforcement.ANY,
                    OutputOverflow.TRUNCATE,
                    List.of(),
                    List.of(),
                    Map.of(),
                    Map.of(),
                    Install.DEFAULT,
                    Map.of(),
                    Optional.empty());

    public Policy {
        // The order in which things are allowed means nothing, so it must not change the digest.
        network = network.stream().distinct().sorted(BY_HOST).toList();
        files = files.stream().sorted(Comparator.comparing(FileGrant::box)).toList();
        runtime = Collections.unmodifiableMap(new TreeMap<>(runtime));
        env = Collections.unmodifiableMap(new TreeMap<>(env));
        tools = Collections.unmodifiableMap(new TreeMap<>(tools));
        FileGrant.checkTogether(files);
        runtime.values().forEach(HostPaths::checkInterpreter);
        env.forEach(EnvironmentNames::check);
        tools.keySet().forEach(Policy::checkTool);
        image.ifPresent(Policy::checkImage);
    }

    static void checkTool(String name) {
        if (name.isBlank() || Wording.hasControls(name) || Wording.hasHalves(name)) {
            throw new InvalidPolicy(Wording.quote(name) + " is not the name of a tool");
        }
    }

    static String checkImage(String name) {
        if (!IMAGE.matcher(name).matches()) {
            throw new InvalidPolicy(
                    Wording.quote(name) + " is not the name of an image, such as python:3-slim");
        }
        return name;
    }

    /** No network, no host files, no environment, small limits, a jail around it. */
    public static Policy denyAll() {
        return DENY_ALL;
    }

    public Policy isolation(Isolation least) {
        return PolicyDraft.changed(this, draft -> draft.isolation = least);
    }

    public Policy limits(UnaryOperator<Limits> change) {
        return PolicyDraft.changed(this, draft -> draft.limits = change.apply(limits));
    }

    public Policy wall(Duration value) {
        return limits(l -> l.withWall(value));
    }

    public Policy cpuTime(Duration value) {
        return limits(l -> l.withCpuTime(value));
    }

    public Policy cpus(double value) {
        return limits(l -> l.withCpus(value));
    }

    public Policy memory(Bytes value) {
        return limits(l -> l.withMemory(value));
    }

    public Policy processes(int value) {
        return limits(l -> l.withProcesses(value));
    }

    public Policy disk(Bytes value) {
        return limits(l -> l.withDisk(value));
    }

    public Policy diskRate(Bytes perSecond) {
        return limits(l -> l.withDiskRate(perSecond));
    }

    public Policy openFiles(int value) {
        return limits(l -> l.withOpenFiles(value));
    }

    public Policy output(Bytes value) {
        return limits(l -> l.withOutput(value));
    }

    public Policy memoryEnforcement(MemoryEnforcement value) {
        return PolicyDraft.changed(this, draft -> draft.memoryEnforcement = value);
    }

    public Policy outputOverflow(OutputOverflow value) {
        return PolicyDraft.changed(this, draft -> draft.outputOverflow = value);
    }

    /** Allows connections to one port of one host. */
    public Policy allow(String host, int port) {
        return PolicyDraft.changed(this, draft -> draft.network.add(new HostPort(host, port)));
    }

    /**
     * Shows a host file or directory in the box.
     *
     * @throws InvalidPolicy if it is one that no box may see
     */
    public Policy grant(FileGrant grant) {
        return PolicyDraft.changed(this, draft -> draft.files.add(grant));
    }

    /** Uses an interpreter, by its absolute path, instead of the one that is found. */
    public Policy runtime(Language language, Path interpreter) {
        return PolicyDraft.changed(this, draft -> draft.runtime.put(language, interpreter));
    }

    public Policy env(String name, String value) {
        return PolicyDraft.changed(this, draft -> draft.env.put(name, value));
    }

    public Policy install(Install value) {
        return PolicyDraft.changed(this, draft -> draft.install = value);
    }

    /** Says what an agent may do with a tool. */
    public Policy tool(String name, ToolRule rule) {
        return PolicyDraft.changed(this, draft -> draft.tools.put(name, rule));
    }

    /**
     * Makes boxes of an image: {@code name:tag}, or {@code name@sha256:...} for always the same.
     * Walls that are not made of images refuse the policy then.
     */
    public Policy image(String name) {
        return PolicyDraft.changed(this, draft -> draft.image = Optional.of(name));
    }

    /**
     * A SHA-256 over everything this policy says; equal policies have equal digests, everywhere.
     */
    public String digest() {
        return PolicyJson.digest(this);
    }

    /**
     * This policy in canonical JSON (RFC 8785) with every field, which {@link #parse} reads back.
     */
    public String json() {
        return PolicyJson.write(this);
    }

    /**
     * Reads a policy as YAML or JSON.
     *
     * @param source where the text comes from, for messages
     * @param base the directory that relative host paths start from
     * @throws InvalidPolicy naming line and column of the first thing that is wrong
     */
    public static Policy parse(String text, String source, Path base) {
        return PolicyFile.parse(text, source, base);
    }

    /**
     * Reads a policy file; relative host paths start from its directory.
     *
     * @throws InvalidPolicy if it cannot be read or says nonsense
     */
    public static Policy load(Path file) {
        return PolicyFile.load(file);
    }
}
