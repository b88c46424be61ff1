package dev.glovebox.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WordVectorsTest {

    private static double likeness(String one, String other) {
        List<float[]> both = Embedder.words().embed(List.of(one, other));
        double sum = 0;
        for (int i = 0; i < both.getFirst().length; i++) {
            sum += both.getFirst()[i] * both.getLast()[i];
        }
        return sum;
    }

    @Test
    void theLikeIsNearerThanTheOther() {
        String error = "ModuleNotFoundError: No module named 'numpy' in main.py, line 3";
        assertThat(likeness(error, "ModuleNotFoundError: No module named 'pandas' in plot.py"))
                .isGreaterThan(likeness(error, "IndexError: list index out of range"));
        assertThat(likeness("importing", "imported")).isGreaterThan(likeness("importing", "list"));
    }

    @Test
    void everyTextHasADirectionOfLengthOne() {
        for (String text : List.of("...", "\u0000", "a", "word ".repeat(100_000), "\ud800")) {
            assertThat(likeness(text, text)).isBetween(0.999, 1.001);
        }
    }

    @Test
    void aMemoryFindsByThem(@TempDir Path folder) {
        try (Memories all = Memories.inFile(folder.resolve("memory.db"), Embedder.words())) {
            Memory memory = all.tenant("t");
            memory.learn(new Episode("plot", "No module named numpy", "install it", "done", "1"));
            memory.learn(new Episode("sum", "list index out of range", "one less", "done", "2"));
            assertThat(memory.similar("draw", "No module named pandas", 1))
                    .singleElement()
                    .satisfies(found -> assertThat(found.what().fix()).isEqualTo("install it"));
        }
    }
}
