package dev.glovebox.sandbox.opensandbox;

import dev.glovebox.sandbox.conformance.FileAttackKit;
import dev.glovebox.sandbox.conformance.LifetimeKit;
import dev.glovebox.sandbox.conformance.Promise;
import dev.glovebox.sandbox.spi.Tier;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** The kits that take long here, since each step is a request: with {@code ./check --soak} only. */
@EnabledIfSystemProperty(named = "glovebox.soak", matches = "true")
final class OpenSandboxSoakTest {

    private static final BoxServer SERVER = new BoxServer();
    private static final Tier TIER = SERVER.tier();

    @AfterAll
    static void stop() {
        SERVER.close();
    }

    @Nested
    final class Lifetime extends LifetimeKit {
        @Override
        protected Tier tier() {
            return TIER;
        }

        @Override
        protected Map<Promise, String> notPromised() {
            return Promises.NOT_PROMISED;
        }
    }

    @Nested
    final class FileAttacks extends FileAttackKit {
        @Override
        protected Tier tier() {
            return TIER;
        }

        @Override
        protected Map<Promise, String> notPromised() {
            return Promises.NOT_PROMISED;
        }
    }
}
