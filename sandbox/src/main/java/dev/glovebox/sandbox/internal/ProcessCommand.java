package dev.glovebox.sandbox.internal;

import dev.glovebox.sandbox.Control;
import dev.glovebox.sandbox.Limit;
import dev.glovebox.sandbox.Outcome;
import dev.glovebox.sandbox.Policy;
import dev.glovebox.sandbox.Program;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
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
    private final List<Control> controls;
    private final ProcessMeter meter;
    private volatile Runnable afterwards = () -> {};

    private ProcessCommand(ProcessBox box, CommandLine line, int pid, int[] fds, String limits) {
        this.box = box;
        this.line = line;
        this.pid = pid;
        this.fds = fds;
        handle = Kernel.must(Kernel.pidfd(pid), "holding on to the program");
        controls = controls(box.policy(), limits);
        meter = new ProcessMeter(box, pid);
    }

    static ProcessCommand start(ProcessBox box, CommandLine line, Program program) {
        int[] in = Kernel.pipe();
        int[] out = Kernel.pipe();
        int[] err = Kernel.pipe();
        int[] shown = Kernel.pipe();
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
        words.addAll(line.words());
        try {
            int pid =
                    Spawner.call(() ->
                            Kernel.spawn(
                                    words,
                                    environment(box, program),
                                    new int[] {in[0], out[1], err[1], shown[1]},
                                    box.folder().scratch().toString(),
                                    true));
            for (int fd : new int[] {in[0], out[1], err[1], shown[1]}) {
                Kernel.close(fd);
            }
            Kernel.noWaiting(in[1]);
            Kernel.noWaiting(out[0]);
            Kernel.noWaiting(err[0]);
            // Ends when the shell closes it, just before it becomes the program.
            String limits = readAll(shown[0]);
            return new ProcessCommand(box, line, pid, new int[] {in[1], out[0], err[0]}, limits);
        } finally {
            Kernel.close(shown[0]);
        }
    }

    private static List<String> environment(ProcessBox box, Program program) {
        Map<String, String> env = new TreeMap<>();
        env.put("PATH", PATH);
        env.put("HOME", box.folder().scratch().toString());
        env.put("TMPDIR", box.folder().temporary().toString());
        env.put("LANG", "C.UTF-8");
        env.putAll(box.policy().env());
        env.putAll(program.env());
        return env.entrySet().stream()
                .map(entry -> entry.getKey() + "=" + entry.getValue())
                .toList();
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
        ResourceLimits.parse(limits)
                .forEach((name, value) -> {
                    if (ResourceLimits.ofProcess(policy.limits()).expected().containsKey(name)) {
                        controls.add(new Control(name, value, "rlimit"));
                    }
                });
        return controls;
    }

    void whenReleased(Runnable task) {
        afterwards = task;
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
        Kernel.Ended ended = Kernel.reap(pid);
        meter.ended(ended);
        int signal = ended.status() & 0x7f;
        if (signal == 0) {
            int code = ended.status() >> 8 & 0xff;
            boolean missing = code == 127 && !exists(line.words().getFirst());
            return Optional.of(
                    missing
                            ? new Outcome.NotStarted(
                                    "there is no command '" + line.words().getFirst() + "'")
                            : new Outcome.Exited(code));
        }
        if (signal == SIGXCPU) {
            long limit = box.policy().limits().cpuTime().toMillis();
            return Optional.of(
                    new Outcome.LimitHit(Limit.CPU_TIME, limit, ended.cpuNanos() / 1_000_000));
        }
        return Optional.of(new Outcome.Signalled(signal));
    }

    private boolean exists(String command) {
        if (command.contains("/")) {
            return Files.isExecutable(box.folder().scratch().resolve(command));
        }
        return List.of(PATH.split(":")).stream()
                .anyMatch(folder -> Files.isExecutable(Path.of(folder, command)));
    }

    @Override
    public void kill() {
        Kernel.signal(handle, Kernel.SIGKILL);
        ProcessTree.killAll(box.folder());
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
    public Map<String, byte[]> outputs(Program program) {
        return box.scratch().readAll(program.outputs());
    }

    @Override
    public void release() {
        Kernel.close(handle);
        Kernel.close(fds[1]);
        Kernel.close(fds[2]);
        ProcessTree.killAll(box.folder());
        afterwards.run();
    }
}
