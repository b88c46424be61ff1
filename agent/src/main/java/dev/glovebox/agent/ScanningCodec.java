package dev.glovebox.agent;

import java.io.IOException;
import org.apache.lucene.codecs.KnnVectorsFormat;
import org.apache.lucene.codecs.KnnVectorsReader;
import org.apache.lucene.codecs.KnnVectorsWriter;
import org.apache.lucene.codecs.lucene104.Lucene104Codec;
import org.apache.lucene.codecs.lucene99.Lucene99HnswVectorsFormat;
import org.apache.lucene.index.SegmentReadState;
import org.apache.lucene.index.SegmentWriteState;

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
            new Unlimited(
                    new Lucene99HnswVectorsFormat(
                            Lucene99HnswVectorsFormat.DEFAULT_MAX_CONN,
                            Lucene99HnswVectorsFormat.DEFAULT_BEAM_WIDTH,
                            Lucene99HnswVectorsFormat.DEFAULT_NUM_MERGE_WORKER,
                            null,
                            SCANNED));

    @Override
    public KnnVectorsFormat getKnnVectorsFormatForField(String field) {
        return VECTORS;
    }

    /**
     * A format that takes vectors of any length: Lucene's own take no more than 1,024 dimensions,
     * and those of vendors have up to 3,072. It has the name of the other one, by which that is
     * found to read what was written.
     */
    private static final class Unlimited extends KnnVectorsFormat {

        private final KnnVectorsFormat format;

        Unlimited(KnnVectorsFormat format) {
            super(format.getName());
            this.format = format;
        }

        @Override
        public KnnVectorsWriter fieldsWriter(SegmentWriteState state) throws IOException {
            return format.fieldsWriter(state);
        }

        @Override
        public KnnVectorsReader fieldsReader(SegmentReadState state) throws IOException {
            return format.fieldsReader(state);
        }

        @Override
        public int getMaxDimensions(String field) {
            return Integer.MAX_VALUE;
        }
    }
}
