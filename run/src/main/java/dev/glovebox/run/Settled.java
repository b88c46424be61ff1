package dev.glovebox.run;

/** How one of several branches ended. */
public sealed interface Settled<R> {

    record Done<R>(R result) implements Settled<R> {}

    /**
     * It failed.
     *
     * @param path of the node that did
     */
    record Failed<R>(String path, String problem) implements Settled<R> {}
}
