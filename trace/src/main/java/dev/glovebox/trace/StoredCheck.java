package dev.glovebox.trace;

import dev.glovebox.trace.MentionQueue.Mention;
import dev.glovebox.trace.spi.RunRow;
import dev.glovebox.trace.spi.TraceStore;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/** Checks a run where it is kept, as an export of it would be. */
final class StoredCheck {

    private static final int PAGE = 1_000;

    private final TraceStore store;
    private final Collection<VerifyingKey> trusted;

    StoredCheck(TraceStore store, Collection<VerifyingKey> trusted) {
        this.store = store;
        this.trusted = trusted;
    }

    /**
     * @param evidence what the log says of the run; must have been read before
     */
    Verdict check(String run, Evidence evidence) {
        try {
            Chain chain = new Chain(run);
            records(chain, evidence.seals());
            if (!blobs(chain)) {
                // Somebody has just redacted what was needed when we began.
                return check(run, evidence);
            }
            SealCheck seals = new SealCheck(chain, trusted);
            evidence.keys().forEach(seals::key);
            evidence.rotations().forEach(seals::rotation);
            evidence.seals().forEach(seals::seal);
            return seals.verdict();
        } catch (Broken e) {
            return e.verdict();
        } catch (Malformed e) {
            return Broken.because(e.getMessage()).verdict();
        }
    }

    private void records(Chain chain, List<Seal> seals) {
        Optional<RunRow> row = store.run(chain.run());
        if (row.isEmpty()) {
            if (seals.isEmpty()) {
                throw new NoSuchRun("There is no run " + chain.run());
            }
            throw Broken.because(
                    "the run %s was removed: leaf %d of the log is about it"
                            .formatted(chain.run(), seals.getFirst().index()));
        }
        // Somebody may be recording right now: not further than it was when we began.
        long size = row.get().records();
        ChainReader reader = new ChainReader(chain);
        long next = 0;
        while (next < size) {
            List<byte[]> page = store.lines(chain.run(), next, (int) Math.min(PAGE, size - next));
            if (page.isEmpty()) {
                break;
            }
            next += page.size();
            reader.add(page);
        }
        reader.finish();
        if (next < size || !chain.has(size - 1, row.get().lastHash())) {
            throw Broken.because(
                    "the run has other records than the %d that were kept".formatted(size));
        }
    }

    /** Whether all is there; if not, a record that has come since says why. */
    private boolean blobs(Chain chain) {
        Mentions mentions = chain.mentions();
        for (Optional<Mention> next = mentions.next(); next.isPresent(); next = mentions.next()) {
            Mention mention = next.get();
            BlobRef reference = mention.reference();
            Optional<Blob> found = store.blob(reference.digest());
            if (found.isEmpty()) {
                if (Tape.redacts(store, chain.run(), chain.size(), reference.digest())) {
                    return false;
                }
                throw mention.broken("is missing");
            }
            Blob blob = found.get();
            blob.problem(reference)
                    .ifPresent(problem -> {
                        throw mention.broken(problem);
                    });
            if (reference.list()) {
                mentions.add(mention, blob.content());
            }
        }
        return true;
    }
}
