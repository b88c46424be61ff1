package dev.glovebox.trace;

import dev.glovebox.trace.spi.LogAppend;
import dev.glovebox.trace.spi.LogLeaf;
import dev.glovebox.trace.spi.Signed;
import dev.glovebox.trace.spi.TraceStore;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** Continues the log of an installation, which other processes may do as well. */
final class LogWriter {

    private static final int PAGE = 5_000;
    private static final String REMEDY =
            "the log was changed: 'glovebox trace verify --all' says more";

    private final TraceStore store;
    private final SigningKeys keys;
    private final FrontierNote note;
    private final Clock clock;
    private Frontier frontier = new Frontier();
    private @Nullable TreeHead head;
    private @Nullable SigningKey key;
    private boolean caughtUp;

    LogWriter(TraceStore store, SigningKeys keys, FrontierNote note, Clock clock) {
        this.store = store;
        this.keys = keys;
        this.note = note;
        this.clock = clock;
    }

    /**
     * Appends leaves, with one signature for all.
     *
     * @throws TraceException if that could not be; then none of them was
     */
    synchronized void append(List<? extends Leaf> leaves) {
        SigningKey signing;
        do {
            catchUp();
            signing = signing(keys::alone);
        } while (!extended(signing, log(signing), leaves));
    }

    /** Replaces the key: the old one vouches for the new one, and is gone. */
    synchronized VerifyingKey rotate() {
        keys.alone(() -> {
            refuseMore();
            String log;
            SigningKey next;
            do {
                catchUp();
                SigningKey old = signing(Runnable::run);
                log = log(old);
                next = keys.prepare();
                Rotation rotation = new Rotation(now(), log, next.verifying(), old.id());
                // First: a log that is signed by a key that nobody vouches for is worse
                // than a promise that was not kept.
                store.rotate(old.sign(Rotation.PREFIX, rotation.bytes()));
            } while (!extended(next, log, List.of(new Leaf.OfKey(now(), next.id()))));
            keys.replace();
            key = next;
        });
        return signing(keys::alone).verifying();
    }

    /** With one key more no export of this log could be verified any more. */
    private void refuseMore() {
        int keys = 1 + store.leavesOf("").size();
        if (keys >= SealCheck.MOST_KEYS) {
            throw new KeyProblem(
                    "The log has had %,d keys, which is the most: begin a new installation"
                            .formatted(keys));
        }
    }

    /** Makes a note of where the log stands. */
    synchronized void remember() {
        if (head != null) {
            note.write(frontier);
        }
    }

    private boolean extended(SigningKey signing, String log, List<? extends Leaf> leaves) {
        Frontier longer = frontier.copy();
        List<LogLeaf> placed = new ArrayList<>();
        Map<String, Long> noted = new HashMap<>();
        for (Leaf leaf : leaves) {
            byte[] bytes = leaf.bytes();
            String run = "";
            if (leaf instanceof Leaf.OfRecord record) {
                run = record.run();
                noted.merge(run, record.seq(), Math::max);
            }
            placed.add(new LogLeaf(bytes, run, longer.append(MerkleTree.leafHash(bytes))));
        }
        TreeHead next =
                new TreeHead(
                        now(),
                        signing.id(),
                        log,
                        HexFormat.of().formatHex(longer.root()),
                        longer.size());
        Signed signed = signing.sign(TreeHead.PREFIX, next.bytes());
        // If it throws, nobody knows whether the store has it.
        caughtUp = false;
        caughtUp = store.extend(new LogAppend(frontier.size(), placed, signed, noted));
        if (caughtUp) {
            frontier = longer;
            head = next;
        }
        return caughtUp;
    }

    private long now() {
        return Entry.micros(clock.instant());
    }

    private String log(SigningKey first) {
        return head == null ? first.id() : head.log();
    }

    /** Takes in what others have appended. */
    private void catchUp() {
        if (caughtUp) {
            return;
        }
        Optional<Signed> stored = store.head();
        if (stored.isPresent()) {
            TreeHead latest = TreeHead.read(stored.get().statement());
            // Whoever changed the log would otherwise get our signature under it.
            Optional<VerifyingKey> signer = keys.verifying(latest.key());
            if (signer.isPresent() && !signer.get().signed(TreeHead.PREFIX, stored.get())) {
                throw new NotKept("The head of the log is not signed by its key; " + REMEDY);
            }
            frontier = continued(head == null ? note.read() : frontier, latest);
            head = latest;
        }
        caughtUp = true;
    }

    private Frontier continued(Frontier from, TreeHead latest) {
        for (Frontier start : List.of(from, new Frontier())) {
            Frontier caught = start.copy();
            while (caught.size() < latest.size()) {
                int most = (int) Math.min(PAGE, latest.size() - caught.size());
                List<byte[]> page = store.leaves(caught.size(), most);
                if (page.isEmpty()) {
                    break;
                }
                page.forEach(leaf -> caught.append(MerkleTree.leafHash(leaf)));
            }
            boolean right =
                    caught.size() == latest.size()
                            && HexFormat.of().formatHex(caught.root()).equals(latest.root());
            if (right) {
                return caught;
            }
        }
        throw new NotKept("The log is not the one that was signed; " + REMEDY);
    }

    /**
     * The key that must sign next.
     *
     * @param alone does something to the keys while nobody else does
     */
    private SigningKey signing(Executor alone) {
        SigningKey signing = key == null ? keys.current() : key;
        while (head != null && !head.key().equals(signing.id())) {
            // Another process has replaced it, or began to and did not come to the end.
            String wanted = head.key();
            alone.execute(() -> complete(wanted));
            signing = keys.current();
            if (!wanted.equals(signing.id())) {
                // Perhaps it was replaced once more since we looked.
                caughtUp = false;
                catchUp();
                refuseSame(wanted, signing);
            }
        }
        key = signing;
        return signing;
    }

    /** What whoever began to replace the key did not come to. */
    private void complete(String wanted) {
        if (keys.next().filter(next -> next.id().equals(wanted)).isPresent()) {
            keys.replace();
        }
    }

    private void refuseSame(String wanted, SigningKey here) {
        if (head != null && head.key().equals(wanted)) {
            throw new KeyProblem(
                    "The log was last signed with the key "
                            + wanted
                            + ", and the one here is "
                            + here.id()
                            + ": the folder of keys is not the one of this log");
        }
    }
}
