package dev.glovebox.sandbox.wasm;

import dev.glovebox.sandbox.conformance.Promise;
import dev.glovebox.sandbox.conformance.Wall;
import dev.glovebox.sandbox.spi.Tier;
import java.util.Map;

/** The wasm tier promises all but commands of a host, which it does not have. */
final class WasmWall implements Wall {

    static final Tier TIER = new WasmTier();

    private static final Map<Promise, String> MISSING =
            Map.of(
                    Promise.COMMANDS,
                    "its commands are WASI modules of the box; those of a host do not exist");

    @Override
    public Tier tier() {
        return TIER;
    }

    @Override
    public Map<Promise, String> notPromised() {
        return MISSING;
    }
}
