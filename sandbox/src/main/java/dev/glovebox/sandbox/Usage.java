package dev.glovebox.sandbox;

import java.time.Duration;

/** What a command used; processor time and memory are of the whole box. */
public record Usage(Duration wall, Duration cpu, Bytes peakMemory, Bytes stdout, Bytes stderr) {

    public static final Usage NONE =
            new Usage(Duration.ZERO, Duration.ZERO, new Bytes(0), new Bytes(0), new Bytes(0));
}
