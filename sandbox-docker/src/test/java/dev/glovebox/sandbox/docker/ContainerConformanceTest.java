package dev.glovebox.sandbox.docker;

import dev.glovebox.sandbox.conformance.ContractKit;
import dev.glovebox.sandbox.conformance.DiskRateKit;
import dev.glovebox.sandbox.conformance.FileAttackKit;
import dev.glovebox.sandbox.conformance.FilesKit;
import dev.glovebox.sandbox.conformance.HygieneKit;
import dev.glovebox.sandbox.conformance.LifetimeKit;
import dev.glovebox.sandbox.conformance.LimitsKit;
import dev.glovebox.sandbox.conformance.Promise;
import dev.glovebox.sandbox.conformance.ReceiptKit;
import dev.glovebox.sandbox.conformance.StreamsKit;
import dev.glovebox.sandbox.spi.Tier;
import java.util.Map;
import org.junit.jupiter.api.Nested;

/** The container tier passes every kit of the contract. */
final class ContainerConformanceTest {

    @Nested
    final class Contract extends ContractKit {
        @Override
        protected Tier tier() {
            return TestEngine.CONTAINER;
        }

        @Override
        protected Map<Promise, String> notPromised() {
            return Promises.CONTAINER;
        }
    }

    @Nested
    final class Receipts extends ReceiptKit {
        @Override
        protected Tier tier() {
            return TestEngine.CONTAINER;
        }

        @Override
        protected Map<Promise, String> notPromised() {
            return Promises.CONTAINER;
        }
    }

    @Nested
    final class Streams extends StreamsKit {
        @Override
        protected Tier tier() {
            return TestEngine.CONTAINER;
        }

        @Override
        protected Map<Promise, String> notPromised() {
            return Promises.CONTAINER;
        }
    }

    @Nested
    final class Lifetime extends LifetimeKit {
        @Override
        protected Tier tier() {
            return TestEngine.CONTAINER;
        }

        @Override
        protected Map<Promise, String> notPromised() {
            return Promises.CONTAINER;
        }
    }

    @Nested
    final class Files extends FilesKit {
        @Override
        protected Tier tier() {
            return TestEngine.CONTAINER;
        }

        @Override
        protected Map<Promise, String> notPromised() {
            return Promises.CONTAINER;
        }
    }

    @Nested
    final class FileAttacks extends FileAttackKit {
        @Override
        protected Tier tier() {
            return TestEngine.CONTAINER;
        }

        @Override
        protected Map<Promise, String> notPromised() {
            return Promises.CONTAINER;
        }
    }

    @Nested
    final class Hygiene extends HygieneKit {
        @Override
        protected int boxes() {
            return Boxes.MANY;
        }

        @Override
        protected int specialBoxes() {
            return Boxes.MANY;
        }

        @Override
        protected Tier tier() {
            return TestEngine.CONTAINER;
        }

        @Override
        protected Map<Promise, String> notPromised() {
            return Promises.CONTAINER;
        }
    }

    @Nested
    final class Limits extends LimitsKit {
        @Override
        protected Tier tier() {
            return TestEngine.CONTAINER;
        }

        @Override
        protected Map<Promise, String> notPromised() {
            return Promises.CONTAINER;
        }
    }

    @Nested
    final class DiskRate extends DiskRateKit {
        @Override
        protected Tier tier() {
            return TestEngine.CONTAINER;
        }

        @Override
        protected Map<Promise, String> notPromised() {
            return Promises.CONTAINER;
        }
    }
}
