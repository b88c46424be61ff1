/** What agents do, as recorded effects. */
@NullMarked
package dev.glovebox.agent;

import org.jspecify.annotations.NullMarked;
