package dev.glovebox.agent;

import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * Vectors of the words in a text and of their parts: near each other where texts say the like in
 * the like words, as errors of programs do. It knows nothing of meaning.
 */
record WordVectors() implements Embedder {

    private static final int DIMENSIONS = 256;
    private static final int PART = 3;
    private static final float PART_WEIGHT = 0.3f;
    // So that a text without words has a direction as well.
    private static final float NO_WORDS = 0.01f;
    private static final int MOST_CHARACTERS = 20_000;
    private static final Pattern BETWEEN = Pattern.compile("[^\\p{L}\\p{N}]+");

    @Override
    public String name() {
        return "words-1";
    }

    @Override
    public int dimensions() {
        return DIMENSIONS;
    }

    @Override
    public List<float[]> embed(List<String> texts) {
        return texts.stream().map(WordVectors::vector).toList();
    }

    private static float[] vector(String text) {
        float[] vector = new float[DIMENSIONS];
        vector[0] = NO_WORDS;
        String begin = text.substring(0, Math.min(text.length(), MOST_CHARACTERS));
        for (String word : BETWEEN.split(begin.toLowerCase(Locale.ROOT))) {
            add(vector, word, 1);
            if (word.length() > PART) {
                addParts(vector, word);
            }
        }
        double length = 0;
        for (float value : vector) {
            length += value * value;
        }
        for (int i = 0; i < DIMENSIONS; i++) {
            vector[i] = (float) (vector[i] / Math.sqrt(length));
        }
        return vector;
    }

    private static void addParts(float[] vector, String word) {
        for (int i = 0; i + PART <= word.length(); i++) {
            add(vector, word.substring(i, i + PART), PART_WEIGHT);
        }
    }

    /** Two words in one place mostly cancel each other out, since each has a sign of its own. */
    private static void add(float[] vector, String word, float weight) {
        if (!word.isEmpty()) {
            int hash = word.hashCode() * 0x9E3779B1;
            int place = 1 + Integer.remainderUnsigned(hash >>> 1, DIMENSIONS - 1);
            vector[place] += (hash & 1) == 0 ? weight : -weight;
        }
    }
}
