package dev.glovebox.sandbox.conformance;

import dev.glovebox.sandbox.spi.Tier;
import org.junit.jupiter.api.Nested;

/** The jail passes every kit and promises everything. */
final class JailConformanceTest {

    private static final Tier JAIL = ConformanceKit.tierNamed("jail");

    @Nested
    final class Contract extends ContractKit {
        @Override
        protected Tier tier() {
            return JAIL;
        }
    }

    @Nested
    final class Receipts extends ReceiptKit {
        @Override
        protected Tier tier() {
            return JAIL;
        }
    }

    @Nested
    final class Streams extends StreamsKit {
        @Override
        protected Tier tier() {
            return JAIL;
        }
    }

    @Nested
    final class Lifetime extends LifetimeKit {
        @Override
        protected Tier tier() {
            return JAIL;
        }
    }

    @Nested
    final class Files extends FilesKit {
        @Override
        protected Tier tier() {
            return JAIL;
        }
    }

    @Nested
    final class FileAttacks extends FileAttackKit {
        @Override
        protected Tier tier() {
            return JAIL;
        }
    }

    @Nested
    final class Hygiene extends HygieneKit {
        @Override
        protected Tier tier() {
            return JAIL;
        }
    }

    @Nested
    final class Egress extends EgressKit {
        @Override
        protected Tier tier() {
            return JAIL;
        }
    }
}
