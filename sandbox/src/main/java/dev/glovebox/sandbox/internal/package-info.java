/** The process and jail tiers and the few system calls they make; nothing here is for users. */
@NullMarked
package dev.glovebox.sandbox.internal;

import org.jspecify.annotations.NullMarked;
