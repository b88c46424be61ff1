@NullMarked
package dev.glovebox.sandbox.wasm;

import org.jspecify.annotations.NullMarked;
