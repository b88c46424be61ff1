package dev.glovebox.sandbox.wasm;

import dev.glovebox.sandbox.Channel;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import run.endive.wasm.types.MemoryLimits;

/**
 * A program in its box, as its host functions see it: everything it can reach is in here.
 *
 * @param arguments the first is the name of the program
 */
record Guest(
        Tree tree,
        Descriptors descriptors,
        Inlet inlet,
        Processors processors,
        Pages pages,
        List<String> arguments,
        Map<String, String> environment,
        Owner owner) {

    static final int PIECE = 64 * 1024;

    /** Who a program belongs to, and is ended by. */
    interface Owner {

        /** Takes output; waits while nobody takes it from there. */
        void output(Channel channel, byte[] bytes) throws InterruptedException;

        /** Says that the program wants more pages than the box has; does not return. */
        Unwinding overMemory(int pages);

        /** Says that the program has made more files than the box may have; does not return. */
        Unwinding overFiles(long limit);

        /** Says that a limit was touched. */
        void touched(Errno errno);

        /** Time since the start. */
        Duration elapsed();

        /** Processor time so far. */
        Duration cpu();

        /** Keeps the memory to close it when the program does not end. */
        void holds(LinearMemory memory);
    }

    /** Memory for a module of this program. */
    LinearMemory memory(MemoryLimits limits) {
        return held(LinearMemory.empty(limits, pages, this::refused));
    }

    /** Memory of an engine that waits for this program. */
    LinearMemory memory(MemoryLimits limits, EnginesAhead engines) {
        return held(LinearMemory.ofEngine(limits, pages, this::refused, engines));
    }

    private void refused(int wanted) {
        throw owner.overMemory(wanted);
    }

    private LinearMemory held(LinearMemory memory) {
        owner.holds(memory);
        return memory;
    }

    /** Ends the program here if it was stopped: host functions may take long. */
    static void checkpoint() {
        if (Thread.currentThread().isInterrupted()) {
            throw new Unwinding.Stopped();
        }
    }

    void write(Channel channel, byte[] bytes) {
        checkpoint();
        processors.without(() -> {
            owner.output(channel, bytes);
            return true;
        });
    }

    int read(byte[] into, int length) {
        return processors.without(() -> inlet.read(into, 0, length));
    }

    /** Does something with the box's files, and tells their owner which limits it touched. */
    <T> T onFiles(Supplier<T> action) {
        try {
            return tree.with(action);
        } catch (Errno.Failure e) {
            owner.touched(e.errno());
            throw e;
        } catch (Tree.TooManyFiles e) {
            throw owner.overFiles(e.limit());
        }
    }
}
