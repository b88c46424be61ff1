package dev.glovebox.cli;

import dev.glovebox.agent.Spectator;
import dev.glovebox.sandbox.Channel;
import dev.glovebox.sandbox.Chunk;
import dev.glovebox.sandbox.Execution;
import dev.glovebox.sandbox.Output;
import dev.glovebox.sandbox.Result;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Hands the output of a program on as it comes, untouched, and stops the program when somebody
 * wants that.
 *
 * <p>While a program runs, it is told only the first part of a long output; {@link #finish} writes
 * the rest that was kept.
 */
final class Passage implements Spectator {

    private final Shell shell;
    private final boolean closed;
    private final Interruption interruption;
    private final Object lock = new Object();
    private @Nullable Execution execution;
    private @Nullable IOException failure;
    private long writtenOut;
    private long writtenErr;
    private long omittedOut;
    private long omittedErr;
    private byte last = '\n';
    private Channel lastChannel = Channel.STDOUT;
    private boolean finished;

    /**
     * @param closed whether output is kept for a document instead
     */
    Passage(Shell shell, boolean closed, Interruption interruption) {
        this.shell = shell;
        this.closed = closed;
        this.interruption = interruption;
    }

    boolean closed() {
        return closed;
    }

    /** Stops this program, from now on, when nobody takes its output any more, and on Ctrl-C. */
    @Override
    public void started(Execution started) {
        interruption.watch(() -> started.cancel("interrupted"));
        synchronized (lock) {
            execution = started;
            if (failure != null) {
                started.cancel("its output cannot be written");
            }
        }
    }

    @Override
    public void accept(Chunk chunk) {
        synchronized (lock) {
            if (!finished && !closed) {
                write(chunk.channel(), chunk.bytes(), 0);
            }
        }
    }

    /**
     * Writes what was kept but not yet told.
     *
     * @return why output could not be written, if it could not
     */
    Optional<IOException> finish(Result result) {
        synchronized (lock) {
            finished = true;
            omittedOut = rest(Channel.STDOUT, result.stdout(), writtenOut);
            omittedErr = rest(Channel.STDERR, result.stderr(), writtenErr);
            return Optional.ofNullable(failure);
        }
    }

    /** Writes what follows the bytes already written; returns how many between are lost. */
    private long rest(Channel channel, Output output, long written) {
        byte[] head = output.head();
        byte[] tail = output.tail();
        // What was told while it ran may reach beyond the first part, and even into the last.
        long shown = Math.max(written, head.length);
        long tailStart = output.total() - tail.length;
        if (!closed) {
            write(channel, head, (int) Math.min(written, head.length));
            write(channel, tail, Math.clamp(shown - tailStart, 0, tail.length));
        }
        return Math.max(0, tailStart - shown);
    }

    /** How many bytes of the middle of a stream were neither told nor kept. */
    long omitted(Channel channel) {
        synchronized (lock) {
            return channel == Channel.STDOUT ? omittedOut : omittedErr;
        }
    }

    private void write(Channel channel, byte[] bytes, int from) {
        if (failure != null || from == bytes.length) {
            return;
        }
        try {
            OutputStream to = channel == Channel.STDOUT ? shell.out() : shell.err();
            to.write(bytes, from, bytes.length - from);
            last = bytes[bytes.length - 1];
            lastChannel = channel;
            if (channel == Channel.STDOUT) {
                writtenOut += bytes.length - from;
            } else {
                writtenErr += bytes.length - from;
            }
        } catch (IOException e) {
            failure = e;
            if (execution != null) {
                execution.cancel("its output cannot be written");
            }
        }
    }

    /** Whether a line said now would be glued to the program's last one. */
    boolean midLine() {
        synchronized (lock) {
            return last != '\n'
                    && (lastChannel == Channel.STDERR || shell.terminal().getAsBoolean());
        }
    }
}
