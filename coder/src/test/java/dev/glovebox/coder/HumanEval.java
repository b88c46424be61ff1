package dev.glovebox.coder;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;

/** Finds the corpus HumanEval, which does not come with the sources. */
final class HumanEval {

    private static final String PROPERTY = "glovebox.humaneval";
    private static final Path BESIDE = Path.of("..", "..", "shared", "data", "HumanEval.jsonl.gz");

    private HumanEval() {}

    static Corpus corpus() {
        String named = System.getProperty(PROPERTY, "");
        Path file = named.isEmpty() ? BESIDE : Path.of(named);
        assumeTrue(
                Files.isReadable(file),
                () -> "HumanEval is not at " + file + "; say -D" + PROPERTY + "=FILE");
        return Corpus.read(file);
    }
}
