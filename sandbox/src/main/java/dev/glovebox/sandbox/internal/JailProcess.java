package dev.glovebox.sandbox.internal;

import dev.glovebox.sandbox.BoxGone;
import dev.glovebox.sandbox.NotEnforceable;
import dev.glovebox.sandbox.Policy;
import dev.glovebox.sandbox.spi.Throttle;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The processes that a jail is made of, and all that must be given back when it ends.
 *
 * <p>bubblewrap is started, as root under a host user of its own, and becomes the init process of
 * the box and the parent of the holder. What user code runs, it runs only after everything here is
 * in place: the holder waits for orders.
 */
final class JailProcess implements AutoCloseable {

    private static final Pattern CHILD = Pattern.compile("\"child-pid\":\\s*(\\d+)");
    private static final int START_MILLIS = 10_000;

    /** How long the holder has to obey when somebody waits for the end of a command. */
    static final int AT_ONCE = 50;

    /** How long it has when nobody does. */
    static final int AT_LEISURE = 2_000;

    private static final int TAKE_MILLIS = 2_000;
    private static final int QUIET_MILLIS = 5_000;
    private static final int END_MILLIS = 5_000;
    // Longer takes only what waits for a disk.
    private static final int DISK_MILLIS = 100;
    // Descriptors of the child behind 0, 1 and 2.
    private static final int ARGUMENTS_FD = 3;
    private static final int SECCOMP_FD = 4;
    private static final int INFO_FD = 5;
    private static final int FIRST_FILE_FD = 6;

    private final Optional<Cgroup> cgroup;
    private final int owner;
    private final List<Integer> open = new ArrayList<>();
    private int bwrap = -1;
    private int bwrapHandle = -1;
    private int init = -1;
    private int initHandle = -1;
    private int holder = -1;
    private int holderHandle = -1;
    private int orders = -1;
    private int insideProc = -1;
    private volatile boolean dead;
    private volatile boolean cleared;
    private final ReentrantLock ordering = new ReentrantLock();

    private JailProcess(Optional<Cgroup> cgroup, int owner) {
        this.cgroup = cgroup;
        this.owner = owner;
    }

    /**
     * Builds a jail up to its holder, which waits for orders.
     *
     * @throws NotEnforceable with the reason if the jail cannot be built here; nothing of it is
     *     left
     */
    static JailProcess start(Policy policy, Path bubblewrap, Optional<Cgroup> cgroup) {
        boolean root = Kernel.getuid() == 0;
        int owner = -1;
        JailProcess process;
        try {
            owner = root ? HostUids.take() : -1;
            process = new JailProcess(cgroup, owner);
        } catch (NotEnforceable e) {
            cgroup.ifPresent(Cgroup::close);
            throw e;
        }
        try {
            process.launch(policy, bubblewrap);
            return process;
        } catch (KernelException | UncheckedIOException e) {
            process.closeAfter(e);
            throw new NotEnforceable(
                    "isolation", "The jail cannot be started: " + e.getMessage(), e);
        } catch (RuntimeException e) {
            process.closeAfter(e);
            throw e;
        }
    }

    private void launch(Policy policy, Path bubblewrap) {
        int[] orderPipe = pipe();
        int[] readyPipe = pipe();
        int[] errorPipe = pipe();
        // Not a pipe: if this JVM is killed now, bubblewrap would die of writing to it, and its
        // child, which waits for it, would stay for ever.
        int info = memfd(new byte[0]);
        Map<String, Integer> files = new TreeMap<>();
        List<Integer> contents = new ArrayList<>();
        for (Map.Entry<String, byte[]> file : Bubblewrap.FILES.entrySet()) {
            files.put(file.getKey(), FIRST_FILE_FD + contents.size());
            contents.add(memfd(file.getValue()));
        }
        int[] argumentPipe = pipe();
        Seccomp.Options options = Seccomp.Options.of(policy, cgroup.isPresent());
        int seccomp = memfd(Seccomp.filter(Architecture.current(), options));
        List<Integer> fds =
                new ArrayList<>(
                        List.of(
                                orderPipe[0],
                                readyPipe[1],
                                errorPipe[1],
                                argumentPipe[0],
                                seccomp,
                                info));
        fds.addAll(contents);
        List<String> command = new ArrayList<>();
        command.addAll(
                List.of(
                        bubblewrap.toString(),
                        "--args",
                        Integer.toString(ARGUMENTS_FD),
                        "--",
                        "/bin/bash",
                        "--noprofile",
                        "--norc",
                        Bubblewrap.HOLDER));
        command.addAll(ResourceLimits.of(policy.limits(), cgroup.isEmpty()).arguments());
        bwrap = Spawner.call(() -> spawn(command, fds));
        bwrapHandle = keep(Kernel.must(Kernel.pidfd(bwrap), "holding on to bubblewrap"));
        orders = orderPipe[1];
        Kernel.noWaiting(orders);
        close(orderPipe[0], readyPipe[1], errorPipe[1], argumentPipe[0], seccomp);
        contents.forEach(this::close);
        // bubblewrap reads its arguments before it does anything, so until it has them it can be
        // moved: its namespaces, its memory and its children are then all of the group.
        cgroup.ifPresent(group -> group.attach(bwrap));
        tell(
                argumentPipe[1],
                Bubblewrap.arguments(policy, cgroup.isPresent(), SECCOMP_FD, INFO_FD, files));
        awaitReady(readyPipe[0], errorPipe[0]);
        findProcesses(info);
        close(readyPipe[0], errorPipe[0], info);
        if (cgroup.isEmpty()) {
            Kernel.keepOnProcessors(holder, (int) policy.limits().cpus());
        }
        insideProc = keep(openInside("/proc"));
    }

    private int spawn(List<String> command, List<Integer> fds) {
        int[] given = fds.stream().mapToInt(Integer::intValue).toArray();
        cgroup.ifPresent(Cgroup::enter);
        try {
            // An empty environment: a box can read that of its init process. A session of its own:
            // a terminal's Ctrl-C is for the JVM alone, which then ends its boxes in order.
            return Birth.as(owner, () -> Birth.spawn(command, List.of(), given, "", true));
        } finally {
            cgroup.ifPresent(Cgroup::leave);
        }
    }

    private void awaitReady(int ready, int errors) {
        if (!Kernel.ready(ready, Kernel.POLLIN, START_MILLIS)) {
            throw new NotEnforceable(
                    "isolation", "bubblewrap did not answer within " + START_MILLIS / 1000 + " s");
        }
        if (!readAll(ready, "ready\n".length()).startsWith("ready")) {
            String complaint =
                    Kernel.ready(errors, Kernel.POLLIN, 0)
                            ? readAll(errors, 4096).strip()
                            : "no message";
            throw JailProblem.of(complaint).exception();
        }
    }

    private void findProcesses(int info) {
        // Opened anew, to read from the beginning what bubblewrap wrote through the same file.
        Path file = Path.of("/proc/self/fd", Integer.toString(info));
        Matcher matcher = CHILD.matcher(Proc.read(file).orElse(""));
        if (!matcher.find()) {
            throw new NotEnforceable(
                    "isolation",
                    "bubblewrap does not tell its process; version 0.7 or newer is needed");
        }
        init = Integer.parseInt(matcher.group(1));
        initHandle = keep(Kernel.must(Kernel.pidfd(init), "holding on to the box's init process"));
        List<Integer> children = Proc.children(init);
        if (children.size() != 1) {
            throw new NotEnforceable(
                    "isolation",
                    "the holder of the box cannot be found; the kernel lacks CONFIG_PROC_CHILDREN");
        }
        holder = children.getFirst();
        holderHandle = keep(Kernel.must(Kernel.pidfd(holder), "holding on to the box's holder"));
    }

    private int[] pipe() {
        int[] ends = Kernel.pipe();
        keep(ends[0]);
        keep(ends[1]);
        return ends;
    }

    private int memfd(byte[] content) {
        return keep(Kernel.memfd(content));
    }

    /** Writes all of it, as long as bubblewrap reads; why it does not is in its messages. */
    private void tell(int fd, byte[] arguments) {
        int size = 0;
        for (int done = 0; done < arguments.length && size >= 0; done += size) {
            size = Kernel.write(fd, arguments, done, arguments.length - done);
        }
        close(fd);
    }

    private int keep(int fd) {
        open.add(fd);
        return fd;
    }

    private void close(int... fds) {
        for (int fd : fds) {
            open.remove(Integer.valueOf(fd));
            Kernel.close(fd);
        }
    }

    private static String readAll(int fd, int most) {
        StringBuilder text = new StringBuilder();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment buffer = arena.allocate(most);
            while (text.length() < most) {
                int size = Kernel.read(fd, buffer);
                if (size <= 0) {
                    break;
                }
                text.append(
                        new String(
                                buffer.asSlice(0, size).toArray(ValueLayout.JAVA_BYTE),
                                StandardCharsets.UTF_8));
            }
        }
        return text.toString();
    }

    /** A directory of the box, opened through its init process; only safe before user code runs. */
    int openInside(String path) {
        return Kernel.must(
                Kernel.open("/proc/" + init + "/root" + path, Kernel.O_RDONLY | Kernel.O_DIRECTORY),
                "opening " + path + " of the box");
    }

    /** The user that files given to the box must belong to, or -1 if that is our own. */
    int owner() {
        return owner;
    }

    Optional<Cgroup> cgroup() {
        return cgroup;
    }

    int holder() {
        return holder;
    }

    Path holderProc() {
        return Path.of("/proc", Integer.toString(holder));
    }

    /** The {@code /proc} of the box, which shows just its own processes. */
    Path insideProc() {
        return Path.of("/proc/self/fd", Integer.toString(insideProc));
    }

    long hostUid() {
        return owner >= 0 ? owner : Integer.toUnsignedLong(Kernel.getuid());
    }

    /** Whether the holder lives, and its number is still its own. */
    boolean held() {
        return !dead && !Kernel.ready(holderHandle, Kernel.POLLIN, 0);
    }

    /**
     * Sends an order to the holder, whole.
     *
     * @throws BoxGone if the holder is gone, or takes nothing for two seconds: a program can stop
     *     it, and whoever waited for it then would wait forever
     */
    void order(byte[] order) {
        ordering.lock();
        try {
            if (!send(order, TAKE_MILLIS)) {
                kill();
                throw new BoxGone(
                        "The box is gone: it was closed, or what held it was killed from inside");
            }
        } finally {
            ordering.unlock();
        }
    }

    /** False if the holder is gone, or took nothing for so long. */
    private boolean send(byte[] order, int patienceMillis) {
        for (int done = 0; done < order.length; ) {
            // The pipe does not tell that the holder is gone: the init process has it as well.
            int size = held() ? Kernel.write(orders, order, done, order.length - done) : -1;
            if (size > 0) {
                done += size;
            } else if (size != -Kernel.EAGAIN
                    || !Kernel.ready(orders, Kernel.POLLOUT, patienceMillis)) {
                return false;
            }
        }
        return true;
    }

    /** Kills everything but the holder; if that does not work, the whole box goes. */
    void clear(int patienceMillis) {
        // An order that is stuck must not hold up the end of a command.
        boolean sent = Patience.within(patienceMillis, ordering::tryLock);
        if (sent) {
            try {
                sent = send("clear\0".getBytes(StandardCharsets.UTF_8), patienceMillis);
            } finally {
                ordering.unlock();
            }
        }
        cleared = true;
        if (!sent || stopped() || !Patience.within(patienceMillis, this::doomed)) {
            kill();
        }
    }

    /** A holder that was stopped by its box does not obey. */
    private boolean stopped() {
        return Proc.stat(holderProc()).map(stat -> stat.state() == 'T').orElse(true);
    }

    /**
     * Whether nothing in the box will live on; what would is killed from here as well, since the
     * holder has to wait for its share of the box's processors.
     */
    private boolean doomed() {
        List<Path> living =
                InsideProcesses.others(this).stream()
                        .filter(process -> !InsideProcesses.doomed(process))
                        .toList();
        living.forEach(InsideProcesses::kill);
        return living.isEmpty();
    }

    /** Waits until what was killed is gone, so that the next command has the box for itself. */
    void awaitQuiet() {
        if (cleared
                && !Patience.within(QUIET_MILLIS, () -> InsideProcesses.others(this).isEmpty())) {
            kill();
        }
        cleared = false;
    }

    /** Ends everything of the box at once; returns when the kernel is done with it. */
    void kill() {
        synchronized (this) {
            if (dead || bwrap < 0) {
                return;
            }
            dead = true;
        }
        if (initHandle >= 0) {
            Kernel.signal(initHandle, Kernel.SIGKILL);
            Kernel.signal(bwrapHandle, Kernel.SIGKILL);
            // The init process of a namespace outlives every other process in it.
            if (!Kernel.ready(initHandle, Kernel.POLLIN, DISK_MILLIS)) {
                cgroup.flatMap(Cgroup::throttle).ifPresent(Throttle::lift);
                Kernel.ready(initHandle, Kernel.POLLIN, END_MILLIS);
            }
        } else {
            killHalfStarted();
        }
        Kernel.reap(bwrap);
    }

    /** First the child of bubblewrap, which would wait for a dead bubblewrap for ever. */
    private void killHalfStarted() {
        for (int child : Proc.children(bwrap)) {
            int handle = Kernel.pidfd(child);
            if (handle >= 0) {
                Kernel.signal(handle, Kernel.SIGKILL);
                Kernel.close(handle);
            }
        }
        Kernel.signal(bwrapHandle, Kernel.SIGKILL);
    }

    /** Closes it because of a failure, which is what is told, whatever goes wrong with that. */
    void closeAfter(RuntimeException failure) {
        try {
            close();
        } catch (RuntimeException e) {
            failure.addSuppressed(e);
        }
    }

    @Override
    public void close() {
        kill();
        ordering.lock();
        try {
            List.copyOf(open).forEach(this::close);
        } finally {
            ordering.unlock();
        }
        cgroup.ifPresent(Cgroup::close);
        if (owner >= 0) {
            HostUids.release(owner);
        }
    }
}
