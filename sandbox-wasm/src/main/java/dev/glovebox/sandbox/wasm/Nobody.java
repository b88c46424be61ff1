package dev.glovebox.sandbox.wasm;

import dev.glovebox.sandbox.Bytes;
import dev.glovebox.sandbox.Channel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** Whose the engine is while it starts, before there is a program. */
final class Nobody implements Guest.Owner {

    private static final Bytes MEMORY = Bytes.mebibytes(16);
    private static final Bytes DISK = Bytes.kibibytes(64);
    private static final int OPEN_FILES = 16;

    private Nobody() {}

    static Guest guest() {
        Tree tree = new Tree(DISK);
        return new Guest(
                tree,
                new Descriptors(tree, OPEN_FILES),
                new Inlet(),
                new Processors(1),
                new Pages(MEMORY),
                List.of(),
                Map.of(),
                new Nobody());
    }

    @Override
    public void output(Channel channel, byte[] bytes) {
        throw new IllegalStateException(
                "The engine did not start: " + new String(bytes, StandardCharsets.UTF_8));
    }

    @Override
    public Unwinding overMemory(int pages) {
        throw new IllegalStateException("The engine did not start: it wants " + pages + " pages");
    }

    @Override
    public Unwinding overFiles(long limit) {
        throw new IllegalStateException("The engine did not start: it makes files");
    }

    @Override
    public void touched(Errno errno) {}

    @Override
    public Duration elapsed() {
        return Duration.ZERO;
    }

    @Override
    public Duration cpu() {
        return Duration.ZERO;
    }

    @Override
    public void holds(LinearMemory memory) {}
}
