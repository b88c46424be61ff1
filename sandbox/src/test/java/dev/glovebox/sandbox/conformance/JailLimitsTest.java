package dev.glovebox.sandbox.conformance;

/** The jail holds every limit. */
@Behind(JailWall.class)
final class JailLimitsTest extends LimitsKit {}
