/** What a new wall has to implement to be found by {@code Sandboxes}. */
@NullMarked
package dev.glovebox.sandbox.spi;

import org.jspecify.annotations.NullMarked;
