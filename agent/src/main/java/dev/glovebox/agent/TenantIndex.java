package dev.glovebox.agent;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.SequencedMap;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.standard.StandardAnalyzer;
import org.apache.lucene.analysis.tokenattributes.CharTermAttribute;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.KnnFloatVectorField;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.SerialMergeScheduler;
import org.apache.lucene.index.Term;
import org.apache.lucene.index.VectorSimilarityFunction;
import org.apache.lucene.search.BooleanClause;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.KnnFloatVectorQuery;
import org.apache.lucene.search.MatchNoDocsQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.SearcherFactory;
import org.apache.lucene.search.SearcherManager;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.search.TopDocs;
import org.apache.lucene.store.ByteBuffersDirectory;

/**
 * Finds what one tenant remembers, by meaning and by word, in memory.
 *
 * <p>It holds words, vectors and ids of that tenant only, and no thread or file: who has no more
 * use for it leaves it to the garbage collector.
 */
final class TenantIndex {

    private static final String ID = "id";
    private static final String KIND = "kind";
    private static final String TEXT = "text";
    private static final String VECTOR = "vector";

    /** How many are read from the store at a time. */
    private static final int PAGE = 500;

    private static final int BUFFER_MEGABYTES = 4;

    /** How many are looked at from either side, at least. */
    private static final int CANDIDATES = 50;

    /** By how much the first places count for more than the next: the usual constant. */
    private static final int RANK_CONSTANT = 60;

    /** Lucene takes no more than 1,024 in a question; in Chinese each character is one. */
    private static final int MOST_WORDS = 500;

    private final String tenant;
    private final Shelf shelf;
    private final int dimensions;
    private final StandardAnalyzer analyzer = new StandardAnalyzer();
    private final ReentrantLock lock = new ReentrantLock();
    private final IndexWriter writer;
    private final SearcherManager searchers;
    private long change;

    TenantIndex(String tenant, Shelf shelf, int dimensions) {
        this.tenant = tenant;
        this.shelf = shelf;
        this.dimensions = dimensions;
        try {
            writer =
                    new IndexWriter(
                            new ByteBuffersDirectory(),
                            new IndexWriterConfig(analyzer)
                                    .setCodec(new ScanningCodec())
                                    .setRAMBufferSizeMB(BUFFER_MEGABYTES)
                                    .setMergeScheduler(new SerialMergeScheduler()));
            searchers = new SearcherManager(writer, new SearcherFactory());
        } catch (IOException e) {
            throw new UncheckedIOException(e); // not in memory
        }
    }

    /** The ids of what is nearest, best first, with their scores. */
    SequencedMap<String, Double> search(
            Memento.Kind kind, String question, float[] vector, int most) {
        try {
            catchUp();
            IndexSearcher searcher = searchers.acquire();
            try {
                return search(searcher, kind, question, vector, most);
            } finally {
                searchers.release(searcher);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private SequencedMap<String, Double> search(
            IndexSearcher searcher, Memento.Kind kind, String question, float[] vector, int most)
            throws IOException {
        int candidates = Math.max(CANDIDATES, most);
        Query ofKind = new TermQuery(new Term(KIND, kind.name()));
        TopDocs near =
                searcher.search(
                        new KnnFloatVectorQuery(VECTOR, vector, candidates, ofKind), candidates);
        TopDocs worded =
                searcher.search(
                        new BooleanQuery.Builder()
                                .add(words(question), BooleanClause.Occur.MUST)
                                .add(ofKind, BooleanClause.Occur.FILTER)
                                .build(),
                        candidates);
        SequencedMap<String, Double> found = new LinkedHashMap<>();
        for (ScoreDoc hit :
                TopDocs.rrf(most, RANK_CONSTANT, new TopDocs[] {near, worded}).scoreDocs) {
            String id = searcher.storedFields().document(hit.doc).get(ID);
            found.put(id, (double) hit.score);
        }
        return found;
    }

    private Query words(String question) throws IOException {
        Set<String> words = new LinkedHashSet<>();
        try (TokenStream tokens = analyzer.tokenStream(TEXT, question)) {
            CharTermAttribute word = tokens.addAttribute(CharTermAttribute.class);
            tokens.reset();
            while (words.size() < MOST_WORDS && tokens.incrementToken()) {
                words.add(word.toString());
            }
        }
        if (words.isEmpty()) {
            return new MatchNoDocsQuery("no words");
        }
        BooleanQuery.Builder any = new BooleanQuery.Builder();
        words.forEach(
                word -> any.add(new TermQuery(new Term(TEXT, word)), BooleanClause.Occur.SHOULD));
        return any.build();
    }

    private void catchUp() throws IOException {
        lock.lock();
        try {
            Shelf.State state = shelf.state(tenant);
            if (state.change() == change) {
                return;
            }
            if (change < state.pruned()) {
                writer.deleteAll();
                change = 0;
            }
            add();
            for (String id : shelf.forgottenAfter(tenant, change)) {
                writer.deleteDocuments(new Term(ID, id));
            }
            searchers.maybeRefreshBlocking();
            // Not what was seen last: something may have been forgotten in the meantime.
            change = state.change();
        } finally {
            lock.unlock();
        }
    }

    private void add() throws IOException {
        List<Shelf.Indexed> page = shelf.keptAfter(tenant, change, PAGE);
        while (!page.isEmpty()) {
            for (Shelf.Indexed kept : page) {
                writer.updateDocument(new Term(ID, kept.id()), document(kept));
            }
            page = shelf.keptAfter(tenant, page.getLast().change(), PAGE);
        }
    }

    private Document document(Shelf.Indexed kept) {
        if (kept.vector().length != dimensions) {
            throw new IllegalStateException("A memory was changed by something else");
        }
        Document document = new Document();
        document.add(new StringField(ID, kept.id(), Field.Store.YES));
        document.add(new StringField(KIND, kept.memento().kind().name(), Field.Store.NO));
        document.add(new TextField(TEXT, kept.memento().text(), Field.Store.NO));
        document.add(
                new KnnFloatVectorField(
                        VECTOR, kept.vector(), VectorSimilarityFunction.DOT_PRODUCT));
        return document;
    }
}
