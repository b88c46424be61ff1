package dev.glovebox.trace;

import dev.glovebox.trace.spi.RunQuery;
import dev.glovebox.trace.spi.RunRow;
import dev.glovebox.trace.spi.Signed;
import dev.glovebox.trace.spi.TraceStore;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/** Checks a whole installation: the log, every head of it, and every run. */
final class Auditor {

    private static final int PAGE = 1_000;

    private final TraceStore store;
    private final SigningKeys keys;
    private final Collection<VerifyingKey> trusted;
    private final List<String> problems = new ArrayList<>();

    Auditor(TraceStore store, SigningKeys keys, Collection<VerifyingKey> trusted) {
        this.store = store;
        this.keys = keys;
        this.trusted = trusted;
    }

    Audit audit(Optional<Signed> kept) {
        long leaves = store.leafCount();
        SortedMap<String, Verdict> findings = new TreeMap<>();
        try {
            LogView log = new LogView(store);
            List<Signed> rotations = log.inEffect(store.rotations());
            KeyRing ring = new KeyRing(keys, rotations);
            if (leaves > log.tree().size()) {
                problems.add("the log has leaves that no head covers");
            }
            heads(log, ring);
            kept.ifPresent(head -> compare(head, log, ring));
            Set<String> runs = new TreeSet<>(log.byRun().keySet());
            runs.addAll(stored());
            StoredCheck check = new StoredCheck(store, trusted);
            for (String run : runs) {
                if (!log.indexes(run).equals(found(run, log.tree().size()))) {
                    problems.add("the leaves of the run " + run + " cannot be found by its name");
                }
                Verdict verdict = check.check(run, Evidence.of(log.seals(run), rotations, ring));
                if (!(verdict instanceof Verdict.Intact)) {
                    findings.put(run, verdict);
                }
            }
            return new Audit(log.tree().size(), runs.size(), problems, findings);
        } catch (Broken e) {
            if (e.verdict() instanceof Verdict.Tampered tampered) {
                problems.add(tampered.what());
            }
            return new Audit(leaves, 0, problems, findings);
        }
    }

    /** Whoever verifies a single run looks for it like this. */
    private Set<Long> found(String run, long size) {
        return store.leavesOf(run).headMap(size).keySet();
    }

    private Set<String> stored() {
        Set<String> runs = new TreeSet<>();
        List<RunRow> page = store.runs(RunQuery.newest(PAGE));
        while (!page.isEmpty()) {
            page.forEach(row -> runs.add(row.run()));
            page =
                    store.runs(
                            new RunQuery(
                                    Optional.empty(),
                                    Optional.empty(),
                                    Optional.empty(),
                                    Optional.of(page.getLast()),
                                    PAGE));
        }
        return runs;
    }

    /** Every head that was ever signed must be one of this log, by the key of its time. */
    private void heads(LogView log, KeyRing ring) {
        List<Signed> page = new ArrayList<>();
        long size = 0;
        while (size < log.tree().size()) {
            Optional<Signed> next = store.headCovering(size + 1);
            if (next.isEmpty()) {
                problems.add("no head covers leaf " + size + " of the log");
                break;
            }
            TreeHead head = LogView.read(next.get());
            if (head.size() <= size || head.size() > log.tree().size()) {
                problems.add("a head of the log covers " + head.size() + " leaves, out of order");
                break;
            }
            size = head.size();
            page.add(next.get());
            if (page.size() == PAGE) {
                signatures(page, log, ring);
                page.clear();
            }
        }
        signatures(page, log, ring);
    }

    private void signatures(List<Signed> heads, LogView log, KeyRing ring) {
        // A signature takes a millisecond, and a log has as many as there were runs.
        heads.parallelStream()
                .flatMap(head -> problem(head, log, ring).stream())
                .toList()
                .forEach(problems::add);
    }

    private static Optional<String> problem(Signed signed, LogView log, KeyRing ring) {
        TreeHead head = TreeHead.read(signed.statement());
        String which = "the head of " + head.size() + " leaves ";
        if (!head.log().equals(log.head().orElseThrow().log())) {
            return Optional.of(which + "is of another log");
        }
        if (!log.root(head.size()).equals(head.root())) {
            return Optional.of(which + "has another root: leaves before it were changed");
        }
        if (!head.key().equals(log.signer(head.size()))) {
            return Optional.of(which + "is signed by a key that was not the log's then");
        }
        return ring.key(head.key())
                .filter(key -> key.signed(TreeHead.PREFIX, signed))
                .map(key -> Optional.<String>empty())
                .orElse(Optional.of(which + "is not signed by its key"));
    }

    /** The log must begin as the one that somebody kept the head of. */
    private void compare(Signed kept, LogView log, KeyRing ring) {
        TreeHead head = TreeHead.read(kept.statement());
        long size = log.tree().size();
        String name = log.head().map(TreeHead::log).orElse("");
        if (!name.equals(head.log())) {
            problems.add(
                    "the head that was kept is of the log %s, and this is %s"
                            .formatted(head.log(), name.isEmpty() ? "an empty one" : name));
        } else if (head.size() > size) {
            problems.add(
                    "the log was cut: it has %,d leaves, and had %,d".formatted(size, head.size()));
        } else if (!log.root(head.size()).equals(head.root())) {
            problems.add(
                    "the log was rewritten: its first %,d leaves are not those that were kept"
                            .formatted(head.size()));
        }
        ring.key(head.key())
                .filter(key -> key.signed(TreeHead.PREFIX, kept))
                .ifPresentOrElse(
                        key -> {},
                        () -> problems.add("the head that was kept is not signed by its key"));
    }
}
