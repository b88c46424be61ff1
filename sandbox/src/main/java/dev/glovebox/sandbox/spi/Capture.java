package dev.glovebox.sandbox.spi;

import dev.glovebox.sandbox.Output;
import java.io.ByteArrayOutputStream;
import java.security.MessageDigest;
import java.util.Arrays;

/**
 * Keeps the first and the last part of a stream in bounded memory, and counts and digests all of
 * it.
 *
 * <p>As long as the stream stays within the limit, the first part is all of it.
 */
public final class Capture {

    private final int headRoom;
    private final int tailRoom;
    private final ByteArrayOutputStream head = new ByteArrayOutputStream();
    private final MessageDigest digest = Digests.sha256();
    // A ring: grows up to tailRoom, then overwrites its oldest bytes.
    private byte[] tail = new byte[0];
    private long total;

    public Capture(long limit) {
        headRoom = Math.toIntExact(limit - limit / 2);
        tailRoom = Math.toIntExact(limit / 2);
    }

    public void add(byte[] bytes) {
        digest.update(bytes);
        total += bytes.length;
        int first = Math.min(headRoom - head.size(), bytes.length);
        head.write(bytes, 0, first);
        if (first < bytes.length) {
            addToTail(bytes, first, bytes.length - first);
        }
    }

    private void addToTail(byte[] bytes, int offset, int length) {
        long before = total - head.size() - length;
        if (tailRoom == 0) {
            return;
        }
        grow(before + length);
        int skip = Math.max(0, length - tailRoom);
        for (int done = skip; done < length; ) {
            int at = (int) ((before + done) % tailRoom);
            int step = Math.min(length - done, tailRoom - at);
            System.arraycopy(bytes, offset + done, tail, at, step);
            done += step;
        }
    }

    private void grow(long wanted) {
        if (tail.length < tailRoom && wanted > tail.length) {
            byte[] larger = new byte[(int) Math.min(tailRoom, Math.max(wanted, 2L * tail.length))];
            System.arraycopy(tail, 0, larger, 0, tail.length);
            tail = larger;
        }
    }

    public long total() {
        return total;
    }

    public boolean overflowed() {
        return total > (long) headRoom + tailRoom;
    }

    /**
     * What was kept so far; call once, as it ends the digest.
     *
     * <p>Nothing here changes what {@link #add} works on: a pump that is held up in a listener may
     * still add bytes after the result was settled.
     */
    public Output finish() {
        byte[] first = head.toByteArray();
        byte[] last = last();
        String sum = Digests.hex(digest);
        if (overflowed()) {
            return new Output(first, last, total, sum);
        }
        byte[] whole = Arrays.copyOf(first, first.length + last.length);
        System.arraycopy(last, 0, whole, first.length, last.length);
        return new Output(whole, new byte[0], total, sum);
    }

    private byte[] last() {
        long behindHead = total - head.size();
        if (behindHead <= tailRoom) {
            return Arrays.copyOf(tail, (int) behindHead);
        }
        byte[] last = new byte[tailRoom];
        int oldest = tailRoom == 0 ? 0 : (int) (behindHead % tailRoom);
        System.arraycopy(tail, oldest, last, 0, tailRoom - oldest);
        System.arraycopy(tail, 0, last, tailRoom - oldest, oldest);
        return last;
    }
}
