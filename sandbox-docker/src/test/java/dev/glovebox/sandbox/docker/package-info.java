@NullMarked
package dev.glovebox.sandbox.docker;

import org.jspecify.annotations.NullMarked;
