package dev.glovebox.sandbox.docker;

/** What a box stands in: a container of an engine, or a sandbox of gVisor alone. */
interface Vessel {

    /** The way to its holder. */
    Line line();

    /** Ends everything in it at once; bounded in time. */
    void kill();

    /** Gives back all that it is on its machine; bounded in time. */
    void remove();

    /** Whether the kernel ended it for want of memory. */
    boolean outOfMemory();
}
