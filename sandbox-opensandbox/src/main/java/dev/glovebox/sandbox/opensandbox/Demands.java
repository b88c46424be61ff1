package dev.glovebox.sandbox.opensandbox;

import dev.glovebox.sandbox.Bytes;
import dev.glovebox.sandbox.NotEnforceable;
import dev.glovebox.sandbox.Policy;
import java.util.Map;

/** What a policy means to the server, and what it can mean to none. */
final class Demands {

    /** For what the server runs in a box beside the program, and for our own agent. */
    private static final Bytes OVERHEAD = Bytes.mebibytes(64);

    private static final long MEBI = 1L << 20;

    private Demands() {}

    /** Memory of the whole box, in whole mebibytes. */
    static Bytes memory(Policy policy) {
        return Bytes.mebibytes((policy.limits().memory().plus(OVERHEAD).count() + MEBI - 1) / MEBI);
    }

    static long millicpus(Policy policy) {
        return Math.max(1, Math.round(policy.limits().cpus() * 1000));
    }

    /** The resource limits that the server is asked for. */
    static Map<String, String> of(Policy policy) {
        return Map.of(
                "cpu", millicpus(policy) + "m", "memory", memory(policy).count() / MEBI + "Mi");
    }

    /**
     * Refuses what no OpenSandbox server can do.
     *
     * @throws NotEnforceable naming the control
     */
    static void check(Policy policy) {
        if (!policy.files().isEmpty()) {
            throw new NotEnforceable(
                    "files",
                    "files of this machine are not on the server's",
                    "Give them as input files");
        }
        if (!policy.network().isEmpty()) {
            throw new NotEnforceable(
                    "network",
                    "an OpenSandbox server knows hosts, not ports, and its gate keeps no record",
                    "Use another tier for programs that need the network");
        }
        if (!policy.runtime().isEmpty()) {
            throw new NotEnforceable(
                    "runtime",
                    "interpreters are those of the image, not of this machine",
                    "Choose the image with " + Settings.IMAGE);
        }
    }
}
