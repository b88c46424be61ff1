package dev.glovebox.sandbox.internal;

import dev.glovebox.sandbox.Policy;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The filter of system calls that every program in a jail runs under.
 *
 * <p>The attack: the kernel has some 400 doors, most of them never used by a program that computes
 * something, and nearly every escape from a container went through one of those. The defence: a
 * list of what is allowed. Everything else does not exist ({@code ENOSYS}), so that a library which
 * tries something new falls back to what it did before; what honest programs try and survive is
 * refused ({@code EPERM}); what only an attacker calls kills the whole process ({@code SIGSYS}).
 *
 * <p>Five calls look harmless and are left out of the list on purpose. {@code clone3} and {@code
 * openat2} keep their flags and mode behind a pointer, which a filter cannot follow; {@code
 * io_uring} does the work of other calls without passing the filter; {@code cachestat} tells which
 * pages of shared files the host has read; {@code io_submit} never waits for a disk whose rate is
 * bounded, so that one process had the kernel keep 6 GiB of writes for it within half a second.
 *
 * <p>Arguments are registers of 64 bits, but the kernel cuts each argument that is looked at here
 * to {@code int}, {@code unsigned int} or {@code umode_t} (and takes only the low word of {@code
 * clone}'s flags). So only the low half is compared: whoever compared all 64 bits would let {@code
 * TIOCSTI | 1L << 32} pass, which the kernel then runs as {@code TIOCSTI}.
 */
final class Seccomp {

    private static final int KILL_PROCESS = 0x8000_0000;
    private static final int ERRNO = 0x0005_0000;
    private static final int ALLOW = 0x7FFF_0000;

    private static final int EPERM = 1;
    private static final int EACCES = 13;
    private static final int EINVAL = 22;
    private static final int ENOSYS = 38;
    private static final int EPROTONOSUPPORT = 93;
    private static final int EAFNOSUPPORT = 97;

    /** Offsets in {@code struct seccomp_data {int nr; u32 arch; u64 ip; u64 args[6]}}. */
    private static final int NUMBER = 0;

    private static final int ARCH = 4;
    private static final int ARGUMENTS = 16;

    /** No table has a number this high; the x32 bit is far above. */
    private static final int NUMBERS = 512;

    private static final int X32_BIT = 0x4000_0000;

    private static final int S_ISUID = 04000;
    private static final int S_ISGID = 02000;
    private static final int S_IFMT = 0170000;

    /** A regular file (0 means one as well), FIFO or socket. */
    private static final int[] HARMLESS_NODES = {0, 0100000, 0010000, 0140000};

    /** The same on both architectures; of O_TMPFILE the bit that O_DIRECTORY has not. */
    private static final int O_CREAT = 0100;

    private static final int O_TMPFILE = 020000000;

    /** TIOCSTI, TIOCLINUX, TIOCCONS, TIOCSETD. */
    private static final int[] TERMINAL_ATTACKS = {0x5412, 0x541C, 0x541D, 0x5423};

    /**
     * CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID and NEWNET; the bit of NEWTIME
     * belongs to the exit signal here.
     */
    private static final int CLONE_NEW_NAMESPACE = 0x7E02_0000;

    /** PER_LINUX, and the question which one it is. */
    private static final int[] PERSONALITIES = {0, 0xFFFF_FFFF};

    /** SO_ATTACH_FILTER, SO_ATTACH_BPF, SO_ATTACH_REUSEPORT_CBPF and SO_ATTACH_REUSEPORT_EBPF. */
    private static final int[] SOCKET_FILTERS = {26, 50, 51, 52};

    private static final int SOL_SOCKET = 1;
    private static final int PR_SET_SECCOMP = 22;
    private static final int SECCOMP_SET_MODE_FILTER = 1;
    private static final int PR_SET_MM = 35;
    private static final int PR_SET_PDEATHSIG = 1;
    private static final int SIGKILL = 9;

    private static final int AF_UNIX = 1;
    private static final int AF_NETLINK = 16;
    private static final int NETLINK_ROUTE = 0;

    /** AF_INET and AF_INET6. */
    private static final int[] INTERNET_FAMILIES = {2, 10};

    private static final int SOCK_TYPE_MASK = 0xF;
    private static final int SOCK_STREAM = 1;
    private static final int SOCK_DGRAM = 2;
    private static final int SOCK_SEQPACKET = 5;
    private static final int[] LASTING_PAIRS = {SOCK_STREAM, SOCK_SEQPACKET};

    /** The default, and TCP. */
    private static final int[] STREAM_PROTOCOLS = {0, 6};

    /** The default, UDP, ICMP and ICMPv6 (unprivileged ping). */
    private static final int[] DATAGRAM_PROTOCOLS = {0, 17, 1, 58};

    private static final int MAP_SHARED = 0x1;
    private static final int MAP_ANONYMOUS = 0x20;

    private static final Map<List<Object>, byte[]> FILTERS = new ConcurrentHashMap<>();
    private static final Map<List<Object>, String> DESCRIPTIONS = new ConcurrentHashMap<>();

    private final Architecture architecture;
    private final Bpf bpf = new Bpf();
    private final int allow = bpf.verdict(ALLOW);
    private final int kill = bpf.verdict(KILL_PROCESS);
    private final int notPermitted = bpf.verdict(ERRNO | EPERM);
    private final int missing = bpf.verdict(ERRNO | ENOSYS);

    /** What a kernel says that has no filters of system calls. */
    private final int noFilters = bpf.verdict(ERRNO | EINVAL);

    /** Where the filter goes on, by number of the system call. */
    private final int[] rules = new int[NUMBERS];

    private Seccomp(Architecture architecture, Options options) {
        this.architecture = architecture;
        Arrays.fill(rules, missing);
        rule(Syscalls.ALLOWED, allow);
        rule(Syscalls.NOT_PERMITTED, notPermitted);
        rule(Syscalls.ATTACKS, kill);
        rulesOnFiles();
        rulesOnProcesses();
        rulesOnSockets(options.unixSockets());
        rulesOnFilters();
        rulesWithoutCgroup(options.cgroup());
    }

    /**
     * What depends on the box.
     *
     * @param unixSockets whether programs may make Unix sockets, and so reach whoever listens in a
     *     folder that the box can see; without it they still get connected pairs
     * @param cgroup whether the kernel bounds the box as a whole; if not, what escapes whoever sums
     *     up its processes, or would undo what bounds each of them, is refused
     */
    record Options(boolean unixSockets, boolean cgroup) {

        static Options of(Policy policy, boolean cgroup) {
            // Who listens on a socket in a shared host folder is not in the box.
            return new Options(policy.files().isEmpty(), cgroup);
        }
    }

    /** The filter as {@code struct sock_filter[]}, which {@code bwrap --seccomp} reads. */
    static byte[] filter(Architecture architecture, Options options) {
        return FILTERS.computeIfAbsent(
                        List.of(architecture, options),
                        key -> new Seccomp(architecture, options).assemble())
                .clone();
    }

    /** What the filter is, in the words of a receipt. */
    static String describe(Architecture architecture, Options options) {
        return DESCRIPTIONS.computeIfAbsent(
                List.of(architecture, options),
                key -> new Seccomp(architecture, options).description());
    }

    private String description() {
        int allowed = 0;
        for (int rule : rules) {
            if (rule != missing && rule != notPermitted && rule != kill) {
                allowed++;
            }
        }
        return "allow-list of " + allowed + " system calls";
    }

    private void rulesOnFiles() {
        // A setuid file in a folder shared with the host runs as the box's owner for whoever starts
        // it there. chmod is not the only way to make one: open and mknod take a mode as well.
        rule("chmod 90 -  fchmod 91 52  creat 85 -", refuseSetuid(1, allow));
        rule("fchmodat 268 53  fchmodat2 452 452", refuseSetuid(2, allow));
        rule("open 2 -", refuseSetuidOnCreate(1));
        rule("openat 257 56", refuseSetuidOnCreate(2));

        // A device node is the device: the one with the numbers of the host's disk is that disk.
        rule("mknod 133 -", refuseDevices(1));
        rule("mknodat 259 33", refuseDevices(2));

        // What is pushed into a terminal's input (TIOCSTI, or a paste by TIOCLINUX) becomes a
        // command of the shell outside; TIOCCONS takes the console; TIOCSETD loads line
        // disciplines, a part of the kernel known for its holes.
        rule("ioctl 16 29", argument(1, ifOneOf(TERMINAL_ATTACKS, notPermitted, allow)));
    }

    private int refuseSetuid(int mode, int otherwise) {
        return argument(mode, bpf.ifAnySet(S_ISUID | S_ISGID, notPermitted, otherwise));
    }

    /** Without one of these flags the mode is not an argument, but what was left in a register. */
    private int refuseSetuidOnCreate(int flags) {
        int creates = refuseSetuid(flags + 1, allow);
        return argument(flags, bpf.ifAnySet(O_CREAT | O_TMPFILE, creates, allow));
    }

    private int refuseDevices(int mode) {
        int byType = bpf.mask(S_IFMT, ifOneOf(HARMLESS_NODES, allow, notPermitted));
        return refuseSetuid(mode, byType);
    }

    private void rulesOnProcesses() {
        // In a user namespace of its own a program is root, with the whole administration of mounts
        // and networks to attack; most kernel exploits of the last years start there.
        rule("clone 56 220", argument(0, bpf.ifAnySet(CLONE_NEW_NAMESPACE, notPermitted, allow)));

        // A personality turns off address randomisation and W^X, or turns on the ABI of another
        // Unix, which nobody has tested for years.
        rule("personality 135 92", argument(0, ifOneOf(PERSONALITIES, allow, notPermitted)));

        // PR_SET_MM lets a process pretend to be another program in /proc. PR_SET_PDEATHSIG is what
        // ends a box with its JVM: nobody may have its init process forget that.
        int deathSignal = argument(1, bpf.ifEqual(SIGKILL, allow, notPermitted));
        int option = bpf.ifEqual(PR_SET_PDEATHSIG, deathSignal, allow);
        option = bpf.ifEqual(PR_SET_SECCOMP, noFilters, option);
        rule("prctl 157 167", argument(0, bpf.ifEqual(PR_SET_MM, notPermitted, option)));
    }

    /**
     * Programs for the kernel. It compiles each of them into memory that no cgroup counts and that
     * all users of the machine share; and where some thousands are given back at once, as when a
     * box ends, Linux 6.18 was seen to hang: from then on no filter could be made on that machine,
     * and so no jail.
     */
    private void rulesOnFilters() {
        int option = argument(2, ifOneOf(SOCKET_FILTERS, notPermitted, allow));
        rule("setsockopt 54 208", argument(1, bpf.ifEqual(SOL_SOCKET, option, allow)));
        rule(
                "seccomp 317 277",
                argument(0, bpf.ifEqual(SECCOMP_SET_MODE_FILTER, noFilters, allow)));
    }

    private void rulesOnSockets(boolean unixSockets) {
        int noAccess = bpf.verdict(ERRNO | EACCES);
        int noFamily = bpf.verdict(ERRNO | EAFNOSUPPORT);
        int noProtocol = bpf.verdict(ERRNO | EPROTONOSUPPORT);

        // socket() loads the kernel module of whatever family and protocol it is asked for, and so
        // opens every hole in SCTP, DCCP or AF_ALG to a box: only what everybody uses is left.
        // (SOCK_PACKET would make a packet socket out of AF_INET; raw ones can forge addresses.)
        int stream = argument(2, ifOneOf(STREAM_PROTOCOLS, allow, noProtocol));
        int datagram = argument(2, ifOneOf(DATAGRAM_PROTOCOLS, allow, noProtocol));
        int internet =
                socketType(
                        bpf.ifEqual(
                                SOCK_STREAM,
                                stream,
                                bpf.ifEqual(SOCK_DGRAM, datagram, notPermitted)));
        int netlink = argument(2, bpf.ifEqual(NETLINK_ROUTE, allow, noProtocol));
        int unix = unixSockets ? allow : noAccess;
        int family = bpf.ifEqual(AF_NETLINK, netlink, noFamily);
        family = bpf.ifEqual(AF_UNIX, unix, family);
        rule("socket 41 198", argument(0, ifOneOf(INTERNET_FAMILIES, internet, family)));

        // One half of a pair of datagram sockets can be connected anew, to any path: the way around
        // a refused socket(). Only streams stay with their partner (and SOCK_RAW means datagram).
        int pair = unixSockets ? allow : socketType(ifOneOf(LASTING_PAIRS, allow, noAccess));
        rule("socketpair 53 199", argument(0, bpf.ifEqual(AF_UNIX, pair, noFamily)));
    }

    private void rulesWithoutCgroup(boolean cgroup) {
        // Files in memory without a name, System V segments, queues and semaphores: all outlive a
        // mapping, and no sum over the processes shows them.
        rule(
                "memfd_create 319 279  shmget 29 194  msgget 68 186  semget 64 190",
                cgroup ? allow : missing);
        // Such a file without a name is also behind shared memory that is no file's: pages of it
        // stay when they are not mapped any more, as long as one of them is.
        int shared = bpf.ifAnySet(MAP_SHARED, notPermitted, allow);
        int anonymous = argument(3, bpf.ifAnySet(MAP_ANONYMOUS, shared, allow));
        rule("mmap 9 222", cgroup ? allow : anonymous);
        // Without a quota, being kept on some processors is what bounds their number.
        rule("sched_setaffinity 203 122", cgroup ? allow : notPermitted);
    }

    private int socketType(int then) {
        return argument(1, bpf.mask(SOCK_TYPE_MASK, then));
    }

    /** Sends the system calls in rows like those of {@link Syscalls} to a label. */
    private void rule(String rows, int label) {
        for (int number : Syscalls.numbers(rows, architecture)) {
            if (rules[number] != missing) {
                throw new IllegalStateException("Two rules for system call number " + number + ".");
            }
            rules[number] = label;
        }
    }

    /** Loads the low half of an argument; why that is enough is said at the top. */
    private int argument(int index, int then) {
        return bpf.load(ARGUMENTS + index * Long.BYTES, then);
    }

    private int ifOneOf(int[] values, int then, int otherwise) {
        int label = otherwise;
        for (int value : values) {
            label = bpf.ifEqual(value, then, label);
        }
        return label;
    }

    private byte[] assemble() {
        int[] starts = new int[NUMBERS + 2];
        int[] labels = new int[NUMBERS + 2];
        int ranges = 0;
        for (int number = 0; number < NUMBERS; number++) {
            if (number == 0 || rules[number] != rules[number - 1]) {
                starts[ranges] = number;
                labels[ranges++] = rules[number];
            }
        }
        if (architecture == Architecture.X86_64) {
            // The x32 calls are the same doors under other numbers, past every rule above. -1 is
            // none of them: it is what a skipped call looks like.
            starts[ranges] = X32_BIT;
            labels[ranges++] = kill;
            starts[ranges] = -1;
            labels[ranges++] = missing;
        }
        int byNumber = bpf.load(NUMBER, search(starts, labels, 0, ranges));

        // A program may switch to 32-bit code, where the numbers mean other calls (int 0x80).
        bpf.load(ARCH, bpf.ifEqual(architecture.auditArch(), byNumber, kill));
        return bpf.program();
    }

    /** Finds the range of the number in eight comparisons or so, not in three hundred. */
    private int search(int[] starts, int[] labels, int from, int to) {
        if (to - from == 1) {
            return labels[from];
        }
        int middle = (from + to) >>> 1;
        int upper = search(starts, labels, middle, to);
        int lower = search(starts, labels, from, middle);
        return bpf.ifAtLeast(starts[middle], upper, lower);
    }
}
