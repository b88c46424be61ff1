@NullMarked
package dev.glovebox.sandbox.opensandbox;

import org.jspecify.annotations.NullMarked;
