package dev.glovebox.sandbox.docker;

import dev.glovebox.sandbox.conformance.Behind;
import dev.glovebox.sandbox.conformance.FilesKit;
import dev.glovebox.sandbox.conformance.JavaScriptKit;
import dev.glovebox.sandbox.conformance.LifetimeKit;
import dev.glovebox.sandbox.conformance.LimitsKit;
import dev.glovebox.sandbox.conformance.LinkAttackKit;
import dev.glovebox.sandbox.conformance.OddFileAttackKit;
import dev.glovebox.sandbox.conformance.RaceAttackKit;
import dev.glovebox.sandbox.conformance.StreamsKit;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** The rest of the kits on gVisor, whose boxes take long: with {@code ./check --soak} only. */
@Behind(Walls.Gvisor.class)
@EnabledIfSystemProperty(named = "glovebox.soak", matches = "true")
final class GvisorSoakTest {

    @Nested
    final class Streams extends StreamsKit {}

    /** Hundreds of processes, each of which takes gVisor tens of milliseconds. */
    @Nested
    @Timeout(value = 10, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    final class Lifetime extends LifetimeKit {}

    @Nested
    final class Files extends FilesKit {}

    @Nested
    final class LinkAttacks extends LinkAttackKit {}

    @Nested
    final class RaceAttacks extends RaceAttackKit {}

    @Nested
    final class OddFileAttacks extends OddFileAttackKit {}

    @Nested
    final class Limits extends LimitsKit {}

    @Nested
    final class JavaScript extends JavaScriptKit {}
}
