package dev.glovebox.sandbox.wasm;

import dev.glovebox.sandbox.FileRefused;
import dev.glovebox.sandbox.Language;
import dev.glovebox.sandbox.NotEnforceable;
import dev.glovebox.sandbox.Policy;
import dev.glovebox.sandbox.Program;
import java.util.ArrayList;
import java.util.List;

/**
 * What is really run for a program.
 *
 * @param words its name and its arguments
 */
record Launch(List<String> words, Life.Body body) {

    private static final String MODULE = ".wasm";

    /**
     * What a program means in a box; puts its source into the box's directory.
     *
     * @param prefix set before the name of a script where another command may have one of that name
     */
    static Launch of(Program program, Policy policy, MemoryFiles files, String prefix) {
        List<String> words = new ArrayList<>();
        Life.Body body =
                switch (program.code()) {
                    case Program.Script script -> {
                        String name = prefix + script.filename();
                        requireJavaScript(script.language(), policy);
                        files.write(name, script.source());
                        words.add("/" + name);
                        // Before its time runs: the first one waits for the engine itself to start.
                        QuickJs engine = QuickJs.engine();
                        yield guest -> engine.run(guest, script.source());
                    }
                    case Program.Command(String name) -> {
                        words.add(name);
                        yield module(name, files);
                    }
                };
        words.addAll(program.arguments());
        return new Launch(List.copyOf(words), body);
    }

    private static void requireJavaScript(Language language, Policy policy) {
        if (language != Language.JAVASCRIPT || policy.runtime().containsKey(language)) {
            throw new NotEnforceable(
                    "runtime",
                    "The wasm tier has no interpreter for "
                            + language
                            + " but its own for JavaScript");
        }
    }

    /** A command is a module in the box; there are no others. */
    private static Life.Body module(String name, MemoryFiles files) {
        if (!name.endsWith(MODULE)) {
            return refused(
                    "there is no command '"
                            + name
                            + "': the wasm tier runs .wasm files of the box");
        }
        try {
            byte[] bytes = files.read(name.replaceFirst("^(\\./|/)+", ""));
            return guest -> WasiModule.run(guest, name, bytes);
        } catch (FileRefused e) {
            return refused("there is no command '" + name + "': " + e.getMessage());
        }
    }

    private static Life.Body refused(String reason) {
        return guest -> {
            throw new Unwinding.NoProgram(reason);
        };
    }
}
