package dev.glovebox.trace;

import java.security.SecureRandom;
import java.util.Optional;

/**
 * Content, kept once for all records that refer to it.
 *
 * @param digest by which records name it
 * @param salt 32 random bytes that go before the content into the digest of private content; empty
 *     for all other
 */
public record Blob(String digest, byte[] content, byte[] salt) {

    /** The length of a salt, in bytes. */
    public static final int SALT = 32;

    private static final SecureRandom RANDOM = new SecureRandom();

    /** Content that anyone may recognise by its digest. */
    public static Blob of(byte[] content) {
        return new Blob(Digests.hex(content), content, new byte[0]);
    }

    /** Private content: who has only the digest cannot even test a guess. */
    public static Blob salted(byte[] content) {
        byte[] salt = new byte[SALT];
        RANDOM.nextBytes(salt);
        return new Blob(Digests.hex(salt, content), content, salt);
    }

    public boolean isSalted() {
        return salt.length > 0;
    }

    public BlobRef reference(String media) {
        return new BlobRef(digest, content.length, media, isSalted());
    }

    /** What is wrong with it as the content of a reference, if anything. */
    public Optional<String> problem(BlobRef reference) {
        if (content.length != reference.bytes()) {
            return Optional.of("has " + content.length + " bytes, not " + reference.bytes());
        }
        if (isSalted() != reference.salted()) {
            return Optional.of(isSalted() ? "is salted" : "is not salted");
        }
        return Digests.hex(salt, content).equals(reference.digest())
                ? Optional.empty()
                : Optional.of("has another digest");
    }
}
