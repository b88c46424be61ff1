package dev.glovebox.sandbox;

import java.util.function.Consumer;

/**
 * A box: a fresh, confined place with a scratch directory of its own.
 *
 * <p>Commands of one box share its scratch and are one trust domain; a new box is always fresh. A
 * kill (time-out, limit, cancel) ends everything that runs in the box, and when its last command
 * ends, whatever that left running is ended too; the scratch stays until {@link #close}.
 */
public interface Sandbox extends AutoCloseable {

    /** The wall this box stands behind, such as {@code jail}. */
    String tier();

    /**
     * Runs a program to its end. Its standard input is what the program brings, or empty. An
     * interrupt of the waiting thread cancels it, and stays set.
     *
     * @throws BoxGone if the box is closed or was destroyed from inside
     */
    default Result run(Program program) {
        Program complete = program.stdin().isPresent() ? program : program.stdin(new byte[0]);
        return start(complete, chunk -> {}).awaitOrCancel();
    }

    /**
     * Starts a program and hands out its output as it comes.
     *
     * <p>The listener is called from one thread, in order of arrival, with the first bytes of each
     * channel up to the policy's output limit; what comes after is in the result's last part only.
     * While it blocks, the program is held back by its own full pipe; limits stay in force.
     *
     * @throws BoxGone if the box is closed or was destroyed from inside
     */
    Execution start(Program program, Consumer<Chunk> listener);

    /** The scratch directory, readable and writable from outside. */
    BoxFiles files();

    /** Ends everything in the box and gives back all it held; returns when nothing is left. */
    @Override
    void close();
}
