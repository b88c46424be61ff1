package dev.glovebox.sandbox.wasm;

import dev.glovebox.sandbox.conformance.Promise;
import dev.glovebox.sandbox.spi.Tier;
import java.util.Map;

/** What the wasm tier does not promise: it has no commands of a host. */
final class WasmPromises {

    static final Tier TIER = new WasmTier();

    static final Map<Promise, String> MISSING =
            Map.of(
                    Promise.COMMANDS,
                    "its commands are WASI modules of the box; those of a host do not exist");

    private WasmPromises() {}
}
