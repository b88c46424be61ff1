package dev.glovebox.coder;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.glovebox.sandbox.Language;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;

/**
 * A problem of a corpus in HumanEval's format: a Python function to be completed.
 *
 * @param prompt the beginning of the program, down to the description of the function
 * @param entry the name of the function
 * @param solution the body of the function, as the authors wrote it
 * @param test a program that defines {@code check(candidate)}
 */
public record CorpusTask(String id, String prompt, String entry, String solution, String test) {

    private static final String JUDGE = "judge.py";

    /**
     * What is to be done. The tests are in what the judge reads, and in nothing that a coder has to
     * see.
     *
     * @param proof what the judge prints when all tests have passed; nobody may guess it
     */
    ExecutionPlan plan(String proof) {
        String input =
                JsonNodeFactory.instance
                        .objectNode()
                        .put("prompt", prompt)
                        .put("entry", entry)
                        .put("test", test)
                        .put("proof", proof)
                        .toString();
        return new ExecutionPlan(
                Language.PYTHON,
                List.of(),
                false,
                "Complete this Python program:\n\n" + prompt,
                "",
                JsonNodeFactory.instance.objectNode(),
                ExecutionPlan.OutputKind.TEXT,
                List.of(new Check.Exits(0), new Check.Passes(JUDGE, judge(), input, proof)));
    }

    /** The program that its authors wrote. */
    CodeArtifact oracle() {
        return CodeArtifact.of(Language.PYTHON, prompt + solution);
    }

    private static String judge() {
        try (InputStream in = CorpusTask.class.getResourceAsStream("eval/" + JUDGE)) {
            return new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
