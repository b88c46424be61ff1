package dev.glovebox.sandbox.wasm;

import dev.glovebox.sandbox.conformance.Behind;
import dev.glovebox.sandbox.conformance.HostileJavaScriptKit;
import dev.glovebox.sandbox.conformance.JavaScriptHygieneKit;
import dev.glovebox.sandbox.conformance.JavaScriptKit;
import org.junit.jupiter.api.Nested;

/** JavaScript in the wasm tier. */
@Behind(WasmWall.class)
final class WasmJavaScriptTest {

    @Nested
    final class Contract extends JavaScriptKit {}

    @Nested
    final class Hostile extends HostileJavaScriptKit {}

    @Nested
    final class Hygiene extends JavaScriptHygieneKit {}
}
