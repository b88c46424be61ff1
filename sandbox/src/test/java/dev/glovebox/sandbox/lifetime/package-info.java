/** Boxes and the life of the JVM that opened them, in real JVMs, also of an ordinary user. */
@NullMarked
package dev.glovebox.sandbox.lifetime;

import org.jspecify.annotations.NullMarked;
