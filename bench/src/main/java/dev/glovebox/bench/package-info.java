/** Measures parts of Glovebox beside what one would use instead. */
@NullMarked
package dev.glovebox.bench;

import org.jspecify.annotations.NullMarked;
