/** For tests of agents: models that answer from a script, and servers that speak like vendors. */
@NullMarked
package dev.glovebox.agent.support;

import org.jspecify.annotations.NullMarked;
