/**
 * What every tier must pass: whoever writes a wall extends these kits, and is done when they are
 * green.
 */
@NullMarked
package dev.glovebox.sandbox.conformance;

import org.jspecify.annotations.NullMarked;
