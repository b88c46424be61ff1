package dev.glovebox.sandbox.microvm;

import dev.glovebox.sandbox.conformance.FileAttackKit;
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
import dev.glovebox.sandbox.conformance.Promise;
import dev.glovebox.sandbox.conformance.StreamsKit;
import dev.glovebox.sandbox.spi.Tier;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** The rest of the kits in virtual machines, which take long: with {@code ./check --soak} only. */
@EnabledIfSystemProperty(named = "glovebox.soak", matches = "true")
final class MicrovmSoakTest {

    @Nested
    final class Streams extends StreamsKit {
        @Override
        protected Tier tier() {
            return Promises.TIER;
        }

        @Override
        protected Map<Promise, String> notPromised() {
            return Promises.NOT;
        }
    }

    @Nested
    final class Lifetime extends LifetimeKit {
        @Override
        protected Tier tier() {
            return Promises.TIER;
        }

        @Override
        protected Map<Promise, String> notPromised() {
            return Promises.NOT;
        }
    }

    @Nested
    final class Files extends FilesKit {
        @Override
        protected Tier tier() {
            return Promises.TIER;
        }

        @Override
        protected Map<Promise, String> notPromised() {
            return Promises.NOT;
        }
    }

    @Nested
    final class FileAttacks extends FileAttackKit {
        @Override
        protected Tier tier() {
            return Promises.TIER;
        }

        @Override
        protected Map<Promise, String> notPromised() {
            return Promises.NOT;
        }
    }

    @Nested
    final class Limits extends LimitsKit {
        @Override
        protected Tier tier() {
            return Promises.TIER;
        }

        @Override
        protected Map<Promise, String> notPromised() {
            return Promises.NOT;
        }
    }

    @Nested
    final class Kernel extends HostileKernelKit {
        @Override
        protected Tier tier() {
            return Promises.TIER;
        }

        @Override
        protected Map<Promise, String> notPromised() {
            return Promises.NOT;
        }
    }

    @Nested
    final class Network extends HostileNetworkKit {
        @Override
        protected Tier tier() {
            return Promises.TIER;
        }

        @Override
        protected Map<Promise, String> notPromised() {
            return Promises.NOT;
        }
    }

    @Nested
    final class Resources extends HostileResourcesKit {
        @Override
        protected Tier tier() {
            return Promises.TIER;
        }

        @Override
        protected Map<Promise, String> notPromised() {
            return Promises.NOT;
        }
    }

    @Nested
    final class Sight extends HostileSightKit {
        @Override
        protected Tier tier() {
            return Promises.TIER;
        }

        @Override
        protected Map<Promise, String> notPromised() {
            return Promises.NOT;
        }
    }

    @Nested
    final class JavaScript extends JavaScriptKit {
        @Override
        protected Tier tier() {
            return Promises.TIER;
        }

        @Override
        protected Map<Promise, String> notPromised() {
            return Promises.NOT;
        }
    }

    /** Node fills memory slowly where instructions are translated. */
    @Nested
    @Timeout(value = 10, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    final class HostileJavaScript extends HostileJavaScriptKit {
        @Override
        protected Tier tier() {
            return Promises.TIER;
        }

        @Override
        protected Map<Promise, String> notPromised() {
            return Promises.NOT;
        }
    }

    @Nested
    final class Hygiene extends HygieneKit {
        @Override
        protected int boxes() {
            return Promises.MANY;
        }

        @Override
        protected int specialBoxes() {
            return Promises.MANY;
        }

        @Override
        protected Tier tier() {
            return Promises.TIER;
        }

        @Override
        protected Map<Promise, String> notPromised() {
            return Promises.NOT;
        }
    }
}
