package dev.glovebox.sandbox.microvm;

import dev.glovebox.sandbox.conformance.Promise;
import dev.glovebox.sandbox.conformance.Wall;
import dev.glovebox.sandbox.spi.Tier;
import java.time.Duration;
import java.util.Map;

/** The tier under test, and what it does not promise. */
final class MicrovmWall implements Wall {

    private static final Tier TIER = make();

    /** How many boxes are started and killed in a row: a machine takes its time for each. */
    static final int MANY = Boolean.getBoolean("glovebox.soak") ? 200 : 5;

    private static final Map<Promise, String> NOT =
            Map.of(
                    Promise.EGRESS_GATED,
                    "a machine has no network device; a policy that allows a host is refused",
                    Promise.FILES_GRANTED,
                    "nothing of the host is shown in a machine; a policy that grants files is refused",
                    Promise.JAIL_LAYOUT,
                    "what a box sees is the image's; a test of its own looks at it");

    @Override
    public Tier tier() {
        return TIER;
    }

    @Override
    public Map<Promise, String> notPromised() {
        return NOT;
    }

    /** Node takes up to twelve seconds of a processor whose instructions are translated. */
    @Override
    public Duration javaScriptStart() {
        return Duration.ofSeconds(30);
    }

    private static Tier make() {
        TestImage.ensure();
        return new MicrovmTier();
    }
}
