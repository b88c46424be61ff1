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

    private static final int MARK = 32;

    private byte[] marks = new byte[64 * MARK];
    private int count;

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

    private void add(byte[] mark) {
        if (marks.length == count * MARK) {
            marks = Arrays.copyOf(marks, marks.length * 2);
        }
        System.arraycopy(mark, 0, marks, count * MARK, MARK);
        count++;
    }

    /** The digest of all so far. */
    public String value() {
        byte[][] sorted = new byte[count][];
        for (int i = 0; i < count; i++) {
            sorted[i] = Arrays.copyOfRange(marks, i * MARK, (i + 1) * MARK);
        }
        Arrays.sort(sorted, Arrays::compareUnsigned);
        MessageDigest digest = Digests.sha256();
        byte[] last = new byte[0];
        for (byte[] mark : sorted) {
            if (!Arrays.equals(mark, last)) {
                digest.update(mark);
            }
            last = mark;
        }
        return HexFormat.of().formatHex(digest.digest());
    }
}
