package dev.glovebox.sandbox.internal;

import dev.glovebox.sandbox.BoxGone;
import dev.glovebox.sandbox.Limit;
import dev.glovebox.sandbox.Outcome;
import dev.glovebox.sandbox.Program;
import dev.glovebox.sandbox.spi.ResultFiles;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One command of a jail.
 *
 * <p>Four FIFOs lead to it. Before it begins, its parent in the box has stopped, so that the kernel
 * keeps its end until it was read here: a shell's own account mistakes the exit code 137 for a
 * death by signal 9.
 */
final class JailCommand implements Body {

    private static final List<String> FIFOS = List.of("in", "out", "err", "status");
    private static final int IN = 0;
    private static final int OUT = 1;
    private static final int ERR = 2;
    private static final int STATUS = 3;
    private static final Pattern READY = Pattern.compile("^ready (\\d{1,9})$", Pattern.MULTILINE);
    private static final int SIGSYS = 31;
    private static final int SIGXCPU = 24;
    private static final int LONGEST_STATUS = 1024;
    private static final int END_MILLIS = 200;

    private final JailBox box;
    private final String id;
    private final CommandLine line;
    private final JailMeter meter;
    private final ConnectionLog connections;
    private final int[] fds = {-1, -1, -1, -1};
    // Keeps standard input open, even if it is closed at once, until the other side has opened it.
    private int stdinKeeper = -1;
    private int program = -1;
    private volatile int programHandle = -1;
    private int parentHandle = -1;
    private final StringBuilder news = new StringBuilder();
    private final AtomicBoolean released = new AtomicBoolean();

    JailCommand(JailBox box, String id, CommandLine line) {
        this.box = box;
        this.id = id;
        this.line = line;
        this.meter = new JailMeter(box);
        this.connections = box.gate().map(Gate::log).orElseGet(ConnectionLog::new);
        try {
            Kernel.must(
                    Kernel.asUser(box.process().owner(), this::makeChannels),
                    "making channels into the box");
            for (int i = 0; i < FIFOS.size(); i++) {
                String name = id + "." + FIFOS.get(i);
                // Reading and writing where we write, since a writing end cannot be opened before
                // the other side reads.
                fds[i] = open(name, i == IN ? Kernel.O_RDWR : Kernel.O_RDONLY);
            }
            stdinKeeper = open(id + ".in", Kernel.O_RDWR);
        } catch (KernelException e) {
            discard();
            throw new BoxGone("The box takes no more commands: " + e.getMessage(), e);
        }
    }

    private long makeChannels() {
        long result = 0;
        for (int i = 0; i < FIFOS.size() && result >= 0; i++) {
            result = Kernel.makeFifo(box.control(), id + "." + FIFOS.get(i));
        }
        return result;
    }

    private int open(String name, int flags) {
        return Kernel.must(
                Kernel.openBeneath(box.control(), name, flags | Kernel.O_NONBLOCK, 0),
                "opening a channel");
    }

    /** Gives everything back where it could not be started, and standard input has no pipe yet. */
    void discard() {
        Kernel.close(fds[IN]);
        release();
    }

    @Override
    public int stdin() {
        return fds[IN];
    }

    @Override
    public int stdout() {
        return fds[OUT];
    }

    @Override
    public int stderr() {
        return fds[ERR];
    }

    @Override
    public int ending() {
        return programHandle >= 0 ? programHandle : fds[STATUS];
    }

    @Override
    public Optional<Outcome> end() {
        if (programHandle >= 0) {
            return Optional.of(judge());
        }
        boolean over = hear();
        Matcher ready = READY.matcher(news);
        if (ready.find()) {
            return takeHold(Integer.parseInt(ready.group(1)));
        }
        return over ? Optional.of(refused()) : Optional.empty();
    }

    /** Takes what the other side said; true when it will say no more. */
    private boolean hear() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment buffer = arena.allocate(LONGEST_STATUS);
            int size = Kernel.read(fds[STATUS], buffer);
            closeKeeper();
            if (size > 0) {
                byte[] bytes = buffer.asSlice(0, size).toArray(ValueLayout.JAVA_BYTE);
                news.append(new String(bytes, StandardCharsets.ISO_8859_1));
            }
            // The channel is reachable from inside, so what comes is hostile: bounded.
            return size == 0 || news.length() > LONGEST_STATUS;
        }
    }

    private void closeKeeper() {
        Kernel.close(stdinKeeper);
        stdinKeeper = -1;
    }

    /** Takes hold of the command and its parent; it may have ended already. */
    private Optional<Outcome> takeHold(int insidePid) {
        for (int parent : Proc.children(box.process().holder())) {
            for (int child : Proc.children(parent)) {
                if (insidePid == Proc.insidePid(child)) {
                    return holdOn(parent, child);
                }
            }
        }
        return Optional.of(new Outcome.Unknown("the command vanished before it was started"));
    }

    private Optional<Outcome> holdOn(int parent, int child) {
        parentHandle = Kernel.pidfd(parent);
        programHandle = Kernel.pidfd(child);
        program = child;
        // Without its holder the numbers may be other processes' by now, which are not ours to end.
        if (parentHandle < 0 || programHandle < 0 || !box.process().held()) {
            Kernel.close(parentHandle);
            parentHandle = -1;
            return Optional.of(
                    new Outcome.Unknown("something in the box killed the process that held it"));
        }
        return Optional.empty();
    }

    /** How it ended, by the kernel's own account. */
    private Outcome judge() {
        Optional<Outcome> outOfMemory = meter.outOfMemory();
        Path process = Path.of("/proc", Integer.toString(program));
        // The end is told a moment before it can be read.
        Patience.within(END_MILLIS, () -> Proc.stat(process).map(Proc.Stat::dead).orElse(true));
        Optional<Proc.End> end = Proc.end(process);
        if (outOfMemory.isPresent()) {
            return outOfMemory.get();
        }
        if (end.isEmpty()) {
            return new Outcome.Unknown(
                    "something in the box killed the process that kept the program's end");
        }
        if (!end.get().executed()) {
            return new Outcome.NotStarted("'" + line.words().getFirst() + "' cannot be executed");
        }
        int status = end.get().status();
        int signal = status & 0x7f;
        return switch (signal) {
            case 0 -> new Outcome.Exited(status >> 8 & 0xff);
            case SIGSYS -> new Outcome.Denied("seccomp", "a system call that the jail forbids");
            case SIGXCPU ->
                    new Outcome.LimitHit(
                            Limit.CPU_TIME,
                            box.policy().limits().cpuTime().toMillis(),
                            meter.cpu().toMillis());
            default -> new Outcome.Signalled(signal);
        };
    }

    private Outcome refused() {
        String heard = news.toString();
        if (heard.contains("nocommand")) {
            return new Outcome.NotStarted(
                    "there is no command '" + line.words().getFirst() + "' in the box");
        }
        if (heard.contains("nodirectory")) {
            return new Outcome.NotStarted("the scratch directory is not usable any more");
        }
        return meter.outOfMemory()
                .orElseGet(() ->
                        new Outcome.Unknown(
                                "something in the box killed the command before it started"));
    }

    @Override
    public boolean lost() {
        return programHandle < 0 && !box.process().held();
    }

    /** A FIFO that nobody has opened for writing yet does not hang up by itself. */
    @Override
    public void hangUp() {
        synchronized (released) {
            if (!released.get()) {
                Kernel.close(
                        Kernel.open(
                                "/proc/self/fd/" + fds[STATUS],
                                Kernel.O_WRONLY | Kernel.O_NONBLOCK));
            }
        }
    }

    @Override
    public JailMeter meter() {
        return meter;
    }

    @Override
    public ConnectionLog connections() {
        return connections;
    }

    @Override
    public Evidence evidence(Program program) {
        return Evidence.of(
                JailTier.NAME,
                JailTier.version(),
                box.process().hostUid(),
                box.policy(),
                box.controls(),
                line,
                program);
    }

    @Override
    public ResultFiles outputs(Program program) {
        return box.scratch().readAll(program.outputs());
    }

    @Override
    public void release() {
        synchronized (released) {
            if (!released.compareAndSet(false, true)) {
                return;
            }
            box.gate().ifPresent(gate -> gate.forget(connections));
            if (parentHandle >= 0) {
                Kernel.signal(parentHandle, Kernel.SIGKILL);
            }
            for (String fifo : FIFOS) {
                Kernel.unlink(box.control(), (id + "." + fifo).getBytes(StandardCharsets.UTF_8), 0);
            }
            // Standard input belongs to its pipe.
            List.of(fds[OUT], fds[ERR], fds[STATUS], programHandle, parentHandle)
                    .forEach(Kernel::close);
            closeKeeper();
        }
    }
}
