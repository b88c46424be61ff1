/** The {@code microvm} tier: a virtual machine of its own for each box, by QEMU. */
@NullMarked
package dev.glovebox.sandbox.microvm;

import org.jspecify.annotations.NullMarked;
