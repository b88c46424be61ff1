package dev.glovebox.sandbox;

import java.util.Locale;

/** One of a program's two output streams. */
public enum Channel {
    STDOUT,
    STDERR;

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
