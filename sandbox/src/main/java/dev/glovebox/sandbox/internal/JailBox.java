package dev.glovebox.sandbox.internal;

import dev.glovebox.sandbox.BoxFiles;
import dev.glovebox.sandbox.BoxGone;
import dev.glovebox.sandbox.Chunk;
import dev.glovebox.sandbox.Control;
import dev.glovebox.sandbox.Execution;
import dev.glovebox.sandbox.Policy;
import dev.glovebox.sandbox.Program;
import dev.glovebox.sandbox.Result;
import dev.glovebox.sandbox.Sandbox;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/**
 * A box behind the jail wall: one bubblewrap with a holder inside that starts commands on order.
 */
final class JailBox implements Sandbox {

    private final Policy policy;
    private final JailProcess process;
    private final Scratch scratch;
    private final int control;
    private final List<Control> controls;
    private final Set<Running> running = ConcurrentHashMap.newKeySet();
    private final Object lifecycle = new Object();
    private final Object closing = new Object();
    private boolean gone;
    private boolean descriptorsClosed;
    private final AtomicLong numbers = new AtomicLong();
    private final AtomicBoolean closed = new AtomicBoolean();

    JailBox(Policy policy, JailProcess process) {
        this.policy = policy;
        this.process = process;
        int tmp = process.openInside(Bubblewrap.TMP);
        try {
            int flags = Kernel.O_RDONLY | Kernel.O_DIRECTORY;
            scratch =
                    new Scratch(
                            Kernel.must(
                                    Kernel.openBeneath(tmp, "scratch", flags, 0),
                                    "opening the scratch"),
                            process.owner(),
                            policy.limits().disk().count());
            control =
                    Kernel.must(
                            Kernel.openBeneath(tmp, ".glovebox", flags, 0),
                            "opening the control directory");
        } finally {
            Kernel.close(tmp);
        }
        try {
            controls = Confinement.verify(process, policy, scratch);
        } catch (RuntimeException e) {
            scratch.close();
            Kernel.close(control);
            throw e;
        }
    }

    @Override
    public String tier() {
        return JailTier.NAME;
    }

    List<Control> controls() {
        return controls;
    }

    @Override
    public Result run(Program program) {
        return Uninterrupted.run(this, program);
    }

    @Override
    public Execution start(Program program, Consumer<Chunk> listener) {
        // What the last command left running is ended before the next one starts.
        running.stream().filter(Running::done).forEach(Running::awaitRelease);
        // Beside ended(): a clearing after the last command must not hit the next one.
        synchronized (lifecycle) {
            if (closed.get()) {
                throw new BoxGone("The box is closed");
            }
            if (running.isEmpty()) {
                process.awaitQuiet();
            }
            program.inputs().forEach(scratch::write);
            String id = Long.toString(numbers.incrementAndGet());
            String prefix = running.isEmpty() ? "" : id + "-";
            CommandLine line = CommandLine.of(program, policy, Bubblewrap.SCRATCH, prefix);
            line.script().ifPresent(script -> scratch.write(script.filename(), script.source()));
            JailCommand command = new JailCommand(this, id, line);
            try {
                order(id, line, program);
            } catch (BoxGone e) {
                command.discard();
                throw e;
            }
            Running one = new Running(command, program, policy, listener);
            running.add(one);
            command.whenReleased(() -> ended(one));
            one.begin();
            return one;
        }
    }

    private void order(String id, CommandLine line, Program program) {
        Map<String, String> env = new TreeMap<>(policy.env());
        env.putAll(program.env());
        List<String> fields = new ArrayList<>(List.of("run", id, Bubblewrap.SCRATCH));
        fields.add(Integer.toString(line.words().size()));
        fields.addAll(line.words());
        fields.add(Integer.toString(env.size()));
        env.forEach((name, value) -> fields.add(name + "=" + value));
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (String field : fields) {
            out.writeBytes(field.getBytes(StandardCharsets.UTF_8));
            out.write(0);
        }
        process.order(out.toByteArray());
    }

    private void ended(Running one) {
        synchronized (lifecycle) {
            running.remove(one);
            if (running.isEmpty() && !closed.get()) {
                // Nobody waits: a busy machine may take its time.
                process.clear(JailProcess.AT_LEISURE);
            }
            closeDescriptors();
        }
    }

    /** Once, when the box is closed and no command is left that could still use them. */
    private void closeDescriptors() {
        if (gone && running.isEmpty() && !descriptorsClosed) {
            descriptorsClosed = true;
            scratch.close();
            Kernel.close(control);
        }
    }

    /**
     * Ends everything because of one command; the others in the box are told whose fault it was.
     */
    void killFor(JailCommand culprit) {
        for (Running other : running) {
            if (!other.body().equals(culprit)) {
                other.cancel(
                        "another command of the box was stopped, and with it everything in the box");
            }
        }
        process.clear(JailProcess.AT_ONCE);
    }

    JailProcess process() {
        return process;
    }

    Policy policy() {
        return policy;
    }

    Scratch scratch() {
        return scratch;
    }

    int control() {
        return control;
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
        List<Running> last = List.copyOf(running);
        last.forEach(one -> one.abandon("the box was closed"));
        process.kill();
        for (Running one : last) {
            if (one.body() instanceof JailCommand command) {
                command.hangUp();
            }
        }
        last.forEach(Uninterrupted::await);
        last.forEach(Running::awaitRelease);
        process.close();
        synchronized (lifecycle) {
            gone = true;
            closeDescriptors();
        }
    }
}
