/** Agents: what thinks, and what it may do. */
@NullMarked
package dev.glovebox.agent;

import org.jspecify.annotations.NullMarked;
