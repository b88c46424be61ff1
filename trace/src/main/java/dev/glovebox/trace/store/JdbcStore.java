package dev.glovebox.trace.store;

import dev.glovebox.trace.Blob;
import dev.glovebox.trace.Digests;
import dev.glovebox.trace.Entry;
import dev.glovebox.trace.spi.Append;
import dev.glovebox.trace.spi.LogAppend;
import dev.glovebox.trace.spi.RunQuery;
import dev.glovebox.trace.spi.RunRow;
import dev.glovebox.trace.spi.Signed;
import dev.glovebox.trace.spi.TraceStore;
import java.sql.SQLException;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.concurrent.CompletableFuture;

/** A store in a database: one writes, some read, and some want to know. */
final class JdbcStore implements TraceStore {

    private final Writer writer;
    private final Readers readers;
    private final Watchers watchers;

    JdbcStore(Database database) {
        try {
            watchers = new Watchers(database);
            readers = new Readers(database);
            writer = new Writer(database, database.ledger(), watchers::ring);
        } catch (SQLException e) {
            throw database.problem(e);
        }
    }

    @Override
    public CompletableFuture<Void> append(Append append) {
        Entry last = append.entries().getFirst();
        for (Entry entry : append.entries().subList(1, append.entries().size())) {
            if (entry.seq() != last.seq() + 1
                    || !entry.prev().equals(last.hash())
                    || !entry.run().equals(last.run())) {
                throw new IllegalArgumentException("Not consecutive: " + last + ", " + entry);
            }
            last = entry;
        }
        return writer.append(append);
    }

    @Override
    public List<byte[]> lines(String run, long from, int most) {
        return possible(run)
                ? readers.read(connection -> Queries.lines(connection, run, from, most))
                : List.of();
    }

    @Override
    public Optional<RunRow> run(String run) {
        return possible(run)
                ? readers.read(connection -> Queries.run(connection, run))
                : Optional.empty();
    }

    /** PostgreSQL does not even let one ask for a name with a zero in it. */
    private static boolean possible(String run) {
        return run.chars().allMatch(c -> c > 0 && c < 0x80);
    }

    @Override
    public List<RunRow> runs(RunQuery query) {
        return readers.read(connection -> Queries.runs(connection, query));
    }

    @Override
    public Optional<Blob> blob(String digest) {
        return Digests.valid(digest)
                ? readers.read(connection -> Blobs.find(connection, digest))
                : Optional.empty();
    }

    @Override
    public Set<String> referring(String digest) {
        return Digests.valid(digest)
                ? readers.read(connection -> Queries.referring(connection, digest))
                : Set.of();
    }

    @Override
    public boolean erase(String digest, Set<String> runs) {
        return !Digests.valid(digest) || writer.call(ledger -> ledger.erase(digest, runs));
    }

    @Override
    public boolean extend(LogAppend append) {
        return writer.call(ledger -> ledger.extend(append));
    }

    @Override
    public long leafCount() {
        return readers.read(Log::size);
    }

    @Override
    public List<byte[]> leaves(long from, int most) {
        return readers.read(connection -> Log.leaves(connection, from, most));
    }

    @Override
    public SortedMap<Long, byte[]> leavesOf(String run) {
        return possible(run)
                ? readers.read(connection -> Log.leavesOf(connection, run))
                : Collections.emptySortedMap();
    }

    @Override
    public List<byte[]> blocks() {
        return readers.read(Log::blocks);
    }

    @Override
    public Optional<Signed> head() {
        return readers.read(Log::head);
    }

    @Override
    public Optional<Signed> headCovering(long size) {
        return readers.read(connection -> Log.headCovering(connection, size));
    }

    @Override
    public List<RunRow> unnoted(int most) {
        return readers.read(connection -> Queries.unnoted(connection, most));
    }

    @Override
    public void rotate(Signed rotation) {
        writer.call(ledger -> {
            ledger.rotate(rotation);
            return true;
        });
    }

    @Override
    public List<Signed> rotations() {
        return readers.read(Log::rotations);
    }

    @Override
    public Watch watch(Runnable news) {
        return watchers.add(news);
    }

    @Override
    public void close() {
        writer.close();
        watchers.close();
        readers.close();
    }
}
