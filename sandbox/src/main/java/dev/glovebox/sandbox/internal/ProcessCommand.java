package dev.glovebox.sandbox.internal;

import dev.glovebox.sandbox.Control;
import dev.glovebox.sandbox.Limit;
import dev.glovebox.sandbox.Outcome;
import dev.glovebox.sandbox.Policy;
import dev.glovebox.sandbox.Program;
import dev.glovebox.sandbox.spi.ResultFiles;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** One command of the process tier: a child of this JVM, in a session of its own. */
final class ProcessCommand implements Body {

    private static final byte[] LIMIT = Bubblewrap.resource("limit.sh");
    private static final String PATH = "/usr/local/bin:/usr/bin:/bin";
    private static final int MOST_LIMITS = 8 * 1024;
    private static final int SIGXCPU = 24;

    private final ProcessBox box;
    private final CommandLine line;
    private final int pid;
    private final int handle;
    private final int[] fds;
    // Why nothing was started; empty if something was.
    private final String refusal;
    private final List<Control> controls;
    private final ProcessMeter meter;
    private boolean reaped;

    private ProcessCommand(
            ProcessBox box,
            CommandLine line,
            int pid,
            int handle,
            int[] fds,
            String limits,
            String refusal) {
        this.box = box;
        this.line = line;
        this.pid = pid;
        this.handle = handle;
        this.fds = fds;
        this.refusal = refusal;
        reaped = !refusal.isEmpty();
        controls = controls(box.policy(), limits);
        meter = new ProcessMeter(box, pid);
    }

    static ProcessCommand start(ProcessBox box, CommandLine line, Program program) {
        Map<String, String> own = new TreeMap<>(box.policy().env());
        own.putAll(program.env());
        if (own.containsKey("HOME")) {
            return refused(
                    box,
                    line,
                    "the process tier finds its processes by their HOME, which cannot be set");
        }
        String name = line.words().getFirst();
        Executable executable =
                Executable.find(name, own.getOrDefault("PATH", PATH), box.folder().scratch());
        if (!executable.problem().isEmpty()) {
            return refused(box, line, executable.problem());
        }
        List<String> words =
                new ArrayList<>(
                        List.of(
                                "/bin/bash",
                                "--noprofile",
                                "--norc",
                                "-c",
                                new String(LIMIT, StandardCharsets.UTF_8),
                                "limit"));
        words.addAll(ResourceLimits.ofProcess(box.policy().limits()).arguments());
        words.add("--");
        if (!own.isEmpty()) {
            // Not through the shell's environment: half a hundred names mean something to it.
            words.addAll(List.of("/usr/bin/env", "--"));
            own.forEach((key, value) -> words.add(key + "=" + value));
        }
        words.addAll(line.words());
        try {
            return launch(box, line, words);
        } catch (KernelException e) {
            if (e.errno() != Kernel.E2BIG) {
                throw e;
            }
            return refused(box, line, "its arguments and environment are too long");
        }
    }

    private static ProcessCommand launch(ProcessBox box, CommandLine line, List<String> words) {
        int[] in = Kernel.pipe();
        int[] out = Kernel.pipe();
        int[] err = Kernel.pipe();
        int[] shown = Kernel.pipe();
        int[] theirs = {in[0], out[1], err[1], shown[1]};
        int[] ours = {in[1], out[0], err[0]};
        try {
            String folder = box.folder().scratch().toString();
            int pid =
                    Spawner.call(() -> Birth.spawn(words, environment(box), theirs, folder, true));
            close(theirs);
            for (int fd : ours) {
                Kernel.noWaiting(fd);
            }
            int handle = Kernel.must(Kernel.pidfd(pid), "holding on to the program");
            // Ends when the shell closes it, just before it becomes the program.
            return new ProcessCommand(box, line, pid, handle, ours, readAll(shown[0]), "");
        } catch (KernelException e) {
            close(theirs);
            close(ours);
            throw e;
        } finally {
            Kernel.close(shown[0]);
        }
    }

    /** A command without a process, whose channels are at their end from the beginning. */
    private static ProcessCommand refused(ProcessBox box, CommandLine line, String reason) {
        int[] in = Kernel.pipe();
        int[] out = Kernel.pipe();
        int[] err = Kernel.pipe();
        int[] ending = Kernel.pipe();
        close(in[0], out[1], err[1], ending[1]);
        return new ProcessCommand(
                box, line, -1, ending[0], new int[] {in[1], out[0], err[0]}, "", reason);
    }

    private static void close(int... descriptors) {
        for (int fd : descriptors) {
            Kernel.close(fd);
        }
    }

    private static List<String> environment(ProcessBox box) {
        return List.of(
                "PATH=" + PATH,
                "HOME=" + box.folder().scratch(),
                "TMPDIR=" + box.folder().temporary(),
                "LANG=C.UTF-8");
    }

    private static String readAll(int fd) {
        StringBuilder text = new StringBuilder();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment buffer = arena.allocate(MOST_LIMITS);
            for (int size = Kernel.read(fd, buffer);
                    size > 0 && text.length() < MOST_LIMITS;
                    size = Kernel.read(fd, buffer)) {
                text.append(
                        new String(
                                buffer.asSlice(0, size).toArray(ValueLayout.JAVA_BYTE),
                                StandardCharsets.UTF_8));
            }
        }
        return text.toString();
    }

    private static List<Control> controls(Policy policy, String limits) {
        List<Control> controls = new ArrayList<>();
        controls.add(new Control("environment", "scrubbed", "own environment"));
        controls.add(new Control("network", "not confined", "process tier"));
        controls.add(new Control("files", "not confined", "process tier"));
        controls.add(new Control("cpus", "not confined", "process tier"));
        controls.add(new Control("disk-rate", "not bounded", "process tier"));
        ResourceLimits.parse(limits)
                .forEach((name, value) -> {
                    if (ResourceLimits.ofProcess(policy.limits()).expected().containsKey(name)) {
                        controls.add(new Control(name, value, "rlimit"));
                    }
                });
        return controls;
    }

    @Override
    public int stdin() {
        return fds[0];
    }

    @Override
    public int stdout() {
        return fds[1];
    }

    @Override
    public int stderr() {
        return fds[2];
    }

    @Override
    public int ending() {
        return handle;
    }

    @Override
    public Optional<Outcome> end() {
        if (!refusal.isEmpty()) {
            return Optional.of(new Outcome.NotStarted(refusal));
        }
        Kernel.Ended ended = reap();
        int signal = ended.status() & 0x7f;
        if (signal == SIGXCPU) {
            long limit = box.policy().limits().cpuTime().toMillis();
            return Optional.of(
                    new Outcome.LimitHit(Limit.CPU_TIME, limit, ended.cpuNanos() / 1_000_000));
        }
        return Optional.of(
                signal == 0
                        ? new Outcome.Exited(ended.status() >> 8 & 0xff)
                        : new Outcome.Signalled(signal));
    }

    private Kernel.Ended reap() {
        Kernel.Ended ended = Kernel.reap(pid);
        reaped = true;
        meter.ended(ended);
        return ended;
    }

    @Override
    public boolean lost() {
        return false;
    }

    /** A program that changed its environment was not found with the others. */
    @Override
    public void hangUp() {
        if (refusal.isEmpty()) {
            Kernel.signal(handle, Kernel.SIGKILL);
        }
    }

    @Override
    public ConnectionLog connections() {
        return new ConnectionLog(); // nobody stands in its way, and so nobody sees them
    }

    @Override
    public Meter meter() {
        return meter;
    }

    @Override
    public Evidence evidence(Program program) {
        return Evidence.of(
                ProcessTier.NAME,
                ProcessTier.VERSION,
                Integer.toUnsignedLong(Kernel.getuid()),
                box.policy(),
                controls,
                line,
                program);
    }

    @Override
    public ResultFiles outputs(Program program) {
        return box.scratch().readAll(program.outputs());
    }

    @Override
    public void release() {
        if (!reaped) {
            Kernel.signal(handle, Kernel.SIGKILL);
            reap();
        }
        Kernel.close(handle);
        Kernel.close(fds[1]);
        Kernel.close(fds[2]);
    }
}
