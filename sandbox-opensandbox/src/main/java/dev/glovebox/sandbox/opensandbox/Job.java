package dev.glovebox.sandbox.opensandbox;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.glovebox.sandbox.Interpreter;
import dev.glovebox.sandbox.Limits;
import dev.glovebox.sandbox.NotEnforceable;
import dev.glovebox.sandbox.Program;
import dev.glovebox.sandbox.spi.Digests;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What the agent in the box is told to run.
 *
 * @param words its name and its arguments
 * @param codeDigest of the source, or of the words
 */
record Job(
        List<String> words,
        Map<String, String> environment,
        Optional<Interpreter> interpreter,
        String codeDigest) {

    /** What a program means in a box; puts its source into the scratch. */
    static Job of(Program program, RemoteBox box, RemoteFiles files, String prefix) {
        List<String> words = new ArrayList<>();
        Optional<Interpreter> interpreter = Optional.empty();
        String digest = "";
        switch (program.code()) {
            case Program.Script script -> {
                Interpreter found = box.interpreters().get(script.language());
                if (found == null) {
                    throw new NotEnforceable(
                            "runtime", "The image has no interpreter for " + script.language());
                }
                String name = prefix + script.filename();
                files.write(name, script.source());
                interpreter = Optional.of(found);
                words.add(found.path().toString());
                words.add(box.scratch() + "/" + name);
                digest = Digests.hex(script.source());
            }
            case Program.Command(String name) -> words.add(name);
        }
        words.addAll(program.arguments());
        if (digest.isEmpty()) {
            digest = Digests.hex(String.join("\0", words).getBytes(StandardCharsets.UTF_8));
        }
        Map<String, String> environment = new TreeMap<>();
        environment.put("PATH", "/usr/local/bin:/usr/bin:/bin");
        environment.put("HOME", box.scratch());
        environment.put("TMPDIR", box.scratch());
        environment.put("LANG", "C.UTF-8");
        environment.putAll(box.policy().env());
        environment.putAll(program.env());
        return new Job(List.copyOf(words), environment, interpreter, digest);
    }

    byte[] json(String scratch, Limits limits) {
        ObjectNode job = Wire.JSON.createObjectNode();
        words.forEach(job.putArray("words")::add);
        environment.forEach(job.putObject("env")::put);
        job.put("scratch", scratch);
        job.putObject("limits")
                .put("wall", limits.wall().toMillis())
                .put("cpu", limits.cpuTime().toMillis())
                .put("memory", limits.memory().count())
                .put("processes", limits.processes())
                .put("disk", limits.disk().count())
                .put("output", limits.output().count())
                .put("files", limits.openFiles());
        return job.toString().getBytes(StandardCharsets.UTF_8);
    }
}
