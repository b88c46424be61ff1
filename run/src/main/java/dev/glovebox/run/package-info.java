/** Runs of typed graphs, with one door to the world. */
@NullMarked
package dev.glovebox.run;

import org.jspecify.annotations.NullMarked;
