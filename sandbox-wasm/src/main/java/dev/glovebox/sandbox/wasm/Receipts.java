package dev.glovebox.sandbox.wasm;

import dev.glovebox.sandbox.Bytes;
import dev.glovebox.sandbox.Control;
import dev.glovebox.sandbox.Interpreter;
import dev.glovebox.sandbox.Language;
import dev.glovebox.sandbox.Output;
import dev.glovebox.sandbox.Policy;
import dev.glovebox.sandbox.Program;
import dev.glovebox.sandbox.Receipt;
import dev.glovebox.sandbox.spi.Digests;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;

/** What was in force for a program, read from the objects that enforced it. */
final class Receipts {

    /** Not a file of the host: the engine is part of this JVM. */
    static final Interpreter JAVASCRIPT =
            new Interpreter(Language.JAVASCRIPT, Path.of("/quickjs"), Engines.QUICKJS);

    private Receipts() {}

    static Receipt of(
            Program program,
            Policy policy,
            Guest guest,
            Processors processors,
            Output stdout,
            Output stderr) {
        Map<String, String> inputs = new TreeMap<>();
        program.inputs().forEach((path, content) -> inputs.put(path, Digests.hex(content)));
        boolean script = program.code() instanceof Program.Script;
        return new Receipt(
                WasmTier.NAME,
                Engines.ALL,
                script ? Optional.of(JAVASCRIPT) : Optional.empty(),
                OptionalLong.empty(),
                digest(program, guest),
                inputs,
                policy.digest(),
                controls(policy, guest, processors, script),
                stdout.digest(),
                stderr.digest());
    }

    private static String digest(Program program, Guest guest) {
        return switch (program.code()) {
            case Program.Script script -> Digests.hex(script.source());
            case Program.Command command ->
                    Digests.hex(
                            String.join("\0", guest.arguments()).getBytes(StandardCharsets.UTF_8));
        };
    }

    private static List<Control> controls(
            Policy policy, Guest guest, Processors processors, boolean script) {
        return List.of(
                new Control(
                        "engine",
                        "sha256:" + (script ? Engines.quickJsDigest() : Engines.endiveDigest()),
                        script ? Engines.QUICKJS : Engines.ALL),
                new Control("process", "none", "WebAssembly inside the JVM"),
                new Control("network", "none", "no function for it"),
                new Control("files", "none of the host", "directory in memory"),
                new Control("environment", "scrubbed", "own environment"),
                new Control("clock", "1ms", "wall time, and time since the start"),
                new Control("randomness", "fresh", "the JVM's SecureRandom"),
                new Control(
                        "memory",
                        new Bytes((long) guest.pages().limit() * Pages.SIZE).toString(),
                        "tree, linear memory of all programs of the box"),
                new Control("processes", "none", "no function for it"),
                new Control("disk", new Bytes(guest.tree().bytes()).toString(), "blocks in memory"),
                new Control("disk-rate", "nothing to write to", "directory in memory"),
                new Control("inodes", Long.toString(guest.tree().mostNodes()), "count"),
                new Control(
                        "open-files",
                        Integer.toString(guest.descriptors().limit()),
                        "table of descriptors"),
                new Control("cpus", Integer.toString(processors.count()), "threads that compute"),
                new Control("cpu-time", told(policy.limits().cpuTime()), "supervisor, thread time"),
                new Control("wall", told(policy.limits().wall()), "supervisor"),
                new Control("output", policy.limits().output().toString(), "capture"));
    }

    private static String told(Duration time) {
        return time.toMillis() % 1000 == 0 ? time.toSeconds() + "s" : time.toMillis() + "ms";
    }
}
