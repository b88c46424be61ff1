package dev.glovebox.trace.spi;

import dev.glovebox.trace.Blob;
import dev.glovebox.trace.Conflict;
import dev.glovebox.trace.NotKept;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.concurrent.CompletableFuture;

/**
 * Where the runs, the content and the log of an installation are kept; used by many threads, and by
 * several processes at once.
 *
 * <p>A store believes nobody and proves nothing: it keeps bytes, and sees to it that a run and the
 * log can only be continued at their end. All methods throw {@link NotKept} when the medium fails.
 */
public interface TraceStore extends AutoCloseable {

    /**
     * Appends to a run; done when it is durable. Appends of one thread are taken in their order,
     * and those of many threads share what makes them durable.
     *
     * @return fails with {@link Conflict} if the run does not end with the record that this
     *     continues, and with {@link NotKept} if it could not be kept, or refers to content that
     *     neither comes with it nor is here; then nothing of it was kept
     */
    CompletableFuture<Void> append(Append append);

    /** Records from a number on, as they were appended. */
    List<byte[]> lines(String run, long from, int most);

    Optional<RunRow> run(String run);

    /** Newest first; those started at the same moment by name. */
    List<RunRow> runs(RunQuery query);

    Optional<Blob> blob(String digest);

    /** The runs that have named this blob among their references. */
    Set<String> referring(String digest);

    /**
     * Deletes content and salt, so that nothing of either is left in the store's files; unless by
     * now another run than these has named it, and then nothing happens. What refers to it stays as
     * it is.
     *
     * @return whether it is gone
     */
    boolean erase(String digest, Set<String> runs);

    /**
     * Continues the log, unless it has another size by now; then nothing happens.
     *
     * @return whether it was continued; durable, if so
     */
    boolean extend(LogAppend append);

    /** How many leaves the log has. */
    long leafCount();

    /** Leaves from a number on. */
    List<byte[]> leaves(long from, int most);

    /** Leaves by their numbers: those that name a run; for the empty name, those that name none. */
    SortedMap<Long, byte[]> leavesOf(String run);

    /** The hashes of the blocks of leaves that are complete, in their order. */
    List<byte[]> blocks();

    /** The latest head. */
    Optional<Signed> head();

    /** The smallest head that covers so many leaves, if there is one. */
    Optional<Signed> headCovering(long size);

    /**
     * Runs that the log does not know, and finished ones with a record, be it a redaction, behind
     * the last one that the log has a leaf for.
     */
    List<RunRow> unnoted(int most);

    /** Keeps that one key has replaced another. */
    void rotate(Signed rotation);

    /** All replacements of keys, oldest first. */
    List<Signed> rotations();

    /**
     * Calls back, at some moment after, whenever something may have been appended, by this process
     * or another.
     *
     * @return ends it when closed
     */
    Watch watch(Runnable news);

    /** Somebody who wants to know. */
    interface Watch extends AutoCloseable {
        @Override
        void close();
    }

    /** Waits for what was appended, and closes. */
    @Override
    void close();
}
