package dev.glovebox.sandbox;

import java.io.OutputStream;

/** A program that is running in a box. */
public interface Execution {

    /** The program's standard input; closing it is its end of file. */
    OutputStream stdin();

    /**
     * Kills it, with everything else in the box; the result says so. Does nothing once it ended.
     */
    void cancel(String reason);

    /** Whether the program has ended. */
    boolean done();

    /**
     * Waits for the end.
     *
     * @throws InterruptedException if the waiting thread is interrupted; the program runs on
     */
    Result await() throws InterruptedException;

    /** Waits for the end; an interrupt of the waiting thread cancels the program, and stays set. */
    default Result awaitOrCancel() {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return await();
                } catch (InterruptedException e) {
                    interrupted = true;
                    cancel("the waiting thread was interrupted");
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
