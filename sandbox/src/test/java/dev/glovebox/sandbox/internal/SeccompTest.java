package dev.glovebox.sandbox.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.glovebox.sandbox.NotEnforceable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Checks each rule on both architectures, without a kernel; the numbers are from its headers. */
class SeccompTest {

    private static final int ALLOW = 0x7FFF_0000;
    private static final int KILL = 0x8000_0000;
    private static final int EPERM = 0x0005_0000 | 1;
    private static final int EINVAL = 0x0005_0000 | 22;
    private static final int EACCES = 0x0005_0000 | 13;
    private static final int ENOSYS = 0x0005_0000 | 38;
    private static final int EPROTONOSUPPORT = 0x0005_0000 | 93;
    private static final int EAFNOSUPPORT = 0x0005_0000 | 97;

    private static final int AUDIT_ARCH_X86_64 = 0xC000003E;
    private static final int AUDIT_ARCH_AARCH64 = 0xC00000B7;
    private static final int AUDIT_ARCH_I386 = 0x40000003;
    private static final int AUDIT_ARCH_ARM = 0x40000028;

    private static final BpfMachine X86 = machine(Architecture.X86_64, true);
    private static final BpfMachine ARM = machine(Architecture.AARCH64, true);
    private static final BpfMachine X86_NO_UNIX = machine(Architecture.X86_64, false);
    private static final BpfMachine ARM_NO_UNIX = machine(Architecture.AARCH64, false);

    @ParameterizedTest
    @CsvSource({
        "read, 0, 63",
        "write, 1, 64",
        "close, 3, 57",
        "mmap, 9, 222",
        "futex, 202, 98",
        "execve, 59, 221",
        "exit_group, 231, 94",
        "wait4, 61, 260",
        "getrandom, 318, 278",
        "rseq, 334, 293",
        "statx, 332, 291",
        "close_range, 436, 436",
        "memfd_create, 319, 279",
        "setuid, 105, 146",
        "capset, 126, 91",
        "mq_open, 240, 180",
        "shmget, 29, 194",
        "landlock_create_ruleset, 444, 444",
        "futex_wait, 455, 455",
        "mseal, 462, 462",
    })
    void allowsWhatProgramsNeed(String name, int x86, int arm) {
        expect(ALLOW, x86, arm);
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 4, 6, 7, 22, 23, 33, 57, 58, 82, 83, 85, 86, 87, 90, 158, 201, 232})
    void allowsOnX86TheOldCallsThatAarch64NeverHad(int number) {
        assertThat(X86.run(AUDIT_ARCH_X86_64, number)).isEqualTo(ALLOW);
    }

    @ParameterizedTest
    @CsvSource({
        "clone3 hides its flags, 435, 435",
        "openat2 hides its mode, 437, 437",
        "io_uring_setup, 425, 425",
        "io_uring_enter, 426, 426",
        "io_uring_register, 427, 427",
        "io_setup, 206, 0",
        "io_submit, 209, 2",
        "memfd_secret, 447, 447",
        "cachestat, 451, 451",
        "process_madvise, 440, 440",
        "lookup_dcookie, 212, 18",
        "nfsservctl, 180, 42",
        "modify_ldt on x86, 154, 244",
        "not yet invented, 511, 511",
        "the first above the table, 512, 512",
        "a large number, 100000, 100000",
        "a skipped call, -1, -1",
    })
    void saysThatWhatIsNotListedDoesNotExist(String name, int x86, int arm) {
        expect(ENOSYS, x86, arm);
    }

    @ParameterizedTest
    @CsvSource({
        "ptrace, 101, 117",
        "process_vm_readv, 310, 270",
        "process_vm_writev, 311, 271",
        "kcmp, 312, 272",
        "pidfd_getfd, 438, 438",
        "perf_event_open, 298, 241",
        "userfaultfd, 323, 282",
        "unshare, 272, 97",
        "chroot, 161, 51",
        "name_to_handle_at, 303, 264",
        "fanotify_init, 300, 262",
        "quotactl, 179, 60",
        "migrate_pages, 256, 238",
        "add_key, 248, 217",
        "request_key, 249, 218",
        "keyctl, 250, 219",
        "syslog, 103, 116",
        "settimeofday, 164, 170",
        "clock_settime, 227, 112",
        "adjtimex, 159, 171",
        "sethostname, 170, 161",
    })
    void refusesWhatHonestProgramsTry(String name, int x86, int arm) {
        expect(EPERM, x86, arm);
    }

    @ParameterizedTest
    @CsvSource({
        "kexec_load, 246, 104",
        "kexec_file_load, 320, 294",
        "init_module, 175, 105",
        "finit_module, 313, 273",
        "delete_module, 176, 106",
        "bpf, 321, 280",
        "open_by_handle_at, 304, 265",
        "mount, 165, 40",
        "umount2, 166, 39",
        "pivot_root, 155, 41",
        "open_tree, 428, 428",
        "move_mount, 429, 429",
        "fsopen, 430, 430",
        "fsconfig, 431, 431",
        "fsmount, 432, 432",
        "fspick, 433, 433",
        "mount_setattr, 442, 442",
        "open_tree_attr, 467, 467",
        "setns, 308, 268",
        "swapon, 167, 224",
        "swapoff, 168, 225",
        "reboot, 169, 142",
        "acct, 163, 89",
        "vhangup, 153, 58",
    })
    void killsForWhatOnlyAnAttackerCalls(String name, int x86, int arm) {
        expect(KILL, x86, arm);
    }

    @Test
    void killsForPortAccessOnX86() {
        assertThat(X86.run(AUDIT_ARCH_X86_64, 172)).as("iopl").isEqualTo(KILL);
        assertThat(X86.run(AUDIT_ARCH_X86_64, 173)).as("ioperm").isEqualTo(KILL);
    }

    @Property
    void killsForAnyCallOfAnotherArchitecture(@ForAll int arch, @ForAll int number) {
        assertThat(X86.run(AUDIT_ARCH_I386, number)).isEqualTo(KILL);
        assertThat(ARM.run(AUDIT_ARCH_ARM, number)).isEqualTo(KILL);
        assertThat(X86.run(AUDIT_ARCH_AARCH64, number)).isEqualTo(KILL);
        assertThat(ARM.run(AUDIT_ARCH_X86_64, number)).isEqualTo(KILL);
        if (arch != AUDIT_ARCH_X86_64) {
            assertThat(X86.run(arch, number)).isEqualTo(KILL);
        }
        if (arch != AUDIT_ARCH_AARCH64) {
            assertThat(ARM.run(arch, number)).isEqualTo(KILL);
        }
    }

    @Property
    void killsForAnyX32Call(@ForAll @IntRange(max = 0x3FFF_FFFF) int number) {
        assertThat(X86.run(AUDIT_ARCH_X86_64, 0x4000_0000 | number)).isEqualTo(KILL);
    }

    @Test
    void killsForTheBoundsOfX32() {
        assertThat(X86.run(AUDIT_ARCH_X86_64, 0x3FFF_FFFF)).isEqualTo(ENOSYS);
        assertThat(X86.run(AUDIT_ARCH_X86_64, 0x4000_0000)).isEqualTo(KILL);
        assertThat(X86.run(AUDIT_ARCH_X86_64, 0xFFFF_FFFE)).isEqualTo(KILL);
    }

    /** The kernel cuts these arguments to 32 bits, so a verdict must not depend on the rest. */
    @Property(tries = 5000)
    void isNotFooledByTheUpperHalfOfAnArgument(
            @ForAll @IntRange(max = 470) int number,
            @ForAll @Size(6) int[] low,
            @ForAll @Size(6) int[] high) {
        long[] plain = new long[6];
        long[] disguised = new long[6];
        for (int i = 0; i < 6; i++) {
            plain[i] = Integer.toUnsignedLong(low[i]);
            disguised[i] = (long) high[i] << 32 | plain[i];
        }
        for (BpfMachine x86 : new BpfMachine[] {X86, X86_NO_UNIX}) {
            assertThat(x86.run(AUDIT_ARCH_X86_64, number, disguised))
                    .isEqualTo(x86.run(AUDIT_ARCH_X86_64, number, plain));
        }
        for (BpfMachine arm : new BpfMachine[] {ARM, ARM_NO_UNIX}) {
            assertThat(arm.run(AUDIT_ARCH_AARCH64, number, disguised))
                    .isEqualTo(arm.run(AUDIT_ARCH_AARCH64, number, plain));
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {0x5412, 0x541C, 0x541D, 0x5423})
    void refusesToTypeIntoATerminal(long request) {
        expect(EPERM, 16, 29, 0, request);
        expect(EPERM, 16, 29, 0, request | 1L << 32);
        expect(EPERM, 16, 29, 0, request | 0xFFFF_FFFFL << 32);
    }

    @ParameterizedTest
    @ValueSource(longs = {0x5401, 0x5413, 0x5414, 0x5410, 0x541B, 0x5421, 0x8910})
    void allowsOrdinaryRequestsToATerminal(long request) {
        expect(ALLOW, 16, 29, 0, request);
    }

    @ParameterizedTest
    @CsvSource({
        "NEWNS, 0x00020000",
        "NEWCGROUP, 0x02000000",
        "NEWUTS, 0x04000000",
        "NEWIPC, 0x08000000",
        "NEWUSER, 0x10000000",
        "NEWPID, 0x20000000",
        "NEWNET, 0x40000000",
    })
    void refusesNewNamespaces(String name, int flag) {
        expect(EPERM, 56, 220, flag);
        expect(EPERM, 56, 220, flag | 17);
        expect(EPERM, 56, 220, flag | 0x3D0F00);
    }

    @ParameterizedTest
    @ValueSource(longs = {17, 0x4111, 0x3D0F00, 0x1200011, 0x80000011L})
    void allowsForksAndThreads(long flags) {
        expect(ALLOW, 56, 220, flags);
    }

    @Test
    void refusesToChangeThePersonality() {
        expect(ALLOW, 135, 92, 0);
        expect(ALLOW, 135, 92, 0xFFFF_FFFFL);
        expect(ALLOW, 135, 92, -1L);
        expect(EPERM, 135, 92, 0x0040000); // ADDR_NO_RANDOMIZE
        expect(EPERM, 135, 92, 0x0400000); // READ_IMPLIES_EXEC
        expect(EPERM, 135, 92, 8); // PER_LINUX32
        expect(EPERM, 135, 92, 0x0020000); // UNAME26
    }

    @Test
    void refusesToPretendToBeAnotherProgram() {
        expect(EPERM, 157, 167, 35); // PR_SET_MM
        expect(EPERM, 157, 167, 35 | 1L << 40);
        expect(ALLOW, 157, 167, 15); // PR_SET_NAME
        expect(ALLOW, 157, 167, 38); // PR_SET_NO_NEW_PRIVS
    }

    @ParameterizedTest
    @ValueSource(ints = {04000, 02000, 06000, 04755, 02755, 0104755})
    void refusesSetuidFilesByEveryWay(int mode) {
        expect(EPERM, 91, 52, 0, mode); // fchmod
        expect(EPERM, 268, 53, 0, 0, mode); // fchmodat
        expect(EPERM, 452, 452, 0, 0, mode); // fchmodat2
        expect(EPERM, 259, 33, 0, 0, mode); // mknodat
        expect(EPERM, 257, 56, 0, 0, 0101, mode); // openat, O_CREAT
        expect(EPERM, 257, 56, 0, 0, 020200002, mode); // openat, O_TMPFILE
        expectOnX86(EPERM, 90, 0, mode); // chmod
        expectOnX86(EPERM, 85, 0, mode); // creat
        expectOnX86(EPERM, 133, 0, mode); // mknod
        expectOnX86(EPERM, 2, 0, 0101, mode); // open
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 0644, 0755, 0777, 01777})
    void allowsOrdinaryModes(int mode) {
        expect(ALLOW, 91, 52, 0, mode);
        expect(ALLOW, 268, 53, 0, 0, mode);
        expect(ALLOW, 452, 452, 0, 0, mode);
        expect(ALLOW, 257, 56, 0, 0, 0101, mode);
        expectOnX86(ALLOW, 90, 0, mode);
        expectOnX86(ALLOW, 85, 0, mode);
        expectOnX86(ALLOW, 2, 0, 0101, mode);
    }

    @Test
    void readsNoModeWhereNoFileIsMade() {
        expect(ALLOW, 257, 56, 0, 0, 0, 0xFFFF_FFFFL);
        expect(ALLOW, 257, 56, 0, 0, 0200000, 0xFFFF_FFFFL); // O_DIRECTORY on x86_64
        expect(ALLOW, 257, 56, 0, 0, 040000, 0xFFFF_FFFFL); // and on aarch64
        expectOnX86(ALLOW, 2, 0, 02000000, 0xFFFF_FFFFL); // O_CLOEXEC
    }

    @Test
    void refusesDeviceNodes() {
        for (int type : new int[] {0020000, 0060000, 0040000, 0120000, 0170000}) {
            expect(EPERM, 259, 33, 0, 0, type | 0666);
            expect(EPERM, 259, 33, 0, 0, type | 0666 | 1L << 32);
            expectOnX86(EPERM, 133, 0, type | 0666);
        }
        for (int type : new int[] {0, 0100000, 0010000, 0140000}) {
            expect(ALLOW, 259, 33, 0, 0, type | 0666);
            expectOnX86(ALLOW, 133, 0, type | 0666);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "UDP, 2, 2, 0",
        "UDP by name, 2, 2, 17",
        "TCP, 2, 1, 0",
        "TCP over IPv6 close-on-exec non-blocking, 10, 0x80801, 6",
        "ping, 2, 2, 1",
        "ping6, 10, 2, 58",
        "routes, 16, 3, 0",
        "routes, 16, 0x80002, 0",
    })
    void allowsOrdinarySockets(String name, int family, int type, int protocol) {
        expect(ALLOW, 41, 198, family, type, protocol);
        assertThat(X86_NO_UNIX.run(AUDIT_ARCH_X86_64, 41, family, type, protocol)).isEqualTo(ALLOW);
    }

    @Property
    void refusesEveryOtherFamily(@ForAll int family, @ForAll int type, @ForAll int protocol) {
        if (family != 1 && family != 2 && family != 10 && family != 16) {
            expect(EAFNOSUPPORT, 41, 198, family, type, protocol);
        }
        if (family != 1) {
            expect(EAFNOSUPPORT, 53, 199, family, type, protocol);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {3, 4, 5, 8, 9, 15, 17, 21, 29, 30, 31, 38, 39, 40, 44, 45})
    void refusesRareFamilies(int family) {
        expect(EAFNOSUPPORT, 41, 198, family, 2, 0);
    }

    @Test
    void refusesRawSocketsAndRareProtocols() {
        expect(EPERM, 41, 198, 2, 3, 1); // SOCK_RAW
        expect(EPERM, 41, 198, 2, 0x80003, 255);
        expect(EPERM, 41, 198, 2, 10, 0x0300); // SOCK_PACKET, which becomes AF_PACKET
        expect(EPERM, 41, 198, 10, 6, 33); // SOCK_DCCP
        expect(EPERM, 41, 198, 2, 5, 132); // SCTP, one to many
        expect(EPROTONOSUPPORT, 41, 198, 2, 1, 132); // SCTP
        expect(EPROTONOSUPPORT, 41, 198, 2, 1, 262); // MPTCP
        expect(EPROTONOSUPPORT, 41, 198, 2, 1, 256); // SMC
        expect(EPROTONOSUPPORT, 41, 198, 2, 2, 136); // UDP-Lite
        expect(EPROTONOSUPPORT, 41, 198, 16, 3, 12); // NETLINK_NETFILTER
        expect(EPROTONOSUPPORT, 41, 198, 16, 3, 6); // NETLINK_XFRM
    }

    @Test
    void givesUnixSocketsOnlyWhereAskedFor() {
        expect(ALLOW, 41, 198, 1, 1, 0);
        expect(ALLOW, 53, 199, 1, 2, 0);

        expectWithoutUnix(EACCES, 41, 198, 1, 1, 0);
        expectWithoutUnix(EACCES, 41, 198, 1, 2, 0);
        expectWithoutUnix(EACCES, 41, 198, 1 | 1L << 32, 1, 0);
        expectWithoutUnix(ALLOW, 53, 199, 1, 1, 0);
        expectWithoutUnix(ALLOW, 53, 199, 1, 0x80805, 0);
        // These can be connected to somebody else afterwards.
        expectWithoutUnix(EACCES, 53, 199, 1, 2, 0);
        expectWithoutUnix(EACCES, 53, 199, 1, 0x80802, 0);
        expectWithoutUnix(EACCES, 53, 199, 1, 3, 0);
        expectWithoutUnix(EAFNOSUPPORT, 53, 199, 30, 1, 0); // TIPC
    }

    @ParameterizedTest
    @EnumSource(Architecture.class)
    void staysSmallAndShort(Architecture architecture) {
        BpfMachine machine = machine(architecture, false);
        int longest = 0;
        for (int number = 0; number < 512; number++) {
            machine.run(architecture.auditArch(), number);
            longest = Math.max(longest, machine.steps());
        }
        assertThat(machine.size()).isLessThan(256);
        assertThat(longest).isLessThan(20);
    }

    @Test
    void describesItselfForReceipts() {
        Seccomp.Options grouped = new Seccomp.Options(true, true);
        assertThat(Seccomp.describe(Architecture.X86_64, grouped))
                .isEqualTo("allow-list of 286 system calls");
        assertThat(Seccomp.describe(Architecture.AARCH64, grouped))
                .isEqualTo("allow-list of 250 system calls");
        assertThat(Seccomp.describe(Architecture.X86_64, new Seccomp.Options(true, false)))
                .isEqualTo("allow-list of 281 system calls");
    }

    @Test
    void knowsTheArchitecturesByTheirJavaNames() {
        assertThat(Architecture.of("amd64")).isEqualTo(Architecture.X86_64);
        assertThat(Architecture.of("aarch64")).isEqualTo(Architecture.AARCH64);
        assertThatThrownBy(() -> Architecture.of("riscv64"))
                .isInstanceOf(NotEnforceable.class)
                .hasMessageContaining("riscv64");
    }

    @Test
    void hasTheNumbersOfTheKernelHeadersForX86() throws IOException {
        compareWithHeader(Path.of("/usr/include/x86_64-linux-gnu/asm/unistd_64.h"), 1);
    }

    @Test
    void hasTheNumbersOfTheKernelHeadersForAarch64() throws IOException {
        compareWithHeader(Path.of("/usr/include/asm-generic/unistd.h"), 2);
    }

    private static void compareWithHeader(Path header, int column) throws IOException {
        assumeTrue(Files.exists(header), header + " is missing: install linux-libc-dev");
        Map<String, Integer> numbers = new HashMap<>();
        Matcher definition =
                Pattern.compile("(?m)^#define __NR(?:3264)?_(\\w+) (\\d+)$")
                        .matcher(Files.readString(header));
        while (definition.find()) {
            numbers.put(definition.group(1), Integer.valueOf(definition.group(2)));
        }
        if (column == 2) {
            numbers.put("newfstatat", numbers.get("fstatat"));
        }
        String rows = Syscalls.ALLOWED + Syscalls.NOT_PERMITTED + Syscalls.ATTACKS;
        int compared = 0;
        for (String row : rows.lines().toList()) {
            String[] cells = row.split(" ", -1);
            if (cells.length == 3 && numbers.containsKey(cells[0]) && !cells[column].equals("-")) {
                assertThat(Integer.valueOf(cells[column]))
                        .as(cells[0])
                        .isEqualTo(numbers.get(cells[0]));
                compared++;
            }
        }
        assertThat(compared).as("rows found in " + header).isGreaterThan(250);
    }

    @ParameterizedTest
    @ValueSource(ints = {26, 50, 51, 52})
    void refusesProgramsForTheKernelOnSockets(int option) {
        expect(EPERM, 54, 208, 3, 1, option);
        expect(EPERM, 54, 208, 3, 1L << 32 | 1, 1L << 32 | option);
        expect(ALLOW, 54, 208, 3, 6, option);
    }

    @Test
    void refusesFiltersOfItsOwnAsAKernelWithoutThemDoes() {
        expect(EINVAL, 317, 277, 1, 0, 4096);
        expect(EINVAL, 317, 277, 1L << 32 | 1, 0, 4096);
        expect(EINVAL, 157, 167, 22, 2, 4096);
        expect(ALLOW, 317, 277, 2, 0, 4096);
    }

    @Test
    void allowsOrdinaryOptionsOfSockets() {
        for (int option : new int[] {2, 4, 7, 8, 9, 13, 20, 21, 27}) {
            expect(ALLOW, 54, 208, 3, 1, option);
        }
    }

    @Test
    void withoutACgroupNothingEscapesWhoeverSumsUpTheProcesses() {
        BpfMachine supervised =
                new BpfMachine(
                        Seccomp.filter(Architecture.X86_64, new Seccomp.Options(true, false)));
        for (int hidden : new int[] {319, 29, 68, 64}) { // memfd_create, shmget, msgget, semget
            assertThat(supervised.run(AUDIT_ARCH_X86_64, hidden)).isEqualTo(ENOSYS);
            assertThat(X86.run(AUDIT_ARCH_X86_64, hidden)).isNotEqualTo(ENOSYS);
        }
        assertThat(supervised.run(AUDIT_ARCH_X86_64, 203)).isEqualTo(EPERM); // sched_setaffinity
        long shared = 0x21; // MAP_SHARED | MAP_ANONYMOUS
        assertThat(supervised.run(AUDIT_ARCH_X86_64, 9, 0, 4096, 3, shared)).isEqualTo(EPERM);
        assertThat(supervised.run(AUDIT_ARCH_X86_64, 9, 0, 4096, 3, 1L << 32 | shared))
                .isEqualTo(EPERM);
        assertThat(supervised.run(AUDIT_ARCH_X86_64, 9, 0, 4096, 3, 0x22)).isEqualTo(ALLOW);
        assertThat(supervised.run(AUDIT_ARCH_X86_64, 9, 0, 4096, 3, 0x01)).isEqualTo(ALLOW);
        assertThat(X86.run(AUDIT_ARCH_X86_64, 9, 0, 4096, 3, shared)).isEqualTo(ALLOW);
    }

    private static BpfMachine machine(Architecture architecture, boolean unixSockets) {
        return new BpfMachine(Seccomp.filter(architecture, new Seccomp.Options(unixSockets, true)));
    }

    private static void expect(int verdict, int x86, int arm, long... arguments) {
        expectOnX86(verdict, x86, arguments);
        assertThat(ARM.run(AUDIT_ARCH_AARCH64, arm, arguments)).as("aarch64").isEqualTo(verdict);
    }

    private static void expectOnX86(int verdict, int number, long... arguments) {
        assertThat(X86.run(AUDIT_ARCH_X86_64, number, arguments)).as("x86_64").isEqualTo(verdict);
    }

    private static void expectWithoutUnix(int verdict, int x86, int arm, long... arguments) {
        assertThat(X86_NO_UNIX.run(AUDIT_ARCH_X86_64, x86, arguments)).isEqualTo(verdict);
        assertThat(ARM_NO_UNIX.run(AUDIT_ARCH_AARCH64, arm, arguments)).isEqualTo(verdict);
    }
}
