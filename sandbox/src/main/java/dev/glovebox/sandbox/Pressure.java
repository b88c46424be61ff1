package dev.glovebox.sandbox;

/**
 * A limit that was touched without killing: the kernel answered with an error, or output was cut.
 */
public record Pressure(Limit limit, String detail) {}
