package dev.glovebox.sandbox.opensandbox;

import dev.glovebox.sandbox.Output;
import dev.glovebox.sandbox.spi.Capture;
import java.io.ByteArrayOutputStream;
import java.util.Arrays;

/**
 * One output stream of a program. What is within the limit comes as it is written; of what is more,
 * the agent sends the last part at the end, so that no more than is kept goes over the wire.
 */
final class Spool {

    private final int limit;
    private final Capture head;
    private final ByteArrayOutputStream tail = new ByteArrayOutputStream();
    private long total;
    private String digest = "";

    Spool(long limit) {
        this.limit = Math.toIntExact(limit);
        head = new Capture(limit);
    }

    /** Takes what came; whoever sends more than was agreed is not believed. */
    void add(byte[] bytes) throws ServerTrouble {
        if (head.total() + bytes.length > limit) {
            throw ServerTrouble.nonsense("more output than it was asked for");
        }
        head.add(bytes);
        total = Math.max(total, head.total());
    }

    void addLast(byte[] bytes) throws ServerTrouble {
        if (tail.size() + bytes.length > limit / 2) {
            throw ServerTrouble.nonsense("more output than it was asked for");
        }
        tail.writeBytes(bytes);
    }

    /** Takes note of how much there was in all. */
    void sum(long bytes, String sha256) {
        total = Math.max(total, bytes);
        digest = sha256;
    }

    long received() {
        return head.total();
    }

    long total() {
        return total;
    }

    boolean overflowed() {
        return total > limit;
    }

    /** What was kept; call once. The digest of what was too much is the agent's word. */
    Output finish() {
        Output kept = head.finish();
        if (!overflowed()) {
            return kept;
        }
        byte[] first = Arrays.copyOf(kept.head(), Math.min(kept.head().length, limit - limit / 2));
        return new Output(
                first, tail.toByteArray(), total, digest.isEmpty() ? kept.digest() : digest);
    }
}
