package dev.glovebox.sandbox.conformance;

/** The process tier holds its limits by looking every 20 ms, which is little to promise. */
@Behind(ProcessWall.class)
final class ProcessLimitsTest extends LimitsKit {}
