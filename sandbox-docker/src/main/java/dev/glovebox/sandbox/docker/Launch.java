package dev.glovebox.sandbox.docker;

import dev.glovebox.sandbox.Interpreter;
import dev.glovebox.sandbox.NotEnforceable;
import dev.glovebox.sandbox.Outcome;
import dev.glovebox.sandbox.Policy;
import dev.glovebox.sandbox.Program;
import dev.glovebox.sandbox.spi.Digests;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What is really executed for a program.
 *
 * @param script what has to be in the scratch first
 */
record Launch(
        List<String> words,
        Map<String, String> env,
        Optional<Program.Script> script,
        Optional<Interpreter> interpreter) {

    static final String PATH = "/usr/local/bin:/usr/bin:/bin";

    /**
     * What a program means in a box.
     *
     * @param prefix set before the name of a script where another command of the box may still be
     *     reading one of the same name, else empty
     */
    static Launch of(Program program, Policy policy, Interpreters interpreters, String prefix) {
        List<String> words = new ArrayList<>();
        Optional<Program.Script> script = Optional.empty();
        Optional<Interpreter> interpreter = Optional.empty();
        switch (program.code()) {
            case Program.Command(String name) -> words.add(name);
            case Program.Script source -> {
                Interpreter found =
                        interpreters
                                .find(source.language(), policy)
                                .orElseThrow(() ->
                                        new NotEnforceable(
                                                "runtime",
                                                "The image has no interpreter for "
                                                        + source.language()));
                interpreter = Optional.of(found);
                String filename = prefix + source.filename();
                words.add(found.path().toString());
                words.add(ContainerSpec.SCRATCH + "/" + filename);
                script =
                        Optional.of(
                                new Program.Script(source.language(), source.source(), filename));
            }
        }
        words.addAll(program.arguments());
        Map<String, String> env = new TreeMap<>(environment());
        env.putAll(policy.env());
        env.putAll(program.env());
        return new Launch(List.copyOf(words), env, script, interpreter);
    }

    static Map<String, String> environment() {
        return Map.of(
                "PATH",
                PATH,
                "HOME",
                ContainerSpec.SCRATCH,
                "TMPDIR",
                ContainerSpec.TMP,
                "LANG",
                "C.UTF-8");
    }

    /** The order to the holder: a count, that many words, and the environment. */
    byte[] order() {
        return order(words, env);
    }

    static byte[] order(List<String> words, Map<String, String> env) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.writeBytes(Integer.toString(words.size()).getBytes(StandardCharsets.UTF_8));
        words.forEach(word -> field(out, word));
        env.forEach((name, value) -> field(out, name + "=" + value));
        return out.toByteArray();
    }

    private static void field(ByteArrayOutputStream out, String text) {
        out.write(0);
        out.writeBytes(text.getBytes(StandardCharsets.UTF_8));
    }

    Outcome notStarted(byte[] word) {
        String said = new String(word, StandardCharsets.ISO_8859_1);
        String name = words.getFirst();
        return new Outcome.NotStarted(
                switch (said) {
                    case "nocommand" -> "there is no command '" + name + "' in the box";
                    case "nodirectory" -> "the scratch directory is not usable any more";
                    case "nofork" -> "the box has no room for another process";
                    default -> "'" + name + "' cannot be executed";
                });
    }

    /** SHA-256 of the source, or of the words of a command. */
    String digest() {
        return Digests.hex(
                script.map(Program.Script::source)
                        .orElseGet(
                                () -> String.join("\0", words).getBytes(StandardCharsets.UTF_8)));
    }
}
