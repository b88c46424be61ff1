package dev.glovebox.sandbox.docker;

import dev.glovebox.sandbox.conformance.FileAttackKit;
import dev.glovebox.sandbox.conformance.FilesKit;
import dev.glovebox.sandbox.conformance.JavaScriptKit;
import dev.glovebox.sandbox.conformance.LifetimeKit;
import dev.glovebox.sandbox.conformance.LimitsKit;
import dev.glovebox.sandbox.conformance.Promise;
import dev.glovebox.sandbox.conformance.StreamsKit;
import dev.glovebox.sandbox.spi.Tier;
import java.util.Map;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** The rest of the kits on gVisor, whose boxes take long: with {@code ./check --soak} only. */
@EnabledIfSystemProperty(named = "glovebox.soak", matches = "true")
final class GvisorSoakTest {

    @Nested
    final class Streams extends StreamsKit {
        @Override
        protected Tier tier() {
            return TestEngine.GVISOR;
        }

        @Override
        protected Map<Promise, String> notPromised() {
            return Promises.GVISOR;
        }
    }

    @Nested
    final class Lifetime extends LifetimeKit {
        @Override
        protected Tier tier() {
            return TestEngine.GVISOR;
        }

        @Override
        protected Map<Promise, String> notPromised() {
            return Promises.GVISOR;
        }
    }

    @Nested
    final class Files extends FilesKit {
        @Override
        protected Tier tier() {
            return TestEngine.GVISOR;
        }

        @Override
        protected Map<Promise, String> notPromised() {
            return Promises.GVISOR;
        }
    }

    @Nested
    final class FileAttacks extends FileAttackKit {
        @Override
        protected Tier tier() {
            return TestEngine.GVISOR;
        }

        @Override
        protected Map<Promise, String> notPromised() {
            return Promises.GVISOR;
        }
    }

    @Nested
    final class Limits extends LimitsKit {
        @Override
        protected Tier tier() {
            return TestEngine.GVISOR;
        }

        @Override
        protected Map<Promise, String> notPromised() {
            return Promises.GVISOR;
        }
    }

    @Nested
    final class JavaScript extends JavaScriptKit {
        @Override
        protected Tier tier() {
            return TestEngine.GVISOR;
        }

        @Override
        protected Map<Promise, String> notPromised() {
            return Promises.GVISOR;
        }
    }
}
