/** What may look at effects before they are performed. */
@NullMarked
package dev.glovebox.run.spi;

import org.jspecify.annotations.NullMarked;
