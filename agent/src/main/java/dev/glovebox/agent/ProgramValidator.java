package dev.glovebox.agent;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.glovebox.run.Context;
import dev.glovebox.sandbox.Outcome;
import dev.glovebox.sandbox.Policy;
import dev.glovebox.sandbox.Program;
import java.util.Optional;

/** Has a program look at an answer, in a fresh box. */
final class ProgramValidator implements Validator {

    private static final String FILE = "answer";

    /** Of each stream, in characters. */
    private static final int MOST = 2000;

    private final Policy policy;
    private final Wall wall;
    private final Program check;

    ProgramValidator(Policy policy, Wall wall, Program check) {
        if (check.stdin().isPresent() || check.inputs().containsKey(FILE)) {
            throw new IllegalArgumentException(
                    "The standard input and the file " + FILE + " of a check are the answer");
        }
        this.policy = policy;
        this.wall = wall;
        this.check = check;
    }

    @Override
    public Optional<String> problem(String answer, Context context) {
        byte[] bytes = answer.getBytes(UTF_8);
        Program program = check.stdin(bytes).input(FILE, bytes);
        Launch launch = Launch.of(policy, program).behind(wall);
        Executed executed = context.perform(SandboxExec.of(launch));
        if (executed.outcome() instanceof Outcome.Exited(int code) && code == 0) {
            return Optional.empty();
        }
        return Optional.of(
                "The check of the answer did not exit with 0 ("
                        + OutcomeJson.words(executed.outcome())
                        + ")."
                        + printed("stdout", executed.stdout())
                        + printed("stderr", executed.stderr()));
    }

    private static String printed(String stream, byte[] bytes) {
        String text = new String(bytes, UTF_8).strip();
        return text.isEmpty() ? "" : "\n" + stream + ":\n" + last(text);
    }

    private static String last(String text) {
        return text.length() <= MOST
                ? text
                : "…" + Excerpt.lastWholeWords(text.substring(text.length() - MOST));
    }
}
