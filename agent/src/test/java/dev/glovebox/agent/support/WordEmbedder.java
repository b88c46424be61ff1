package dev.glovebox.agent.support;

import dev.glovebox.agent.Embedder;
import java.util.List;
import java.util.Locale;

/** Texts are near each other if they have words in common; quick, and always the same. */
public record WordEmbedder(String name) implements Embedder {

    private static final int DIMENSIONS = 64;

    public WordEmbedder() {
        this("words");
    }

    @Override
    public int dimensions() {
        return DIMENSIONS;
    }

    @Override
    public List<float[]> embed(List<String> texts) {
        return texts.stream().map(WordEmbedder::vector).toList();
    }

    private static float[] vector(String text) {
        float[] vector = new float[DIMENSIONS];
        vector[0] = 0.1f;
        for (String word : text.toLowerCase(Locale.ROOT).split("\\W+", -1)) {
            vector[1 + Math.floorMod(word.hashCode() * 31, DIMENSIONS - 1)] += 1;
        }
        return vector;
    }
}
