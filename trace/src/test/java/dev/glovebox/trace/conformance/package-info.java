/**
 * What every trace store must pass: whoever writes one extends {@link
 * dev.glovebox.trace.conformance.StoreKit}, and is done when it is green.
 */
@NullMarked
package dev.glovebox.trace.conformance;

import org.jspecify.annotations.NullMarked;
