/** What happened in a run: recorded, hash-chained, sealed, and provable by anyone, offline. */
@NullMarked
package dev.glovebox.trace;

import org.jspecify.annotations.NullMarked;
