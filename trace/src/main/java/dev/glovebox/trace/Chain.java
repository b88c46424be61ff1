package dev.glovebox.trace;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * Checks the records of one run, in their order; sections 2 and 3 of the trace format.
 *
 * <p>Keeps the hash of each, to compare seals with, and what they mention.
 */
final class Chain {

    private static final long NOT_YET = -1;

    private final String run;
    private final Mentions mentions = new Mentions();
    private final ReplayDigest replay = new ReplayDigest();
    private final HashList hashes = new HashList();
    private @Nullable Entry last;
    private long finished = NOT_YET;

    Chain(String run) {
        this.run = run;
    }

    String run() {
        return run;
    }

    /** How many records there are. */
    long size() {
        return hashes.size();
    }

    Mentions mentions() {
        return mentions;
    }

    boolean isFinished() {
        return finished != NOT_YET;
    }

    /** Whether the record {@code run.finished} has this number. */
    boolean finishedAt(long seq) {
        return isFinished() && finished == seq;
    }

    /** Whether there is such a record. */
    boolean has(long seq, String hash) {
        return seq < hashes.size() && hashes.holds((int) seq, HexFormat.of().parseHex(hash));
    }

    /**
     * Takes the next record.
     *
     * @throws Broken if it cannot be that
     */
    void add(Checked line) {
        long seq = hashes.size();
        Entry entry = line.entry();
        if (entry == null) {
            throw Broken.at(seq, "not a record: " + line.problem());
        }
        if (seq >= Entry.MOST) {
            throw Broken.at(seq, "a run has at most " + Entry.MOST + " records");
        }
        links(seq, entry, line.hash());
        types(seq, entry);
        if (entry.version() == Entry.VERSION) {
            body(seq, entry, line.mark());
        }
        hashes.add(line.hash());
        last = entry;
    }

    private void links(long seq, Entry entry, byte[] hash) {
        if (!entry.run().equals(run)) {
            throw Broken.at(seq, "a record of the run " + entry.run() + ", not of " + run);
        }
        if (entry.seq() != seq) {
            throw Broken.at(seq, "a record with the number " + entry.seq() + " in its place");
        }
        boolean follows = last == null ? entry.prev().equals(Entry.NOTHING) : entry.follows(last);
        if (!follows) {
            throw Broken.at(seq, "does not continue the record before: 'prev' is another hash");
        }
        if (!entry.hasHash(hash)) {
            throw Broken.at(seq, "its content does not have its hash");
        }
        if (last != null && entry.at() < last.at()) {
            throw Broken.at(seq, "was recorded before the record before");
        }
    }

    private void types(long seq, Entry entry) {
        String type = entry.type();
        if (type.equals(EventCodec.RUN_STARTED) != (seq == 0)) {
            throw Broken.at(
                    seq, "a run begins with '" + EventCodec.RUN_STARTED + "', and only once");
        }
        if (isFinished() && !type.equals(EventCodec.BLOB_REDACTED)) {
            throw Broken.at(seq, "'" + type + "' after the run was finished");
        }
        if (type.equals(EventCodec.RUN_FINISHED)) {
            finished = seq;
        }
    }

    private void body(long seq, Entry entry, byte @Nullable [] mark) {
        if (!entry.twoParts()) {
            throw Broken.at(seq, "its body does not consist of 'derived' and 'observed'");
        }
        if (mark != null && (!isFinished() || finished == seq)) {
            replay.add(mark);
        }
        try {
            entry.references(reference -> mentions.add(seq, reference));
        } catch (Malformed e) {
            throw Broken.at(seq, e.getMessage());
        }
        switch (entry.type()) {
            case EventCodec.BLOB_REDACTED -> mentions.redact(observed(seq, entry, "redacted"));
            case EventCodec.RUN_FINISHED -> {
                if (!observed(seq, entry, "replayDigest").equals(replay.value())) {
                    throw Broken.at(seq, "the replay digest is not that of the records");
                }
            }
            default -> {
                // Its content is not for a verifier.
            }
        }
    }

    private static String observed(long seq, Entry entry, String name) {
        JsonNode value = entry.rawBody().path("observed").path(name);
        if (!value.isTextual() || !Digests.valid(value.textValue())) {
            throw Broken.at(seq, "there is no digest '" + name + "'");
        }
        return value.textValue();
    }
}
