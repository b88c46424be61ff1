/** What may look at effects and messages before they pass. */
@NullMarked
package dev.glovebox.run.spi;

import org.jspecify.annotations.NullMarked;
