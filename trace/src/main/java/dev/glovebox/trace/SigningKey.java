package dev.glovebox.trace;

import dev.glovebox.trace.spi.Signed;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.HexFormat;

/** An Ed25519 key that signs, with the one that tells whether it did. */
record SigningKey(PrivateKey secret, VerifyingKey verifying) {

    private static final String PEM = "PRIVATE KEY";

    static SigningKey fresh() {
        try {
            KeyPair pair = KeyPairGenerator.getInstance(VerifyingKey.ALGORITHM).generateKeyPair();
            return new SigningKey(pair.getPrivate(), VerifyingKey.of(pair.getPublic()));
        } catch (GeneralSecurityException e) {
            throw new KeyProblem("This Java cannot make Ed25519 keys", e);
        }
    }

    /** Reads both keys; whether they belong together is tried. */
    static SigningKey ofPem(String pem) {
        VerifyingKey verifying = VerifyingKey.ofPem(pem);
        try {
            PrivateKey secret =
                    KeyFactory.getInstance(VerifyingKey.ALGORITHM)
                            .generatePrivate(new PKCS8EncodedKeySpec(Pem.read(PEM, pem)));
            SigningKey key = new SigningKey(secret, verifying);
            byte[] nothing = {};
            if (!verifying.signed(nothing, key.sign(nothing, nothing))) {
                throw new KeyProblem("The private and the public key are not a pair");
            }
            return key;
        } catch (GeneralSecurityException e) {
            throw new KeyProblem("The private key is not an Ed25519 key", e);
        }
    }

    /**
     * PKCS#8, and the public key behind it, since Java cannot compute that from the private one.
     */
    String pem() {
        return Pem.write(PEM, secret.getEncoded()) + verifying.pem();
    }

    String id() {
        return verifying.id();
    }

    Signed sign(byte[] prefix, byte[] statement) {
        try {
            Signature signature = Signature.getInstance(VerifyingKey.ALGORITHM);
            signature.initSign(secret);
            signature.update(prefix);
            signature.update(statement);
            return new Signed(statement, HexFormat.of().formatHex(signature.sign()));
        } catch (GeneralSecurityException e) {
            throw new KeyProblem("The key " + id() + " cannot sign", e);
        }
    }

    @Override
    public String toString() {
        return id();
    }
}
