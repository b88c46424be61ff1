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
import java.util.HashSet;
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

/** A store that forgets everything with the process: for runs that nobody will ask about. */
public final class MemoryStore implements TraceStore {

    final Map<String, List<byte[]>> lines = new HashMap<>();
    final Map<String, Blob> blobs = new HashMap<>();
    final Map<String, Set<String>> referring = new HashMap<>();
    final List<byte[]> leaves = new ArrayList<>();
    final NavigableMap<Long, byte[]> blocks = new TreeMap<>();
    final NavigableMap<Long, Signed> heads = new TreeMap<>();
    final Map<String, Long> noted = new HashMap<>();
    final List<Signed> rotations = new ArrayList<>();
    // The last record of each run, so that it need not be read again to be continued.
    private final Map<String, Entry> ends = new HashMap<>();
    private final Map<String, Start> starts = new HashMap<>();
    private final List<Runnable> watchers = new CopyOnWriteArrayList<>();

    @Override
    public CompletableFuture<Void> append(Append append) {
        synchronized (this) {
            List<byte[]> run = lines.getOrDefault(append.run(), List.of());
            if (run.size() != append.seq() || !continues(append, run)) {
                return CompletableFuture.failedFuture(new Conflict(append.run(), append.seq()));
            }
            if (!hold(append)) {
                return CompletableFuture.failedFuture(new NotKept("Some content is not here"));
            }
            append.blobs().forEach(blob -> blobs.putIfAbsent(blob.digest(), blob));
            for (String digest : append.references()) {
                referring.merge(digest, Set.of(append.run()), MemoryStore::both);
            }
            List<byte[]> longer = lines.computeIfAbsent(append.run(), any -> new ArrayList<>());
            append.entries().forEach(entry -> longer.add(entry.line()));
            ends.put(append.run(), append.entries().getLast());
        }
        watchers.forEach(Runnable::run);
        return CompletableFuture.completedFuture(null);
    }

    // Most content is referred to by one run, whose set is of the smallest kind.
    private static Set<String> both(Set<String> some, Set<String> more) {
        Set<String> all = some.size() > 1 ? some : new HashSet<>(some);
        all.addAll(more);
        return all;
    }

    private boolean continues(Append append, List<byte[]> run) {
        return run.isEmpty()
                ? append.prev().equals(Entry.NOTHING)
                : append.entries().getFirst().follows(last(append.run(), run));
    }

    // Whoever plays somebody who tampers has put another one there.
    @SuppressWarnings("ReferenceEquality") // The same bytes, not equal ones.
    private Entry last(String run, List<byte[]> lines) {
        Entry end = ends.get(run);
        byte[] line = lines.getLast();
        return end != null && end.line() == line ? end : Entry.read(line);
    }

    private boolean hold(Append append) {
        if (append.references().isEmpty()) {
            return true;
        }
        Set<String> without = new HashSet<>(append.references());
        append.blobs().forEach(blob -> without.remove(blob.digest()));
        return blobs.keySet().containsAll(without);
    }

    /** The records of a run themselves, for whoever wants to change them. */
    List<byte[]> tape(String run) {
        return Objects.requireNonNull(lines.get(run));
    }

    @Override
    public synchronized List<byte[]> lines(String run, long from, int most) {
        return page(lines.getOrDefault(run, List.of()), from, most);
    }

    private static List<byte[]> page(List<byte[]> all, long from, int most) {
        int first = (int) Math.min(from, all.size());
        return List.copyOf(all.subList(first, (int) Math.min(all.size(), first + (long) most)));
    }

    @Override
    public synchronized Optional<RunRow> run(String run) {
        return Optional.ofNullable(lines.get(run))
                .filter(records -> !records.isEmpty())
                .map(records -> row(run, records));
    }

    /** How a run began: with this record. */
    private record Start(byte[] line, String kind, String title, long at) {}

    @SuppressWarnings("ReferenceEquality") // The same bytes, not equal ones.
    private Start start(String run, List<byte[]> records) {
        Start known = starts.get(run);
        byte[] line = records.getFirst();
        if (known == null || known.line() != line) {
            Entry first = Entry.read(line);
            var derived = first.rawBody().path("derived");
            known =
                    new Start(
                            line,
                            derived.path("kind").asText(),
                            derived.path("title").asText(),
                            first.at());
            starts.put(run, known);
        }
        return known;
    }

    private RunRow row(String run, List<byte[]> records) {
        Start start = start(run, records);
        Entry last = last(run, records);
        Optional<Entry> end =
                Optional.of(last)
                        .filter(entry -> entry.type().equals(EventCodec.RUN_FINISHED))
                        .or(() -> endBefore(last, records));
        Long mark = noted.get(run);
        return new RunRow(
                run,
                start.kind(),
                start.title(),
                start.at(),
                end.map(entry -> OptionalLong.of(entry.at())).orElse(OptionalLong.empty()),
                end.map(entry -> entry.rawBody().path("derived").path("stop").asText()).orElse(""),
                records.size(),
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
        return lines.entrySet().stream()
                .filter(run -> !run.getValue().isEmpty())
                .filter(run -> kinds.test(start(run.getKey(), run.getValue()).kind()))
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
        return Set.copyOf(referring.getOrDefault(digest, Set.of()));
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
