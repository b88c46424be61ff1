package dev.glovebox.trace;

import dev.glovebox.trace.spi.Signed;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PublicKey;
import java.security.Signature;
import java.security.spec.X509EncodedKeySpec;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;

/** An Ed25519 key that tells whether a signature is right. */
public final class VerifyingKey {

    /** The length of a key, in bytes. */
    public static final int LENGTH = 32;

    static final String ALGORITHM = "Ed25519";
    private static final int SIGNATURE_DIGITS = 128;
    private static final HexFormat HEX = HexFormat.of();
    private static final String PEM = "PUBLIC KEY";

    // All of an X.509 SubjectPublicKeyInfo of an Ed25519 key but the key itself (RFC 8410).
    private static final byte[] SPKI = HEX.parseHex("302a300506032b6570032100");

    private final byte[] raw;
    private final String id;

    private VerifyingKey(byte[] raw) {
        this.raw = raw;
        this.id = Digests.hex(raw);
    }

    static VerifyingKey ofHex(String hex) {
        return new VerifyingKey(HEX.parseHex(hex));
    }

    /**
     * Reads a key as {@code glovebox trace key} and {@code openssl pkey -pubout} write it.
     *
     * @throws KeyProblem if it is not an Ed25519 key
     */
    public static VerifyingKey ofPem(String pem) {
        return ofSpki(Pem.read(PEM, pem));
    }

    /**
     * Reads all keys of a text that may have several.
     *
     * @throws KeyProblem if one is not an Ed25519 key, or there is none
     */
    public static List<VerifyingKey> allOfPem(String pem) {
        return Pem.all(PEM, pem).stream().map(VerifyingKey::ofSpki).toList();
    }

    static VerifyingKey of(PublicKey key) {
        return ofSpki(key.getEncoded());
    }

    private static VerifyingKey ofSpki(byte[] spki) {
        boolean right =
                spki.length == SPKI.length + LENGTH
                        && Arrays.equals(spki, 0, SPKI.length, SPKI, 0, SPKI.length);
        if (!right) {
            throw new KeyProblem("The public key is not an Ed25519 key");
        }
        return new VerifyingKey(Arrays.copyOfRange(spki, SPKI.length, spki.length));
    }

    /** Its name in traces: the SHA-256 of its 32 bytes. */
    public String id() {
        return id;
    }

    /** Its 32 bytes, in hexadecimal. */
    public String hex() {
        return HEX.formatHex(raw);
    }

    /** As X.509 SubjectPublicKeyInfo, which OpenSSL reads. */
    public String pem() {
        return Pem.write(PEM, spki());
    }

    private byte[] spki() {
        byte[] spki = Arrays.copyOf(SPKI, SPKI.length + LENGTH);
        System.arraycopy(raw, 0, spki, SPKI.length, LENGTH);
        return spki;
    }

    /** Whether a text has the form of a signature. */
    static boolean validSignature(String hex) {
        return hex.length() == SIGNATURE_DIGITS
                && Digests.valid(hex.substring(0, Digests.LENGTH))
                && Digests.valid(hex.substring(Digests.LENGTH));
    }

    /** Whether this key has signed these bytes. */
    boolean signed(byte[] prefix, Signed statement) {
        String hex = statement.signature();
        if (!validSignature(hex)) {
            return false;
        }
        try {
            PublicKey key =
                    KeyFactory.getInstance(ALGORITHM)
                            .generatePublic(new X509EncodedKeySpec(spki()));
            Signature signature = Signature.getInstance(ALGORITHM);
            signature.initVerify(key);
            signature.update(prefix);
            signature.update(statement.statement());
            return signature.verify(HEX.parseHex(hex));
        } catch (GeneralSecurityException e) {
            // Whatever is not a point of the curve, or not a signature, is not right.
            return false;
        }
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof VerifyingKey key && key.id.equals(id);
    }

    @Override
    public int hashCode() {
        return id.hashCode();
    }

    @Override
    public String toString() {
        return id;
    }
}
