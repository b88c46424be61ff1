package dev.glovebox.sandbox.docker;

import dev.glovebox.sandbox.conformance.Behind;
import dev.glovebox.sandbox.conformance.DiskRateKit;
import dev.glovebox.sandbox.conformance.HygieneKit;
import dev.glovebox.sandbox.conformance.LimitsKit;
import org.junit.jupiter.api.Nested;

/** The container tier holds its limits and leaves nothing behind. */
@Behind(Walls.Container.class)
final class ContainerLimitsTest {

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
    }

    @Nested
    final class Limits extends LimitsKit {}

    @Nested
    final class DiskRate extends DiskRateKit {}
}
