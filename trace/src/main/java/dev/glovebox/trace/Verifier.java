package dev.glovebox.trace;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;

/**
 * Checks traces, believing nothing but the keys that it was given.
 *
 * <p>Whatever the bytes are, there is a verdict; and no more memory is used than some dozens of
 * bytes for each record and each blob that records refer to.
 */
public final class Verifier {

    private final List<VerifyingKey> trusted;

    private Verifier(List<VerifyingKey> trusted) {
        this.trusted = trusted;
    }

    public static Verifier trusting(Collection<VerifyingKey> keys) {
        return new Verifier(List.copyOf(keys));
    }

    /** Checks an export. */
    public Verdict file(Path export) throws IOException {
        try (InputStream in = Files.newInputStream(export)) {
            return file(in);
        }
    }

    /** Checks an export; reads no further than it is right. */
    public Verdict file(InputStream export) throws IOException {
        try {
            return new FileCheck(new Lines(export), trusted).check();
        } catch (Broken e) {
            return e.verdict();
        } catch (Malformed e) {
            return Broken.because(e.getMessage()).verdict();
        }
    }
}
