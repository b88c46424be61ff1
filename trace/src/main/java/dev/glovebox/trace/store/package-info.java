/** Traces in a file of SQLite, and in PostgreSQL. */
@NullMarked
package dev.glovebox.trace.store;

import org.jspecify.annotations.NullMarked;
