package dev.glovebox.sandbox.opensandbox;

import dev.glovebox.sandbox.conformance.ContractKit;
import dev.glovebox.sandbox.conformance.FilesKit;
import dev.glovebox.sandbox.conformance.LimitsKit;
import dev.glovebox.sandbox.conformance.Promise;
import dev.glovebox.sandbox.conformance.ReceiptKit;
import dev.glovebox.sandbox.conformance.StreamsKit;
import dev.glovebox.sandbox.spi.Tier;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Nested;

/**
 * The kits on a server that behaves, whose boxes are jails of this machine; those that take long
 * are in {@link OpenSandboxSoakTest}.
 */
final class OpenSandboxConformanceTest {

    private static final BoxServer SERVER = new BoxServer();
    private static final Tier TIER = SERVER.tier();

    @AfterAll
    static void stop() {
        SERVER.close();
    }

    @Nested
    final class Contract extends ContractKit {
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
    final class Receipts extends ReceiptKit {
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
    final class Streams extends StreamsKit {
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
    final class Files extends FilesKit {
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
    final class Limits extends LimitsKit {
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
