package dev.glovebox.trace;

import java.security.MessageDigest;
import org.jspecify.annotations.Nullable;

/**
 * A line that was read as a record, with everything about it that does not depend on the others; so
 * this can be done for many records at once.
 *
 * @param entry null if it is none
 * @param hash what its hash must be
 * @param mark what it gives to the replay digest, if anything
 * @param problem what is wrong with it; empty if nothing is
 */
record Checked(@Nullable Entry entry, byte[] hash, byte @Nullable [] mark, String problem) {

    static Checked of(byte[] line, MessageDigest digest) {
        try {
            Entry entry = Entry.read(line);
            byte[] hash = entry.computedHash(digest);
            byte[] mark = entry.derives() ? entry.replayMark(digest) : null;
            return new Checked(entry, hash, mark, "");
        } catch (Malformed e) {
            return new Checked(null, new byte[0], null, e.getMessage());
        }
    }
}
