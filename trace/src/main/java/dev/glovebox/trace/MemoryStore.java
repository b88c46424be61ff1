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
    private final Map<String, Known> rows = new HashMap<>();
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
                referring.computeIfAbsent(digest, any -> new HashSet<>()).add(append.run());
            }
            List<byte[]> longer = lines.computeIfAbsent(append.run(), any -> new ArrayList<>());
            append.entries().forEach(entry -> longer.add(entry.line()));
            ends.put(append.run(), append.entries().getLast());
        }
        watchers.forEach(Runnable::run);
        return CompletableFuture.completedFuture(null);
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

    /** A row, for as long as the run ends with this record. */
    private record Known(byte[] last, RunRow row) {}

    @SuppressWarnings("ReferenceEquality") // The same bytes, not equal ones.
    private RunRow row(String run, List<byte[]> records) {
        Known known = rows.get(run);
        if (known == null || known.last() != records.getLast()) {
            known = new Known(records.getLast(), read(run, records));
            rows.put(run, known);
        }
        Long mark = noted.get(run);
        RunRow row = known.row();
        return new RunRow(
                run,
                row.kind(),
                row.title(),
                row.startedAt(),
                row.finishedAt(),
                row.stop(),
                records.size(),
                row.lastHash(),
                mark == null ? OptionalLong.empty() : OptionalLong.of(mark));
    }

    private static RunRow read(String run, List<byte[]> records) {
        Entry first = Entry.read(records.getFirst());
        Entry last = Entry.read(records.getLast());
        Optional<Entry> end =
                records.reversed().stream()
                        .map(Entry::read)
                        .dropWhile(entry -> entry.type().equals(EventCodec.BLOB_REDACTED))
                        .findFirst()
                        .filter(entry -> entry.type().equals(EventCodec.RUN_FINISHED));
        var derived = first.rawBody().path("derived");
        return new RunRow(
                run,
                derived.path("kind").asText(),
                derived.path("title").asText(),
                first.at(),
                end.map(entry -> OptionalLong.of(entry.at())).orElse(OptionalLong.empty()),
                end.map(entry -> entry.rawBody().path("derived").path("stop").asText()).orElse(""),
                records.size(),
                last.hash(),
                OptionalLong.empty());
    }

    private Stream<RunRow> rows() {
        return lines.entrySet().stream()
                .filter(run -> !run.getValue().isEmpty())
                .map(run -> row(run.getKey(), run.getValue()));
    }

    @Override
    public synchronized List<RunRow> runs(RunQuery query) {
        Comparator<RunRow> newestFirst =
                Comparator.comparingLong(RunRow::startedAt).reversed().thenComparing(RunRow::run);
        return rows().filter(row -> query.kind().map(row.kind()::equals).orElse(true))
                .filter(row -> !query.without().contains(row.kind()))
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
