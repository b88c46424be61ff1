package dev.glovebox.sandbox.conformance;

import org.junit.jupiter.api.Nested;

/** JavaScript on node in the process tier. */
@Behind(ProcessWall.class)
final class ProcessJavaScriptTest {

    @Nested
    final class Contract extends JavaScriptKit {}

    @Nested
    final class Hostile extends HostileJavaScriptKit {}

    @Nested
    final class Hygiene extends JavaScriptHygieneKit {}
}
