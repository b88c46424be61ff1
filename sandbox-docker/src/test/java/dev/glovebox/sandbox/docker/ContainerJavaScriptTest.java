package dev.glovebox.sandbox.docker;

import dev.glovebox.sandbox.conformance.Behind;
import dev.glovebox.sandbox.conformance.HostileJavaScriptKit;
import dev.glovebox.sandbox.conformance.JavaScriptKit;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** JavaScript in a container: with {@code ./check --soak} only, since node starts slowly. */
@Behind(Walls.Container.class)
@EnabledIfSystemProperty(named = "glovebox.soak", matches = "true")
final class ContainerJavaScriptTest {

    @Nested
    final class Contract extends JavaScriptKit {}

    @Nested
    final class Hostile extends HostileJavaScriptKit {}
}
