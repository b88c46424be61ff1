/** The {@code wasm} tier: JavaScript and WASI modules inside the JVM, without a process. */
@NullMarked
package dev.glovebox.sandbox.wasm;

import org.jspecify.annotations.NullMarked;
