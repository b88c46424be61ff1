package dev.glovebox.sandbox;

import dev.glovebox.sandbox.Node.Entry;
import dev.glovebox.sandbox.Node.Kind;
import dev.glovebox.sandbox.Node.Mapping;
import dev.glovebox.sandbox.Node.Scalar;
import dev.glovebox.sandbox.Node.Sequence;
import dev.glovebox.sandbox.Policy.Install;
import dev.glovebox.sandbox.Policy.MemoryEnforcement;
import dev.glovebox.sandbox.Policy.OutputOverflow;
import dev.glovebox.sandbox.Policy.ToolRule;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Reads a policy from YAML or JSON; each complaint names its line and column. */
final class PolicyFile {

    private static final Pattern WHOLE = Pattern.compile("0|[1-9][0-9]{0,8}");
    private static final Pattern DECIMAL = Pattern.compile("(0|[1-9][0-9]{0,8})(\\.[0-9]{1,24})?");

    private static final List<String> POLICY_KEYS =
            List.of(
                    "isolation",
                    "limits",
                    "memory-enforcement",
                    "output-overflow",
                    "network",
                    "files",
                    "runtime",
                    "env",
                    "install",
                    "tools",
                    "image");
    private static final List<String> LIMIT_KEYS =
            List.of(
                    "wall",
                    "cpu-time",
                    "cpus",
                    "memory",
                    "processes",
                    "disk",
                    "disk-rate",
                    "open-files",
                    "output");
    private static final List<String> NETWORK_KEYS = List.of("allow");
    private static final List<String> FILE_KEYS = List.of("host", "box", "mode");
    private static final List<String> INSTALL_KEYS = List.of("wall", "network");

    /** The words of {@code install.network}. */
    enum InstallNetwork {
        NONE,
        PACKAGE_INDEX
    }

    private final Path base;
    private final PolicyDraft draft = new PolicyDraft(Policy.denyAll());

    private PolicyFile(Path base) {
        this.base = base;
    }

    /** Reads a text; nothing in it is the policy that denies all. */
    static Policy parse(String text, String source, Path base) {
        return new PolicyFile(base).policy(NodeReader.read(text, source));
    }

    /** Reads a file; relative host paths start from its directory. */
    static Policy load(Path file) {
        Path absolute = file.toAbsolutePath();
        Path directory = absolute.getParent();
        return parse(
                NodeReader.text(file), file.toString(), directory == null ? absolute : directory);
    }

    private Policy policy(Node root) {
        for (Entry entry : entries(root, "a policy", "{isolation: jail}")) {
            Node value = entry.value();
            switch (entry.key()) {
                case "isolation" -> draft.isolation = word(value, Isolation.values());
                case "limits" -> limits(value);
                case "memory-enforcement" ->
                        draft.memoryEnforcement = word(value, MemoryEnforcement.values());
                case "output-overflow" ->
                        draft.outputOverflow = word(value, OutputOverflow.values());
                case "network" -> network(value);
                case "files" ->
                        items(value, "'files'", "[{host: ./data, box: /data}]").forEach(this::file);
                case "runtime" -> runtime(value);
                case "env" -> env(value);
                case "install" -> install(value);
                case "tools" -> tools(value);
                case "image" ->
                        draft.image =
                                Optional.of(
                                        read(
                                                value,
                                                v ->
                                                        Policy.checkImage(
                                                                text(v, "the name of an image"))));
                default -> throw unknown(entry, "a policy", POLICY_KEYS);
            }
        }
        return draft.policy();
    }

    private void limits(Node node) {
        for (Entry entry : entries(node, "'limits'", "{wall: 30s}")) {
            Node value = entry.value();
            draft.limits =
                    switch (entry.key()) {
                        case "wall" -> read(value, v -> draft.limits.withWall(duration(v)));
                        case "cpu-time" -> read(value, v -> draft.limits.withCpuTime(duration(v)));
                        case "cpus" -> read(value, v -> draft.limits.withCpus(decimal(v)));
                        case "memory" -> read(value, v -> draft.limits.withMemory(bytes(v)));
                        case "processes" -> read(value, v -> draft.limits.withProcesses(whole(v)));
                        case "disk" -> read(value, v -> draft.limits.withDisk(bytes(v)));
                        case "disk-rate" -> read(value, v -> draft.limits.withDiskRate(bytes(v)));
                        case "open-files" -> read(value, v -> draft.limits.withOpenFiles(whole(v)));
                        case "output" -> read(value, v -> draft.limits.withOutput(bytes(v)));
                        default -> throw unknown(entry, "'limits'", LIMIT_KEYS);
                    };
        }
    }

    private void network(Node node) {
        for (Entry entry : entries(node, "'network'", "{allow: [\"api.example.com:443\"]}")) {
            if (!entry.key().equals("allow")) {
                throw unknown(entry, "'network'", NETWORK_KEYS);
            }
            for (Node item : items(entry.value(), "'allow'", "[\"api.example.com:443\"]")) {
                draft.network.add(read(item, v -> HostPort.parse(text(v, "HOST:PORT"))));
            }
        }
    }

    private void file(Node node) {
        Map<String, Node> given = new TreeMap<>();
        for (Entry entry :
                entries(node, "an entry of 'files'", "{host: ./data, box: /data, mode: read}")) {
            if (!FILE_KEYS.contains(entry.key())) {
                throw unknown(entry, "an entry of 'files'", FILE_KEYS);
            }
            given.put(entry.key(), entry.value());
        }
        Node host = given.get("host");
        Node box = given.get("box");
        if (host == null || box == null) {
            throw node.at().wrong("an entry of 'files' needs 'host' and 'box'");
        }
        Node mode = given.get("mode");
        FileGrant.Mode granted =
                mode == null ? FileGrant.Mode.READ : word(mode, FileGrant.Mode.values());
        String inside = read(box, v -> BoxPath.check(text(v, "a path in the box")));
        FileGrant grant =
                read(
                        host,
                        v ->
                                new FileGrant(
                                        base.resolve(HostPaths.path(text(v, "a host path"))),
                                        inside,
                                        granted));
        for (FileGrant other : draft.files) {
            box.at().check(() -> BoxPath.checkApart(other.box(), inside));
        }
        draft.files.add(grant);
    }

    private void runtime(Node node) {
        for (Entry entry : entries(node, "'runtime'", "{python: /usr/bin/python3}")) {
            Language language =
                    word(new Scalar(entry.at(), Kind.TEXT, entry.key()), Language.values());
            draft.runtime.put(
                    language,
                    read(
                            entry.value(),
                            v ->
                                    HostPaths.checkInterpreter(
                                            HostPaths.path(
                                                    text(v, "the path of an interpreter")))));
        }
    }

    private void env(Node node) {
        for (Entry entry : entries(node, "'env'", "{LANG: C.UTF-8}")) {
            entry.at().check(() -> EnvironmentNames.check(entry.key(), ""));
            read(
                    entry.value(),
                    v -> {
                        if (!(v instanceof Scalar scalar) || scalar.kind() == Kind.NOTHING) {
                            throw expected("a text, or '' for an empty one", v);
                        }
                        EnvironmentNames.check(entry.key(), scalar.text());
                        return draft.env.put(entry.key(), scalar.text());
                    });
        }
    }

    private void install(Node node) {
        for (Entry entry : entries(node, "'install'", "{wall: 120s, network: package-index}")) {
            Node value = entry.value();
            draft.install =
                    switch (entry.key()) {
                        case "wall" ->
                                read(
                                        value,
                                        v ->
                                                new Install(
                                                        duration(v), draft.install.packageIndex()));
                        case "network" ->
                                new Install(
                                        draft.install.wall(),
                                        word(value, InstallNetwork.values())
                                                == InstallNetwork.PACKAGE_INDEX);
                        default -> throw unknown(entry, "'install'", INSTALL_KEYS);
                    };
        }
    }

    private void tools(Node node) {
        for (Entry entry : entries(node, "'tools'", "{run_python: allow}")) {
            entry.at().check(() -> Policy.checkTool(entry.key()));
            draft.tools.put(entry.key(), word(entry.value(), ToolRule.values()));
        }
    }

    private static List<Entry> entries(Node node, String what, String example) {
        return switch (node) {
            case Mapping mapping -> mapping.entries();
            case Scalar scalar when scalar.kind() == Kind.NOTHING -> List.of();
            case Scalar _, Sequence _ ->
                    throw node.at()
                            .wrong(what + " is a mapping such as " + example + ", not " + node);
        };
    }

    private static List<Node> items(Node node, String what, String example) {
        return switch (node) {
            case Sequence sequence -> sequence.items();
            case Scalar scalar when scalar.kind() == Kind.NOTHING -> List.of();
            case Scalar _, Mapping _ ->
                    throw node.at().wrong(what + " is a list such as " + example + ", not " + node);
        };
    }

    private static InvalidPolicy unknown(Entry entry, String where, List<String> known) {
        return entry.at().wrong(Wording.unknown("key", entry.key(), " in " + where, known));
    }

    private static <T> T read(Node node, Function<Node, T> value) {
        return node.at().locate(() -> value.apply(node));
    }

    private static <E extends Enum<E>> E word(Node node, E[] choices) {
        List<String> words = Stream.of(choices).map(Wording::word).toList();
        return read(
                node,
                v -> {
                    int index = words.indexOf(text(v, "one of " + String.join(", ", words)));
                    if (index < 0) {
                        throw new InvalidPolicy(
                                Wording.unknown("word", ((Scalar) v).text(), "", words));
                    }
                    return choices[index];
                });
    }

    private static String text(Node node, String what) {
        if (node instanceof Scalar(_, Kind kind, String text) && kind == Kind.TEXT) {
            return text;
        }
        throw expected(what, node);
    }

    private static Duration duration(Node node) {
        return Durations.parse(textOrNumber(node, "a duration such as 500ms, 10s or 2m"));
    }

    private static Bytes bytes(Node node) {
        return Bytes.parse(textOrNumber(node, "an amount of bytes such as 256MiB"));
    }

    private static String textOrNumber(Node node, String what) {
        if (node instanceof Scalar(_, Kind kind, String text)
                && (kind == Kind.TEXT || kind == Kind.NUMBER)) {
            return text;
        }
        throw expected(what, node);
    }

    private static int whole(Node node) {
        return Integer.parseInt(number(node, WHOLE, "a whole number such as 64"));
    }

    private static double decimal(Node node) {
        return Double.parseDouble(number(node, DECIMAL, "a number such as 2 or 0.5"));
    }

    private static String number(Node node, Pattern form, String what) {
        if (node instanceof Scalar(_, Kind kind, String text)
                && kind == Kind.NUMBER
                && form.matcher(text).matches()) {
            return text;
        }
        throw expected(what, node);
    }

    private static InvalidPolicy expected(String what, Node found) {
        return new InvalidPolicy("expected " + what + ", found " + found);
    }
}
