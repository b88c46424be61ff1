@NullMarked
package dev.glovebox.sandbox.microvm;

import org.jspecify.annotations.NullMarked;
