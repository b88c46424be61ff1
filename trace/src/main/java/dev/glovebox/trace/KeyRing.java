package dev.glovebox.trace;

import dev.glovebox.trace.spi.Signed;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Finds the public keys of an installation by their ids. */
final class KeyRing {

    private final SigningKeys folder;
    private final Map<String, VerifyingKey> replaced = new HashMap<>();

    KeyRing(SigningKeys folder, List<Signed> rotations) {
        this.folder = folder;
        for (Signed rotation : rotations) {
            try {
                VerifyingKey next = Rotation.read(rotation.statement()).next();
                replaced.put(next.id(), next);
            } catch (Malformed e) {
                throw Broken.because(e.getMessage());
            }
        }
    }

    Optional<VerifyingKey> key(String id) {
        return Optional.ofNullable(replaced.get(id)).or(() -> folder.verifying(id));
    }
}
