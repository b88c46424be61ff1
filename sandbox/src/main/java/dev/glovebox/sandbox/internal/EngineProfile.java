package dev.glovebox.sandbox.internal;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The rules of {@link Seccomp} as a profile of container engines, which libseccomp makes a filter
 * of.
 *
 * <p>There a rule is a list of conditions that must all hold, at most one for each argument, and
 * rules of a system call may not contradict each other: libseccomp does not say which wins. So
 * every "if not" is written as the cases that are left, each a condition on some leading bits. Only
 * the low half of an argument is compared, as in the filter of the jail, and a test compares both
 * on the same calls.
 */
public final class EngineProfile {

    private static final int EPERM = 1;
    private static final int EACCES = 13;
    private static final int EINVAL = 22;
    private static final int ENOSYS = 38;
    private static final int EPROTONOSUPPORT = 93;
    private static final int EAFNOSUPPORT = 97;
    private static final int ALLOWED = 0;
    private static final long LOW_HALF = 0xFFFF_FFFFL;

    private static final int SETUID = 04000;
    private static final int SETGID = 02000;
    private static final int FILE_TYPE = 0170000;
    private static final int[] HARMLESS_NODES = {0, 0100000, 0010000, 0140000};
    private static final int[] CREATING = {0100, 020000000};
    private static final int[] TERMINAL_ATTACKS = {0x5412, 0x541C, 0x541D, 0x5423};
    private static final int NEW_NAMESPACES = 0x7E02_0000;
    private static final int[] PERSONALITIES = {0, 0xFFFF_FFFF};
    private static final int[] SOCKET_FILTERS = {26, 50, 51, 52};
    private static final int SOL_SOCKET = 1;
    private static final int PR_SET_SECCOMP = 22;
    private static final int[] SECCOMP_SET_MODE_FILTER = {1};
    private static final int PR_SET_MM = 35;
    private static final int PR_SET_PDEATHSIG = 1;
    private static final int SIGKILL = 9;
    private static final int AF_UNIX = 1;
    private static final int AF_NETLINK = 16;
    private static final int[] INTERNET_FAMILIES = {2, 10};
    private static final int TYPE_MASK = 0xF;
    private static final int SOCK_STREAM = 1;
    private static final int SOCK_DGRAM = 2;
    private static final int SOCK_SEQPACKET = 5;
    private static final int[] STREAM_PROTOCOLS = {0, 6};
    private static final int[] DATAGRAM_PROTOCOLS = {0, 17, 1, 58};

    /**
     * What libraries try first and do without where it does not exist: named, since engines before
     * 2022 answer {@code EPERM} for all that a profile does not name, whatever it says.
     */
    private static final List<String> MISSING =
            List.of(
                    "clone3",
                    "openat2",
                    "cachestat",
                    "io_setup",
                    "io_submit",
                    "io_uring_setup",
                    "io_uring_enter",
                    "io_uring_register");

    /** That an argument has these bits under a mask. */
    record Condition(int argument, int mask, int value) {

        boolean holds(long[] arguments) {
            return ((int) arguments[argument] & mask) == value;
        }
    }

    /**
     * What becomes of these system calls where all conditions hold.
     *
     * @param verdict an error number, 0 to allow, -1 to kill
     */
    record Rule(List<String> names, int verdict, List<Condition> conditions) {}

    private final List<Rule> rules = new ArrayList<>();

    private EngineProfile(boolean unixSockets) {
        rules.add(new Rule(names(Syscalls.ALLOWED), ALLOWED, List.of()));
        rules.add(new Rule(names(Syscalls.NOT_PERMITTED), EPERM, List.of()));
        rules.add(new Rule(names(Syscalls.ATTACKS), -1, List.of()));
        rules.add(
                new Rule(
                        List.of(
                                "memfd_create",
                                "shmget",
                                "msgget",
                                "semget",
                                "mmap",
                                "sched_setaffinity"),
                        ALLOWED,
                        List.of()));
        rules.add(new Rule(MISSING, ENOSYS, List.of()));
        files();
        processes();
        sockets(unixSockets);
        filters();
    }

    static List<Rule> rules(boolean unixSockets) {
        return List.copyOf(new EngineProfile(unixSockets).rules);
    }

    private void files() {
        refuseSetuid(List.of("chmod", "fchmod", "creat"), 1);
        refuseSetuid(List.of("fchmodat", "fchmodat2"), 2);
        refuseSetuidOnCreate("open", 1);
        refuseSetuidOnCreate("openat", 2);
        refuseDevices("mknod", 1);
        refuseDevices("mknodat", 2);
        for (int attack : TERMINAL_ATTACKS) {
            rule("ioctl", EPERM, is(1, attack));
        }
        for (Condition other : noneOf(1, TERMINAL_ATTACKS)) {
            rule("ioctl", ALLOWED, other);
        }
    }

    private void refuseSetuid(List<String> names, int mode) {
        rules.add(new Rule(names, ALLOWED, List.of(bits(mode, SETUID | SETGID, 0))));
        rules.add(new Rule(names, EPERM, List.of(bits(mode, SETUID, SETUID))));
        rules.add(new Rule(names, EPERM, List.of(bits(mode, SETUID | SETGID, SETGID))));
    }

    private void refuseSetuidOnCreate(String name, int flags) {
        int creating = CREATING[0] | CREATING[1];
        int mode = flags + 1;
        rule(name, ALLOWED, bits(flags, creating, 0));
        for (Condition creates :
                List.of(
                        bits(flags, CREATING[0], CREATING[0]),
                        bits(flags, creating, CREATING[1]))) {
            rule(name, ALLOWED, creates, bits(mode, SETUID | SETGID, 0));
            rule(name, EPERM, creates, bits(mode, SETUID, SETUID));
            rule(name, EPERM, creates, bits(mode, SETUID | SETGID, SETGID));
        }
    }

    private void refuseDevices(String name, int mode) {
        rule(name, EPERM, bits(mode, SETUID, SETUID));
        rule(name, EPERM, bits(mode, SETUID | SETGID, SETGID));
        for (int type = 0; type <= FILE_TYPE; type += 010000) {
            int one = type;
            boolean harmless = Arrays.stream(HARMLESS_NODES).anyMatch(node -> node == one);
            rule(name, harmless ? ALLOWED : EPERM, bits(mode, FILE_TYPE | SETUID | SETGID, type));
        }
    }

    private void processes() {
        rule("clone", ALLOWED, bits(0, NEW_NAMESPACES, 0));
        int seen = 0;
        for (int bit = 1 << 30; bit > 0; bit >>>= 1) {
            if ((NEW_NAMESPACES & bit) != 0) {
                rule("clone", EPERM, bits(0, seen | bit, bit));
                seen |= bit;
            }
        }
        either("personality", 0, PERSONALITIES, ALLOWED, EPERM);
        rule("prctl", EPERM, is(0, PR_SET_MM));
        rule("prctl", EINVAL, is(0, PR_SET_SECCOMP));
        rule("prctl", ALLOWED, is(0, PR_SET_PDEATHSIG), is(1, SIGKILL));
        for (Condition other : noneOf(1, SIGKILL)) {
            rule("prctl", EPERM, is(0, PR_SET_PDEATHSIG), other);
        }
        for (Condition other : noneOf(0, PR_SET_MM, PR_SET_PDEATHSIG, PR_SET_SECCOMP)) {
            rule("prctl", ALLOWED, other);
        }
    }

    private void filters() {
        either("setsockopt", 2, SOCKET_FILTERS, EPERM, ALLOWED, is(1, SOL_SOCKET));
        for (Condition other : noneOf(1, SOL_SOCKET)) {
            rule("setsockopt", ALLOWED, other);
        }
        either("seccomp", 0, SECCOMP_SET_MODE_FILTER, EINVAL, ALLOWED);
    }

    private void sockets(boolean unixSockets) {
        for (int family : INTERNET_FAMILIES) {
            Condition internet = is(0, family);
            Condition stream = bits(1, TYPE_MASK, SOCK_STREAM);
            Condition datagram = bits(1, TYPE_MASK, SOCK_DGRAM);
            either("socket", 2, STREAM_PROTOCOLS, ALLOWED, EPROTONOSUPPORT, internet, stream);
            either("socket", 2, DATAGRAM_PROTOCOLS, ALLOWED, EPROTONOSUPPORT, internet, datagram);
            for (int type = 0; type <= TYPE_MASK; type++) {
                if (type != SOCK_STREAM && type != SOCK_DGRAM) {
                    rule("socket", EPERM, internet, bits(1, TYPE_MASK, type));
                }
            }
        }
        int[] route = {0};
        either("socket", 2, route, ALLOWED, EPROTONOSUPPORT, is(0, AF_NETLINK));
        rule("socket", unixSockets ? ALLOWED : EACCES, is(0, AF_UNIX));
        for (Condition other :
                noneOf(0, INTERNET_FAMILIES[0], INTERNET_FAMILIES[1], AF_NETLINK, AF_UNIX)) {
            rule("socket", EAFNOSUPPORT, other);
        }
        for (Condition other : noneOf(0, AF_UNIX)) {
            rule("socketpair", EAFNOSUPPORT, other);
        }
        for (int type = 0; type <= TYPE_MASK; type++) {
            boolean lasting = type == SOCK_STREAM || type == SOCK_SEQPACKET;
            rule(
                    "socketpair",
                    unixSockets || lasting ? ALLOWED : EACCES,
                    is(0, AF_UNIX),
                    bits(1, TYPE_MASK, type));
        }
    }

    /** One verdict where an argument is one of the values, another where it is none of them. */
    private void either(
            String name, int argument, int[] values, int then, int otherwise, Condition... also) {
        for (int value : values) {
            rule(name, then, plus(also, is(argument, value)));
        }
        for (Condition other : noneOf(argument, values)) {
            rule(name, otherwise, plus(also, other));
        }
    }

    private static Condition[] plus(Condition[] conditions, Condition last) {
        Condition[] more = Arrays.copyOf(conditions, conditions.length + 1);
        more[conditions.length] = last;
        return more;
    }

    private void rule(String name, int verdict, Condition... conditions) {
        rules.add(new Rule(List.of(name), verdict, List.of(conditions)));
    }

    private static Condition is(int argument, int value) {
        return new Condition(argument, -1, value);
    }

    private static Condition bits(int argument, int mask, int value) {
        return new Condition(argument, mask, value);
    }

    /** All other values, as the largest groups that have their leading bits in common. */
    private static List<Condition> noneOf(int argument, int... values) {
        List<Condition> groups = new ArrayList<>();
        split(argument, 0, 0, values, groups);
        return groups;
    }

    private static void split(
            int argument, int mask, int prefix, int[] values, List<Condition> groups) {
        int[] here = Arrays.stream(values).filter(value -> (value & mask) == prefix).toArray();
        if (here.length == 0) {
            groups.add(new Condition(argument, mask, prefix));
        } else if (mask != -1) {
            // The next bit below those that are fixed.
            int next = mask == 0 ? Integer.MIN_VALUE : Integer.lowestOneBit(mask) >>> 1;
            split(argument, mask | next, prefix, here, groups);
            split(argument, mask | next, prefix | next, here, groups);
        }
    }

    private static List<String> names(String rows) {
        return rows.lines()
                .map(row -> row.strip().split(" +")[0])
                .filter(name -> !name.isEmpty())
                .toList();
    }

    public static String json(boolean unixSockets) {
        return unixSockets ? Text.WITH_SOCKETS : Text.WITHOUT_SOCKETS;
    }

    public static byte[] program(boolean unixSockets) {
        return Seccomp.filter(
                Architecture.current(), new Seccomp.Options(unixSockets, /* cgroup= */ true));
    }

    public static String describe() {
        Architecture.current();
        return Text.DESCRIPTION;
    }

    /** Made once. */
    private static final class Text {
        static final String WITH_SOCKETS = write(Architecture.current(), rules(true));
        static final String WITHOUT_SOCKETS = write(Architecture.current(), rules(false));
        static final String DESCRIPTION =
                Seccomp.describe(Architecture.current(), new Seccomp.Options(true, true));
    }

    private static String write(Architecture architecture, List<Rule> rules) {
        ObjectNode profile = JsonNodeFactory.instance.objectNode();
        profile.put("defaultAction", "SCMP_ACT_ERRNO");
        profile.put("defaultErrnoRet", ENOSYS);
        profile.putArray("architectures").add("SCMP_ARCH_" + architecture.name());
        ArrayNode list = profile.putArray("syscalls");
        for (Rule rule : rules) {
            ObjectNode entry = list.addObject();
            ArrayNode names = entry.putArray("names");
            rule.names().forEach(names::add);
            switch (rule.verdict()) {
                case ALLOWED -> entry.put("action", "SCMP_ACT_ALLOW");
                case -1 -> entry.put("action", "SCMP_ACT_KILL_PROCESS");
                default -> {
                    entry.put("action", "SCMP_ACT_ERRNO");
                    entry.put("errnoRet", rule.verdict());
                }
            }
            ArrayNode conditions = entry.putArray("args");
            for (Condition condition : rule.conditions()) {
                conditions
                        .addObject()
                        .put("index", condition.argument())
                        .put("value", condition.mask() & LOW_HALF)
                        .put("valueTwo", condition.value() & LOW_HALF)
                        .put("op", "SCMP_CMP_MASKED_EQ");
            }
        }
        return profile.toString();
    }
}
