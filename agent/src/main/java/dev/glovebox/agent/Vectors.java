package dev.glovebox.agent;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;

/** Vectors of length one, and their bytes. */
final class Vectors {

    private Vectors() {}

    static float[] of(Embedder embedder, String text) {
        float[] vector = embedder.embed(List.of(clean(text))).getFirst();
        if (vector.length != embedder.dimensions()) {
            throw new IllegalStateException(
                    embedder.name() + " gave a vector of " + vector.length + " dimensions");
        }
        double squares = 0;
        for (float part : vector) {
            squares += (double) part * part;
        }
        if (!(squares > 0) || Double.isInfinite(squares)) {
            throw new IllegalStateException(embedder.name() + " gave a vector without direction");
        }
        float[] unit = new float[vector.length];
        for (int i = 0; i < unit.length; i++) {
            unit[i] = (float) (vector[i] / Math.sqrt(squares));
        }
        return unit;
    }

    /** Native code is given no halves of characters, and nothing that ends a text in C. */
    private static String clean(String text) {
        StringBuilder clean = new StringBuilder(text.length());
        text.codePoints()
                .forEach(point ->
                        clean.appendCodePoint(
                                point == 0 || Character.getType(point) == Character.SURROGATE
                                        ? '\uFFFD'
                                        : point));
        return clean.toString();
    }

    static byte[] bytes(float[] vector) {
        ByteBuffer bytes = ByteBuffer.allocate(vector.length * Float.BYTES);
        bytes.order(ByteOrder.LITTLE_ENDIAN).asFloatBuffer().put(vector);
        return bytes.array();
    }

    static float[] read(byte[] bytes) {
        float[] vector = new float[bytes.length / Float.BYTES];
        ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).asFloatBuffer().get(vector);
        return vector;
    }
}
