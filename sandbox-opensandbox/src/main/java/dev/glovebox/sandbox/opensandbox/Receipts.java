package dev.glovebox.sandbox.opensandbox;

import dev.glovebox.sandbox.Control;
import dev.glovebox.sandbox.Durations;
import dev.glovebox.sandbox.Limits;
import dev.glovebox.sandbox.Output;
import dev.glovebox.sandbox.Program;
import dev.glovebox.sandbox.Receipt;
import dev.glovebox.sandbox.spi.Digests;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;

/** What was in force for a program: what the server says, and what we hold it to ourselves. */
final class Receipts {

    private static final String AGENT = "our agent in the box, every 20 ms";

    private Receipts() {}

    static Receipt of(RemoteBox box, Program program, Job job, Output stdout, Output stderr) {
        Map<String, String> inputs = new TreeMap<>();
        program.inputs().forEach((path, content) -> inputs.put(path, Digests.hex(content)));
        return new Receipt(
                OpenSandboxTier.NAME,
                "OpenSandbox, image " + box.server().settings().image(),
                job.interpreter(),
                OptionalLong.empty(),
                job.codeDigest(),
                inputs,
                box.policy().digest(),
                controls(box),
                stdout.digest(),
                stderr.digest());
    }

    private static List<Control> controls(RemoteBox box) {
        Limits limits = box.policy().limits();
        List<Control> controls = new ArrayList<>();
        controls.add(
                new Control(
                        "machine",
                        "somebody else's, " + box.server().settings().server().getAuthority(),
                        "nothing about it can be checked from here"));
        controls.addAll(box.inForce());
        controls.add(new Control("files", "none of this machine", "another machine"));
        controls.add(new Control("environment", "scrubbed", "own environment"));
        controls.add(new Control("memory-of-program", limits.memory().toString(), AGENT));
        controls.add(new Control("processes", Integer.toString(limits.processes()), AGENT));
        controls.add(
                new Control(
                        "disk", limits.disk().toString(), "our agent in the box, every 200 ms"));
        controls.add(new Control("disk-rate", "not bounded", "the interface has no such limit"));
        controls.add(
                new Control(
                        "open-files", Integer.toString(limits.openFiles()), "rlimit by our agent"));
        controls.add(new Control("cpu-time", Durations.format(limits.cpuTime()), AGENT));
        controls.add(
                new Control("wall", Durations.format(limits.wall()), "our agent, and this side"));
        controls.add(new Control("output", limits.output().toString(), "capture on this side"));
        controls.add(
                new Control(
                        "lease",
                        Durations.format(Lifecycle.LEASE),
                        "the server ends the box when nobody renews it"));
        return controls;
    }
}
