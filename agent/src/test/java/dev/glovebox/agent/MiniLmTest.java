package dev.glovebox.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The real model. */
class MiniLmTest {

    private final Embedder embedder = Embedder.miniLm();

    private double similarity(String one, String other) {
        float[] first = Vectors.of(embedder, one);
        float[] second = Vectors.of(embedder, other);
        return IntStream.range(0, first.length).mapToDouble(i -> first[i] * second[i]).sum();
    }

    /** By this the library of its tokenizer is kept from telling its makers of each machine. */
    @Test
    void nobodyIsToldThatItIsUsed() {
        assertThat(Vectors.of(embedder, "a word")).hasSize(384);
        assertThat(System.getProperty("OPT_OUT_TRACKING")).isEqualTo("true");
    }

    @Test
    void whatMeansTheLikeIsNearerThanWhatDoesNot() {
        double like = similarity("How do I reset my password?", "I forgot my login credentials");
        double unlike = similarity("How do I reset my password?", "The cat sleeps on the sofa");
        assertThat(like).isGreaterThan(unlike + 0.2);
    }

    @Test
    void factsAreFoundWithoutAWordInCommon(@TempDir Path folder) {
        try (Memories memories = Memories.inFile(folder.resolve("memory.db"), embedder)) {
            Memory memory = memories.tenant("anna");
            memory.remember(new Fact("Our dog is called Rex", "anna"));
            memory.remember(new Fact("The invoice was paid in March", "anna"));
            memory.remember(new Fact("It rains a lot in Bergen", "anna"));
            assertThat(memory.recall("What weather does Norway have?", 1).getFirst().what().text())
                    .isEqualTo("It rains a lot in Bergen");
            assertThat(memory.recall("pet names", 1).getFirst().what().text())
                    .isEqualTo("Our dog is called Rex");
        }
    }

    @Test
    void aTextLongerThanTheWindowCountsAsAWhole() {
        String filler = "The weather was fine and nothing happened. ".repeat(150);
        String end = filler + "The treasure is buried under the old oak tree. ".repeat(100);
        assertThat(similarity(end, "treasure under the oak"))
                .isGreaterThan(similarity(filler, "treasure under the oak") + 0.1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"word ", "手", "🧤", "x", " \n", "a long word-without-end"})
    void thePiecesOfATextAreTheText(String part) {
        String text = part.repeat(700);
        assertThat(String.join("", MiniLm.pieces(text))).isEqualTo(text);
        assertThat(MiniLm.pieces(text))
                .allSatisfy(piece -> {
                    assertThat(Tokens.bytes(piece)).isBetween(1L, 378L);
                    assertThat(Character.isHighSurrogate(piece.charAt(piece.length() - 1)))
                            .isFalse();
                });
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"\0", "\uD83E", "🧤🧤🧤", "\u200B", "手袋箱", "!", "\u202E", "[PAD][CLS][SEP]"})
    void anyTextHasAVector(String text) {
        assertThat(Vectors.of(embedder, text)).hasSize(384).doesNotContain(Float.NaN);
    }

    @Test
    void aWordWithoutEndHasAVector() {
        assertThat(Vectors.of(embedder, "x".repeat(8_000))).hasSize(384);
        assertThat(Vectors.of(embedder, "手".repeat(8_000))).hasSize(384);
    }

    @Test
    void manyThreadsGetWhatOneGets() throws Exception {
        List<String> texts = IntStream.range(0, 40).mapToObj(i -> "sentence " + i).toList();
        List<float[]> alone = embedder.embed(texts);
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<float[]>> together =
                    texts.stream()
                            .map(text ->
                                    threads.submit(() ->
                                            Embedder.miniLm().embed(List.of(text)).getFirst()))
                            .toList();
            for (int i = 0; i < texts.size(); i++) {
                assertThat(together.get(i).get()).containsExactly(alone.get(i));
            }
        }
    }
}
