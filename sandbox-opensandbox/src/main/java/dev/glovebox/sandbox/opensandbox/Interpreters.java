package dev.glovebox.sandbox.opensandbox;

import dev.glovebox.sandbox.Interpreter;
import dev.glovebox.sandbox.Language;
import dev.glovebox.sandbox.NotEnforceable;
import dev.glovebox.sandbox.Outcome;
import dev.glovebox.sandbox.Program;
import dev.glovebox.sandbox.Result;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Map;
import java.util.regex.Pattern;

/** Which interpreters the image has; that is also the proof that our agent runs in it. */
final class Interpreters {

    private static final String ASK =
            """
            for name in python3 node bash; do
              path=$(command -v $name) || continue
              case $path in /*) ;; *) continue;; esac
              echo "$name $path $($path --version 2>&1 | head -n 1)"
            done
            """;

    // What an image calls its interpreters is its own word.
    private static final Pattern PLAIN = Pattern.compile("/[A-Za-z0-9._/+-]{1,255}");

    private Interpreters() {}

    static Map<Language, Interpreter> found(RemoteBox box) {
        Result result = box.look(Program.command("sh", "-c", ASK));
        if (!result.outcome().equals(new Outcome.Exited(0))) {
            throw new NotEnforceable(
                    "runtime",
                    "The image '"
                            + box.server().settings().image()
                            + "' does not run our agent, "
                            + result.outcome(),
                    "Choose one with Python 3 and sh by " + Settings.IMAGE);
        }
        Map<Language, Interpreter> found = new EnumMap<>(Language.class);
        result.stdout()
                .text()
                .lines()
                .map(line -> line.split(" ", 3))
                .filter(words -> words.length == 3 && PLAIN.matcher(words[1]).matches())
                .forEach(words -> {
                    Language language =
                            switch (words[0]) {
                                case "python3" -> Language.PYTHON;
                                case "node" -> Language.JAVASCRIPT;
                                default -> Language.BASH;
                            };
                    found.put(
                            language,
                            new Interpreter(language, Path.of(words[1]), version(words[2])));
                });
        return found;
    }

    private static String version(String told) {
        String line = ServerTrouble.line(told);
        return line.replaceFirst("^(Python |v|GNU bash, version )", "").split("[ (]", 2)[0];
    }
}
