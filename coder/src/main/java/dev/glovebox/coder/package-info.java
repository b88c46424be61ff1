/** From a sentence to code that ran: planner, coder, executor, debugger. */
@NullMarked
package dev.glovebox.coder;

import org.jspecify.annotations.NullMarked;
