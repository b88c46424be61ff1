package dev.glovebox.trace;

import dev.glovebox.trace.spi.Append;
import dev.glovebox.trace.spi.LogAppend;
import dev.glovebox.trace.spi.LogLeaf;
import dev.glovebox.trace.spi.RunQuery;
import dev.glovebox.trace.spi.RunRow;
import dev.glovebox.trace.spi.Signed;
import dev.glovebox.trace.spi.TraceStore;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A store that forgets everything with the process: for runs that nobody will ask about. */
public final class MemoryStore implements TraceStore {

    final Map<String, Records> runs = new HashMap<>();
    final Map<String, Blob> blobs = new HashMap<>();
    // Mostly each run once.
    private final Map<String, List<String>> referring = new HashMap<>();
    final List<byte[]> leaves = new ArrayList<>();
    final NavigableMap<Long, byte[]> blocks = new TreeMap<>();
    final NavigableMap<Long, Signed> heads = new TreeMap<>();
    final Map<String, Long> noted = new HashMap<>();
    final List<Signed> rotations = new ArrayList<>();
    private final List<Runnable> watchers = new CopyOnWriteArrayList<>();

    /** The records of a run, and what is known of the first and the last one without reading. */
    static final class Records {
        private final List<byte[]> lines = new ArrayList<>();
        private @Nullable Entry end;
        private @Nullable Start start;

        // Whoever plays somebody who tampers has put another one there.
        @SuppressWarnings("ReferenceEquality") // The same bytes, not equal ones.
        Entry last() {
            byte[] line = lines.getLast();
            Entry known = end;
            return known != null && known.line() == line ? known : Entry.read(line);
        }

        @SuppressWarnings("ReferenceEquality") // The same bytes, not equal ones.
        Start start() {
            byte[] line = lines.getFirst();
            Start known = start;
            if (known == null || known.line() != line) {
                Entry first = Entry.read(line);
                var derived = first.rawBody().path("derived");
                known =
                        new Start(
                                line,
                                derived.path("kind").asText(),
                                derived.path("title").asText(),
                                first.at());
                start = known;
            }
            return known;
        }

        boolean endsBefore(Append append) {
            if (lines.size() != append.seq()) {
                return false;
            }
            return lines.isEmpty()
                    ? append.prev().equals(Entry.NOTHING)
                    : append.entries().getFirst().follows(last());
        }
    }

    /** How a run began: with this record. */
    record Start(byte[] line, String kind, String title, long at) {}

    @Override
    public CompletableFuture<Void> append(Append append) {
        synchronized (this) {
            Records known = runs.get(append.run());
            Records records = known == null ? new Records() : known;
            if (!records.endsBefore(append)) {
                return CompletableFuture.failedFuture(new Conflict(append.run(), append.seq()));
            }
            if (!hold(append)) {
                return CompletableFuture.failedFuture(new NotKept("Some content is not here"));
            }
            for (Blob blob : append.blobs()) {
                blobs.putIfAbsent(blob.digest(), blob);
            }
            for (String digest : append.references()) {
                referring.computeIfAbsent(digest, any -> new ArrayList<>(1)).add(append.run());
            }
            if (known == null) {
                runs.put(append.run(), records);
            }
            for (Entry entry : append.entries()) {
                records.lines.add(entry.line());
            }
            records.end = append.entries().getLast();
        }
        watchers.forEach(Runnable::run);
        return CompletableFuture.completedFuture(null);
    }

    private boolean hold(Append append) {
        for (String digest : append.references()) {
            if (!brings(append, digest) && !blobs.containsKey(digest)) {
                return false;
            }
        }
        return true;
    }

    private static boolean brings(Append append, String digest) {
        for (Blob blob : append.blobs()) {
            if (blob.digest().equals(digest)) {
                return true;
            }
        }
        return false;
    }

    /** The records of a run themselves, for whoever wants to change them. */
    List<byte[]> tape(String run) {
        return Objects.requireNonNull(runs.get(run)).lines;
    }

    /** Puts records in the place of those of a run. */
    void put(String run, List<byte[]> lines) {
        Records records = new Records();
        records.lines.addAll(lines);
        runs.put(run, records);
    }

    @Override
    public synchronized List<byte[]> lines(String run, long from, int most) {
        Records known = runs.get(run);
        return known == null ? List.of() : page(known.lines, from, most);
    }

    private static List<byte[]> page(List<byte[]> all, long from, int most) {
        int first = (int) Math.min(from, all.size());
        return List.copyOf(all.subList(first, (int) Math.min(all.size(), first + (long) most)));
    }

    @Override
    public synchronized Optional<RunRow> run(String run) {
        return Optional.ofNullable(runs.get(run))
                .filter(records -> !records.lines.isEmpty())
                .map(records -> row(run, records));
    }

    private RunRow row(String run, Records records) {
        Start start = records.start();
        Entry last = records.last();
        Optional<Entry> end =
                Optional.of(last)
                        .filter(entry -> entry.type().equals(EventCodec.RUN_FINISHED))
                        .or(() -> endBefore(last, records.lines));
        Long mark = noted.get(run);
        return new RunRow(
                run,
                start.kind(),
                start.title(),
                start.at(),
                end.map(entry -> OptionalLong.of(entry.at())).orElse(OptionalLong.empty()),
                end.map(entry -> entry.rawBody().path("derived").path("stop").asText()).orElse(""),
                records.lines.size(),
                last.hash(),
                mark == null ? OptionalLong.empty() : OptionalLong.of(mark));
    }

    /** Behind the end there may be redactions. */
    private static Optional<Entry> endBefore(Entry last, List<byte[]> records) {
        return last.type().equals(EventCodec.BLOB_REDACTED)
                ? records.reversed().stream()
                        .map(Entry::read)
                        .dropWhile(entry -> entry.type().equals(EventCodec.BLOB_REDACTED))
                        .findFirst()
                        .filter(entry -> entry.type().equals(EventCodec.RUN_FINISHED))
                : Optional.empty();
    }

    private Stream<RunRow> rows() {
        return rows(kind -> true);
    }

    private Stream<RunRow> rows(Predicate<String> kinds) {
        return runs.entrySet().stream()
                .filter(run -> !run.getValue().lines.isEmpty())
                .filter(run -> kinds.test(run.getValue().start().kind()))
                .map(run -> row(run.getKey(), run.getValue()));
    }

    @Override
    public synchronized List<RunRow> runs(RunQuery query) {
        Comparator<RunRow> newestFirst =
                Comparator.comparingLong(RunRow::startedAt).reversed().thenComparing(RunRow::run);
        return rows(kind ->
                        query.kind().map(kind::equals).orElse(true)
                                && !query.without().contains(kind))
                .filter(row -> query.stop().map(row.stop()::equals).orElse(true))
                .filter(row -> query.text().map(text -> has(row.title(), text)).orElse(true))
                .filter(row ->
                        query.before()
                                .map(before -> newestFirst.compare(row, before) > 0)
                                .orElse(true))
                .sorted(newestFirst)
                .limit(query.most())
                .toList();
    }

    private static boolean has(String title, String text) {
        return title.toLowerCase(Locale.ROOT).contains(text.toLowerCase(Locale.ROOT));
    }

    @Override
    public synchronized Optional<Blob> blob(String digest) {
        return Optional.ofNullable(blobs.get(digest));
    }

    @Override
    public synchronized Set<String> referring(String digest) {
        return Set.copyOf(referring.getOrDefault(digest, List.of()));
    }

    @Override
    public synchronized boolean erase(String digest, Set<String> runs) {
        if (!runs.containsAll(referring(digest))) {
            return false;
        }
        blobs.remove(digest);
        return true;
    }

    @Override
    public synchronized boolean extend(LogAppend append) {
        if (append.size() != leaves.size()) {
            return false;
        }
        for (LogLeaf leaf : append.leaves()) {
            leaf.block().ifPresent(hash -> blocks.put((long) leaves.size(), hash));
            leaves.add(leaf.bytes());
        }
        heads.put((long) leaves.size(), append.head());
        append.noted().forEach((run, seq) -> noted.merge(run, seq, Math::max));
        return true;
    }

    @Override
    public synchronized long leafCount() {
        return leaves.size();
    }

    @Override
    public synchronized List<byte[]> leaves(long from, int most) {
        return page(leaves, from, most);
    }

    @Override
    public synchronized SortedMap<Long, byte[]> leavesOf(String run) {
        SortedMap<Long, byte[]> found = new TreeMap<>();
        for (int i = 0; i < leaves.size(); i++) {
            if (CanonicalScanner.read(leaves.get(i)).path("run").asText().equals(run)) {
                found.put((long) i, leaves.get(i));
            }
        }
        return found;
    }

    @Override
    public synchronized List<byte[]> blocks() {
        return List.copyOf(blocks.headMap((long) leaves.size()).values());
    }

    @Override
    public synchronized Optional<Signed> head() {
        return Optional.ofNullable(heads.lastEntry()).map(Map.Entry::getValue);
    }

    @Override
    public synchronized Optional<Signed> headCovering(long size) {
        return Optional.ofNullable(heads.ceilingEntry(size)).map(Map.Entry::getValue);
    }

    @Override
    public synchronized List<RunRow> unnoted(int most) {
        return rows().filter(row ->
                        row.noted().isEmpty()
                                || (row.finishedAt().isPresent()
                                        && row.noted().getAsLong() < row.records() - 1))
                .limit(most)
                .toList();
    }

    @Override
    public synchronized void rotate(Signed rotation) {
        rotations.add(rotation);
    }

    @Override
    public synchronized List<Signed> rotations() {
        return List.copyOf(rotations);
    }

    @Override
    public Watch watch(Runnable news) {
        watchers.add(news);
        return () -> watchers.remove(news);
    }

    @Override
    public void close() {
        // It can be opened again, as the files of another one can.
    }
}
