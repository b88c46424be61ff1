/** The container and gvisor tiers: boxes of a container engine, or of gVisor alone. */
@NullMarked
package dev.glovebox.sandbox.docker;

import org.jspecify.annotations.NullMarked;
