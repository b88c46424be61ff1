/**
 * What may look at effects and messages before they pass, and who knows the graphs of recorded
 * runs.
 */
@NullMarked
package dev.glovebox.run.spi;

import org.jspecify.annotations.NullMarked;
