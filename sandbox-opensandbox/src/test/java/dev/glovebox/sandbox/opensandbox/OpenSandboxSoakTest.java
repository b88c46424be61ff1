package dev.glovebox.sandbox.opensandbox;

import dev.glovebox.sandbox.conformance.Behind;
import dev.glovebox.sandbox.conformance.LifetimeKit;
import dev.glovebox.sandbox.conformance.LinkAttackKit;
import dev.glovebox.sandbox.conformance.OddFileAttackKit;
import dev.glovebox.sandbox.conformance.RaceAttackKit;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** The kits that take long here, since each step is a request: with {@code ./check --soak} only. */
@Behind(OpenSandboxWall.class)
@EnabledIfSystemProperty(named = "glovebox.soak", matches = "true")
final class OpenSandboxSoakTest {

    @Nested
    final class Lifetime extends LifetimeKit {}

    @Nested
    final class LinkAttacks extends LinkAttackKit {}

    @Nested
    final class RaceAttacks extends RaceAttackKit {}

    @Nested
    final class OddFileAttacks extends OddFileAttackKit {}
}
