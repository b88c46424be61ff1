package dev.glovebox.trace;

import dev.glovebox.trace.spi.Signed;
import java.util.Comparator;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * What seals a run: as it stands in an export.
 *
 * @param keys that the signatures need, in the order of their bytes
 * @param rotations oldest first
 * @param seals in the order of their leaves
 */
record Evidence(List<VerifyingKey> keys, List<Signed> rotations, List<Seal> seals) {

    /**
     * Puts together what the log has.
     *
     * @throws Broken if the key of its head is nowhere
     */
    static Evidence of(List<Seal> seals, List<Signed> rotations, KeyRing ring) {
        if (seals.isEmpty()) {
            return new Evidence(List.of(), List.of(), List.of());
        }
        SortedSet<VerifyingKey> keys = new TreeSet<>(Comparator.comparing(VerifyingKey::hex));
        String head = seals.getFirst().head().key();
        keys.add(
                ring.key(head)
                        .orElseThrow(() ->
                                Broken.because("the key " + head + " of the log is missing")));
        for (Signed rotation : rotations) {
            String old = Rotation.read(rotation.statement()).old();
            keys.add(
                    ring.key(old)
                            .orElseThrow(() ->
                                    Broken.because("the key " + old + " of the log is missing")));
        }
        return new Evidence(List.copyOf(keys), rotations, seals);
    }
}
