package dev.glovebox.sandbox.opensandbox;

import dev.glovebox.sandbox.conformance.Behind;
import dev.glovebox.sandbox.conformance.FileAttackKit;
import dev.glovebox.sandbox.conformance.LifetimeKit;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** The kits that take long here, since each step is a request: with {@code ./check --soak} only. */
@Behind(OpenSandboxWall.class)
@EnabledIfSystemProperty(named = "glovebox.soak", matches = "true")
final class OpenSandboxSoakTest {

    @Nested
    final class Lifetime extends LifetimeKit {}

    @Nested
    final class FileAttacks extends FileAttackKit {}
}
