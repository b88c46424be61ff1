/** Where traces are kept. */
@NullMarked
package dev.glovebox.trace.spi;

import org.jspecify.annotations.NullMarked;
