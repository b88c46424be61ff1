package dev.glovebox.sandbox.internal;

import dev.glovebox.sandbox.Interpreter;
import dev.glovebox.sandbox.InvalidPolicy;
import dev.glovebox.sandbox.Language;
import dev.glovebox.sandbox.Policy;
import java.nio.file.Path;
import java.util.Optional;

/** Which interpreter of the host a box gets for a language. */
final class Interpreters {

    private Interpreters() {}

    static Optional<Path> path(Language language, Policy policy) {
        Path wanted = policy.runtime().get(language);
        if (wanted == null) {
            return switch (language) {
                case PYTHON -> Tools.find("python3", "python");
                case JAVASCRIPT -> Tools.find("node", "nodejs");
                case BASH -> Tools.find("bash");
            };
        }
        if (!wanted.isAbsolute() || !Tools.usable(wanted)) {
            throw new InvalidPolicy(
                    "The policy's interpreter for "
                            + language
                            + ", "
                            + wanted
                            + ", is not a program outside home directories; name one by its absolute path");
        }
        return Optional.of(wanted);
    }

    static Optional<Interpreter> find(Language language, Policy policy) {
        return path(language, policy)
                .map(path -> new Interpreter(language, path, Tools.version(path)));
    }
}
