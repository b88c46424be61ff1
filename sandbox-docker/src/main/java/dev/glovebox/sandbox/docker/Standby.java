package dev.glovebox.sandbox.docker;

import dev.glovebox.sandbox.Control;
import dev.glovebox.sandbox.Output;
import dev.glovebox.sandbox.Policy;
import dev.glovebox.sandbox.Program;
import dev.glovebox.sandbox.Receipt;
import dev.glovebox.sandbox.spi.Digests;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;

/** A box in which nothing has run yet, started and looked over. */
final class Standby implements AutoCloseable {

    private static final Duration FAREWELL = Duration.ofMillis(1500);

    /**
     * What a box is, as far as it is known before anything runs in it.
     *
     * @param image digest of what it is made of
     * @param controls what was found in force
     */
    record Identity(
            String tier,
            String version,
            String image,
            OptionalLong hostUid,
            List<Control> controls) {}

    private final Identity identity;
    private final Vessel vessel;
    private final Holder holder;
    private final Facts facts;
    private final Removals removals;
    private final int uid;
    private final AtomicBoolean closed = new AtomicBoolean();

    Standby(
            Identity identity,
            Vessel vessel,
            Holder holder,
            Facts facts,
            Removals removals,
            int uid) {
        this.identity = identity;
        this.vessel = vessel;
        this.holder = holder;
        this.facts = facts;
        this.removals = removals;
        this.uid = uid;
    }

    String tier() {
        return identity.tier();
    }

    Identity identity() {
        return identity;
    }

    Holder holder() {
        return holder;
    }

    Facts facts() {
        return facts;
    }

    Interpreters interpreters() {
        return new Interpreters(identity.image(), facts, holder);
    }

    void kill() {
        vessel.kill();
        holder.close();
    }

    /** Whether the kernel ended the whole box for want of memory. */
    boolean autopsy() {
        return !closed.get() && vessel.outOfMemory();
    }

    Receipt receipt(
            Policy policy,
            Program program,
            Launch launch,
            Rlimits rlimits,
            Output stdout,
            Output stderr) {
        Map<String, String> inputs = new TreeMap<>();
        program.inputs().forEach((path, content) -> inputs.put(path, Digests.hex(content)));
        return new Receipt(
                identity.tier(),
                identity.version(),
                launch.interpreter(),
                identity.hostUid(),
                launch.digest(),
                inputs,
                policy.digest(),
                Readback.withTimes(identity.controls(), policy, rlimits),
                stdout.digest(),
                stderr.digest());
    }

    /**
     * Ends everything in the box, and returns when it has; the engine's own record of it is removed
     * right after, and before the JVM ends.
     */
    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            holder.dismiss();
            if (!holder.awaitEnd(FAREWELL)) {
                vessel.kill();
            }
            holder.close();
            removals.remove(vessel);
            Uids.release(uid);
        }
    }
}
