/** A place to run untrusted code: a policy goes in, a typed result with its receipt comes out. */
@NullMarked
package dev.glovebox.sandbox;

import org.jspecify.annotations.NullMarked;
