package dev.glovebox.agent;

import org.apache.lucene.codecs.KnnVectorsFormat;
import org.apache.lucene.codecs.lucene104.Lucene104Codec;
import org.apache.lucene.codecs.lucene99.Lucene99HnswVectorsFormat;

/**
 * Lucene's usual codec, which makes a graph of vectors only where there are more than about 20,000.
 *
 * <p>A graph of 10,000 took twenty seconds to make, each time that a tenant comes back; to compare
 * with all of them took no longer than to use the graph, and misses none.
 */
final class ScanningCodec extends Lucene104Codec {

    /** The number of neighbours from which on Lucene thinks that a graph pays. */
    private static final int SCANNED = 2_000;

    private static final KnnVectorsFormat VECTORS =
            new Lucene99HnswVectorsFormat(
                    Lucene99HnswVectorsFormat.DEFAULT_MAX_CONN,
                    Lucene99HnswVectorsFormat.DEFAULT_BEAM_WIDTH,
                    Lucene99HnswVectorsFormat.DEFAULT_NUM_MERGE_WORKER,
                    null,
                    SCANNED);

    @Override
    public KnnVectorsFormat getKnnVectorsFormatForField(String field) {
        return VECTORS;
    }
}
