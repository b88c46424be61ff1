/** For tests of graphs: a world that is looked at, a clock that is set, crashes that are chosen. */
@NullMarked
package dev.glovebox.run.support;

import org.jspecify.annotations.NullMarked;
