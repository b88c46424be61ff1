package dev.glovebox.sandbox;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What to run: source in a language or a command, with its arguments, input and the files wanted
 * back.
 *
 * @param stdin all the program can read; absent: nothing for {@code run}, open for {@code start}
 * @param inputs files put into the scratch before the start, by relative path
 * @param outputs files of the scratch wanted in the result, by relative path
 */
public record Program(
        Code code,
        List<String> arguments,
        Map<String, String> env,
        Optional<byte[]> stdin,
        Map<String, byte[]> inputs,
        List<String> outputs) {

    /** What is executed. */
    public sealed interface Code {}

    /** Source text in a language; {@code filename} is its name in the scratch. */
    public record Script(Language language, byte[] source, String filename) implements Code {}

    /** A program that the box already has. */
    public record Command(String name) implements Code {}

    public Program {
        arguments = List.copyOf(arguments);
        env = Map.copyOf(env);
        inputs = Map.copyOf(inputs);
        outputs = List.copyOf(outputs);
        env.forEach(EnvironmentNames::check);
        arguments.forEach(Program::checkWord);
        if (code instanceof Command(String name)) {
            checkWord(name);
        }
    }

    private static void checkWord(String word) {
        if (word.indexOf('\0') >= 0) {
            throw new IllegalArgumentException("A command cannot hold a NUL character");
        }
        if (!StandardCharsets.UTF_8.newEncoder().canEncode(word)) {
            throw new IllegalArgumentException("A command cannot hold half a character: " + word);
        }
    }

    public static Program python(String source) {
        return script(Language.PYTHON, source.getBytes(StandardCharsets.UTF_8));
    }

    public static Program javascript(String source) {
        return script(Language.JAVASCRIPT, source.getBytes(StandardCharsets.UTF_8));
    }

    public static Program bash(String source) {
        return script(Language.BASH, source.getBytes(StandardCharsets.UTF_8));
    }

    public static Program script(Language language, byte[] source) {
        return of(new Script(language, source.clone(), language.filename()));
    }

    /** Source under a file name of its own, relative to the scratch directory. */
    public static Program script(Language language, byte[] source, String filename) {
        return of(new Script(language, source.clone(), filename));
    }

    /**
     * Source from a file of the host, which keeps its name in the box.
     *
     * @throws UncheckedIOException if the file cannot be read
     */
    public static Program script(Language language, Path file) {
        try {
            return of(
                    new Script(language, Files.readAllBytes(file), file.getFileName().toString()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A command that the box has, found through its PATH unless it is a path itself. */
    public static Program command(String name, String... arguments) {
        return of(new Command(name)).args(arguments);
    }

    private static Program of(Code code) {
        return new Program(code, List.of(), Map.of(), Optional.empty(), Map.of(), List.of());
    }

    public Program args(String... more) {
        List<String> longer = new ArrayList<>(arguments);
        longer.addAll(List.of(more));
        return new Program(code, longer, env, stdin, inputs, outputs);
    }

    public Program env(String name, String value) {
        return new Program(code, arguments, plus(env, name, value), stdin, inputs, outputs);
    }

    public Program stdin(byte[] all) {
        return new Program(code, arguments, env, Optional.of(all.clone()), inputs, outputs);
    }

    public Program stdin(String all) {
        return stdin(all.getBytes(StandardCharsets.UTF_8));
    }

    public Program input(String path, byte[] content) {
        return new Program(
                code, arguments, env, stdin, plus(inputs, path, content.clone()), outputs);
    }

    public Program output(String path) {
        List<String> longer = new ArrayList<>(outputs);
        longer.add(path);
        return new Program(code, arguments, env, stdin, inputs, longer);
    }

    private static <V> Map<String, V> plus(Map<String, V> map, String key, V value) {
        Map<String, V> larger = new TreeMap<>(map);
        larger.put(key, value);
        return larger;
    }
}
