/** Boxes on somebody else's machine, through the wire interface of OpenSandbox. */
@NullMarked
package dev.glovebox.sandbox.opensandbox;

import org.jspecify.annotations.NullMarked;
