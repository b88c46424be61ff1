package dev.glovebox.sandbox.internal;

import dev.glovebox.sandbox.Interpreter;
import dev.glovebox.sandbox.Language;
import dev.glovebox.sandbox.NotEnforceable;
import dev.glovebox.sandbox.Policy;
import dev.glovebox.sandbox.Program;
import dev.glovebox.sandbox.spi.Digests;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What is really executed for a program.
 *
 * @param script what has to be in the scratch first
 */
record CommandLine(
        List<String> words, Optional<Program.Script> script, Optional<Language> language) {

    /**
     * What a program means in a box.
     *
     * @param scratch the scratch directory as the program sees it
     * @param prefix set before the name of a script where another command of the box may still be
     *     reading one of the same name, else empty
     */
    static CommandLine of(Program program, Policy policy, String scratch, String prefix) {
        List<String> words = new ArrayList<>();
        Optional<Program.Script> script = Optional.empty();
        Optional<Language> language = Optional.empty();
        switch (program.code()) {
            case Program.Command(String name) -> words.add(name);
            case Program.Script source -> {
                Path interpreter =
                        Interpreters.path(source.language(), policy)
                                .orElseThrow(() ->
                                        new NotEnforceable(
                                                "runtime",
                                                "There is no interpreter for "
                                                        + source.language()
                                                        + " outside home directories on this machine"));
                words.add(interpreter.toString());
                String filename = prefix + source.filename();
                words.add(scratch + "/" + filename);
                script =
                        Optional.of(
                                new Program.Script(source.language(), source.source(), filename));
                language = Optional.of(source.language());
            }
        }
        words.addAll(program.arguments());
        return new CommandLine(List.copyOf(words), script, language);
    }

    Optional<Interpreter> interpreter(Policy policy) {
        return language.flatMap(one -> Interpreters.find(one, policy));
    }

    /** SHA-256 of the source, or of the words of a command. */
    String digest() {
        return Digests.hex(
                script.map(Program.Script::source)
                        .orElseGet(
                                () -> String.join("\0", words).getBytes(StandardCharsets.UTF_8)));
    }
}
