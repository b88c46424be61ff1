package dev.glovebox.trace;

import dev.glovebox.trace.spi.Signed;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.SequencedSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Checks the seals of one run, and comes to the verdict; sections 5 and 7 of the trace format. */
final class SealCheck {

    /** Nobody has so many keys, and each costs whoever checks it a signature. */
    static final int MOST_KEYS = 1_000;

    private final Chain chain;
    private final Map<String, VerifyingKey> keys = new HashMap<>();
    private final Set<String> unused = new HashSet<>();
    private final Set<String> known = new HashSet<>();
    // The keys of the log, one after the other: the last one is the next to be replaced.
    private final SequencedSet<String> line = new LinkedHashSet<>();
    private final Map<Long, String> roots = new HashMap<>();
    private final Set<String> strangers = new HashSet<>();
    private @Nullable Seal last;
    private @Nullable String log;
    private @Nullable String signer;
    private long sealed = -1;

    SealCheck(Chain chain, Collection<VerifyingKey> trusted) {
        this.chain = chain;
        trusted.forEach(key -> known.add(key.id()));
    }

    /** Takes a key that signatures need. */
    void key(VerifyingKey key) {
        if (keys.putIfAbsent(key.id(), key) != null) {
            throw Broken.because("the key " + key.id() + " is there twice");
        }
        if (keys.size() > MOST_KEYS) {
            throw Broken.because("there are more than " + MOST_KEYS + " keys");
        }
        unused.add(key.id());
    }

    /** Takes a replacement of a key; they come in the order in which they happened. */
    void rotation(Signed signed) {
        Rotation rotation = Rotation.read(signed.statement());
        sameLog(rotation.log());
        if (!rotation.old().equals(line.getLast()) || !line.add(rotation.next().id())) {
            throw Broken.because("the replacements of keys do not follow each other");
        }
        if (!signed(rotation.old(), Rotation.PREFIX, signed)) {
            throw Broken.because(
                    "the replacement of the key " + rotation.old() + " is not signed by it");
        }
        if (known.contains(rotation.old())) {
            known.add(rotation.next().id());
        }
    }

    /** Takes a seal; they come in the order of their leaves. */
    void seal(Seal seal) {
        String which = "the seal of leaf " + seal.index();
        if (last != null && seal.index() <= last.index()) {
            throw Broken.because(which + " is not in its place");
        }
        if (!(seal.leaf() instanceof Leaf.OfRecord leaf) || !leaf.run().equals(chain.run())) {
            throw Broken.because(which + " is not about this run");
        }
        if (leaf.seq() >= chain.size()) {
            throw Broken.because(which + " is about record " + leaf.seq() + ", which is missing");
        }
        try {
            check(seal, leaf, which);
        } catch (Broken e) {
            throw e.in(leaf.seq());
        }
        last = seal;
        vouch(leaf, seal.head().key());
    }

    private void check(Seal seal, Leaf.OfRecord leaf, String which) {
        if (!chain.has(leaf.seq(), leaf.hash())) {
            throw Broken.because(which + " is about another record");
        }
        boolean placed =
                switch (leaf.mark()) {
                    case START -> leaf.seq() == 0;
                    case MARK -> true;
                    case END -> chain.finishedAt(leaf.seq());
                };
        if (!placed) {
            throw Broken.because(which + " says that it is something else");
        }
        if (!seal.leads()) {
            throw Broken.because(which + " does not lead to its head");
        }
        head(seal, which);
    }

    private void head(Seal seal, String which) {
        TreeHead head = seal.head();
        sameLog(head.log());
        if (!line.contains(head.key())) {
            throw Broken.because(which + " is signed by a key that is none of the log");
        }
        if (!roots.merge(head.size(), head.root(), (one, other) -> one).equals(head.root())) {
            throw Broken.because(which + " is of another log of the same size");
        }
        // Most seals share a head, and nothing here costs as much as a signature.
        boolean checked =
                last != null
                        && last.head().equals(head)
                        && last.signature().equals(seal.signature());
        if (!checked
                && !signed(
                        head.key(), TreeHead.PREFIX, new Signed(head.bytes(), seal.signature()))) {
            throw Broken.because(which + " is not signed by its key " + head.key());
        }
    }

    private void sameLog(String name) {
        if (log != null && !log.equals(name)) {
            throw Broken.because("the seals are of two logs");
        }
        if (log == null) {
            line.add(name);
        }
        log = name;
    }

    private boolean signed(String id, byte[] prefix, Signed statement) {
        VerifyingKey key = keys.get(id);
        if (key == null) {
            throw Broken.because("the key " + id + ", which a signature needs, is missing");
        }
        unused.remove(id);
        return key.signed(prefix, statement);
    }

    private void vouch(Leaf.OfRecord leaf, String key) {
        if (!known.contains(key)) {
            strangers.add(key);
            return;
        }
        sealed = Math.max(sealed, leaf.seq());
        if (leaf.mark() == Seals.Mark.END) {
            signer = key;
        }
    }

    /** What all this comes to. */
    Verdict verdict() {
        if (!unused.isEmpty()) {
            throw Broken.because("there is a key that no signature needs");
        }
        List<String> reasons = new ArrayList<>();
        if (!chain.isFinished()) {
            reasons.add("the run is not finished");
        } else if (signer == null) {
            reasons.add("the end of the run is not sealed by a known key");
        } else if (sealed < chain.size() - 1) {
            reasons.add("what was redacted after the end is not sealed by a known key");
        }
        if (signer != null && reasons.isEmpty()) {
            return new Verdict.Intact(chain.run(), chain.size(), signer);
        }
        strangers.stream()
                .sorted()
                .map(key -> "it has seals by the unknown key " + key)
                .forEach(reasons::add);
        return new Verdict.Incomplete(reasons);
    }
}
