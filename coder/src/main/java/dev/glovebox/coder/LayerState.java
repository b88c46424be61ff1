package dev.glovebox.coder;

import java.util.Optional;

/**
 * Whether packages are installed, or how they could be.
 *
 * @param digest of what is installed
 * @param interpreter the version that it is for
 * @param index where it could come from; empty as well: it cannot be installed
 * @param problem why not
 */
record LayerState(
        String key,
        String interpreter,
        Optional<String> digest,
        Optional<PackageIndex> index,
        String problem) {}
