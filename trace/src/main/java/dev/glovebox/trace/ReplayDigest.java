package dev.glovebox.trace;

import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HexFormat;

/**
 * Sums up what a run has derived, so that a replay can be compared with it.
 *
 * <p>Parallel branches are recorded in any order, and a run that was interrupted may derive a thing
 * twice; so each distinct derived part counts once, whenever it came.
 */
public final class ReplayDigest {

    // Marks are sorted as numbers: their first bits, and behind them where they stand.
    private static final int INDEX_BITS = 25;
    private static final long INDEX = (1L << INDEX_BITS) - 1;

    private final HashList marks = new HashList();

    /** Takes an event in; those without a derived part do not count. */
    public void add(Event event) {
        if (event.version() == Entry.VERSION) {
            add(event.type(), event.body());
        }
    }

    void add(String type, Body body) {
        if (!body.derived().isEmpty()) {
            add(Digests.raw(body.replayLine(type)));
        }
    }

    void add(byte[] mark) {
        marks.add(mark);
    }

    /** The digest of all so far and one more, which is not taken in: it may not come to that. */
    String valueWith(Event event) {
        int before = marks.size();
        add(event);
        String value = value();
        marks.cut(before);
        return value;
    }

    /** The digest of all so far. */
    public String value() {
        MessageDigest digest = Digests.sha256();
        int last = -1;
        for (long key : sorted()) {
            int index = (int) (key & INDEX);
            if (last < 0 || marks.compare(last, index) != 0) {
                digest.update(marks.get(index));
            }
            last = index;
        }
        return HexFormat.of().formatHex(digest.digest());
    }

    private long[] sorted() {
        long[] keys = new long[marks.size()];
        for (int i = 0; i < keys.length; i++) {
            // Java's order of numbers is signed, that of bytes is not.
            keys[i] = ((marks.beginning(i) ^ Long.MIN_VALUE) & ~INDEX) | i;
        }
        Arrays.sort(keys);
        for (int from = 0; from < keys.length; ) {
            int to = from + 1;
            while (to < keys.length && (keys[from] & ~INDEX) == (keys[to] & ~INDEX)) {
                to++;
            }
            if (to - from > 1) {
                sortAlike(keys, from, to);
            }
            from = to;
        }
        return keys;
    }

    /** Puts marks in order that begin alike: the same ones, and by chance a few others. */
    private void sortAlike(long[] keys, int from, int to) {
        Long[] alike = Arrays.stream(keys, from, to).boxed().toArray(Long[]::new);
        Arrays.sort(
                alike, (one, other) -> marks.compare((int) (one & INDEX), (int) (other & INDEX)));
        for (int i = 0; i < alike.length; i++) {
            keys[from + i] = alike[i];
        }
    }
}
