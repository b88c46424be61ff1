package dev.glovebox.sandbox;

import java.util.Locale;

/** What a policy bounds. */
public enum Limit {
    WALL,
    CPU_TIME,
    CPUS,
    MEMORY,
    PROCESSES,
    DISK,
    DISK_RATE,
    INODES,
    OPEN_FILES,
    OUTPUT,
    NETWORK;

    /** The name used in policies, receipts and JSON. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
