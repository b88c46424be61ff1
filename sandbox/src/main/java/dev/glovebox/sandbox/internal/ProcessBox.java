package dev.glovebox.sandbox.internal;

import dev.glovebox.sandbox.BoxFiles;
import dev.glovebox.sandbox.BoxGone;
import dev.glovebox.sandbox.Chunk;
import dev.glovebox.sandbox.Execution;
import dev.glovebox.sandbox.Policy;
import dev.glovebox.sandbox.Program;
import dev.glovebox.sandbox.Result;
import dev.glovebox.sandbox.Sandbox;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/** A box of the process tier: a scratch directory and the processes started in it. */
final class ProcessBox implements Sandbox {

    private final Policy policy;
    private final ScratchFolder folder;
    private final Scratch scratch;
    private final Set<Running> running = ConcurrentHashMap.newKeySet();
    private final Object lifecycle = new Object();
    private final AtomicLong numbers = new AtomicLong();
    private final Object closing = new Object();
    private final AtomicBoolean closed = new AtomicBoolean();

    ProcessBox(Policy policy, ScratchFolder folder) {
        this.policy = policy;
        this.folder = folder;
        int root =
                Kernel.must(
                        Kernel.open(
                                folder.scratch().toString(), Kernel.O_RDONLY | Kernel.O_DIRECTORY),
                        "opening the scratch");
        scratch = new Scratch(root, -1, policy.limits().disk().count());
    }

    @Override
    public String tier() {
        return ProcessTier.NAME;
    }

    @Override
    public Result run(Program program) {
        return Uninterrupted.run(this, program);
    }

    @Override
    public Execution start(Program program, Consumer<Chunk> listener) {
        running.stream().filter(Running::done).forEach(Running::awaitRelease);
        synchronized (lifecycle) {
            if (closed.get()) {
                throw new BoxGone("The box is closed");
            }
            program.inputs().forEach(scratch::write);
            String prefix = running.isEmpty() ? "" : numbers.incrementAndGet() + "-";
            CommandLine line = CommandLine.of(program, policy, folder.scratch().toString(), prefix);
            line.script().ifPresent(script -> scratch.write(script.filename(), script.source()));
            ProcessCommand command = ProcessCommand.start(this, line, program);
            Running one = new Running(command, program, policy, listener);
            running.add(one);
            command.whenReleased(() -> ended(one));
            one.begin();
            return one;
        }
    }

    /** What the last command left running goes with it; it must not hit the next one. */
    private void ended(Running one) {
        synchronized (lifecycle) {
            running.remove(one);
            if (running.isEmpty()) {
                ProcessTree.killAll(folder);
            }
        }
    }

    /**
     * Ends everything because of one command; the others in the box are told whose fault it was.
     */
    void killFor(ProcessCommand culprit) {
        for (Running other : running) {
            if (!other.body().equals(culprit)) {
                other.cancel(
                        "another command of the box was stopped, and with it everything in the box");
            }
        }
        culprit.killTree();
    }

    Policy policy() {
        return policy;
    }

    ScratchFolder folder() {
        return folder;
    }

    Scratch scratch() {
        return scratch;
    }

    @Override
    public BoxFiles files() {
        if (closed.get()) {
            throw new BoxGone("The box is closed");
        }
        return scratch;
    }

    @Override
    public void close() {
        // Whoever comes second, such as the end of the JVM, waits as well.
        synchronized (closing) {
            if (closed.compareAndSet(false, true)) {
                try {
                    end();
                } finally {
                    Boxes.closed(this);
                }
            }
        }
    }

    private void end() {
        List<Running> last;
        synchronized (lifecycle) {
            last = List.copyOf(running);
        }
        last.forEach(one -> one.cancel("the box was closed"));
        last.forEach(Uninterrupted::await);
        last.forEach(Running::awaitRelease);
        ProcessTree.killAll(folder);
        scratch.close();
        folder.delete();
    }
}
