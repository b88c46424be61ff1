package dev.glovebox.sandbox.microvm;

import dev.glovebox.sandbox.conformance.Behind;
import dev.glovebox.sandbox.conformance.FilesKit;
import dev.glovebox.sandbox.conformance.HostileJavaScriptKit;
import dev.glovebox.sandbox.conformance.HostileKernelKit;
import dev.glovebox.sandbox.conformance.HostileNetworkKit;
import dev.glovebox.sandbox.conformance.HostileResourcesKit;
import dev.glovebox.sandbox.conformance.HostileSightKit;
import dev.glovebox.sandbox.conformance.HygieneKit;
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

/** The rest of the kits in virtual machines, which take long: with {@code ./check --soak} only. */
@Behind(MicrovmWall.class)
@EnabledIfSystemProperty(named = "glovebox.soak", matches = "true")
final class MicrovmSoakTest {

    /** Python takes seconds to start where instructions are translated, and one test starts 20. */
    @Nested
    @Timeout(value = 10, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    final class Streams extends StreamsKit {}

    @Nested
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
    final class Kernel extends HostileKernelKit {}

    @Nested
    final class Network extends HostileNetworkKit {}

    @Nested
    final class Resources extends HostileResourcesKit {}

    @Nested
    final class Sight extends HostileSightKit {}

    /** Some tests start node three times, and their programs have minutes. */
    @Nested
    @Timeout(value = 10, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    final class JavaScript extends JavaScriptKit {}

    /** Node fills memory slowly where instructions are translated. */
    @Nested
    @Timeout(value = 10, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    final class HostileJavaScript extends HostileJavaScriptKit {}

    @Nested
    final class Hygiene extends HygieneKit {
        @Override
        protected int boxes() {
            return MicrovmWall.MANY;
        }

        @Override
        protected int specialBoxes() {
            return MicrovmWall.MANY;
        }
    }
}
