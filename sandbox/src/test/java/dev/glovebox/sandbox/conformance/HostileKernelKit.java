package dev.glovebox.sandbox.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.glovebox.sandbox.Outcome;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Programs that go for the kernel: for its rarely used doors, and for privileges. */
public abstract class HostileKernelKit extends HostileKit {

    @Test
    void nothingCanBeMountedOrUnmounted() {
        promised(Promise.SYSCALLS_FILTERED);
        Attack attack =
                attack(
                        """
                        apart('mount', lambda: syscall(165, 40, b'tmpfs', b'/tmp', b'tmpfs', 0, 0))
                        apart('remount', lambda: syscall(165, 40, b'', b'/', b'', 32, 0))
                        apart('bind', lambda: syscall(165, 40, b'/proc', b'/tmp', b'', 4096, 0))
                        apart('cgroup', lambda: syscall(165, 40, b'c', b'/tmp', b'cgroup', 0, b'memory'))
                        apart('umount2', lambda: syscall(166, 39, b'/tmp', 2))
                        apart('pivot_root', lambda: syscall(155, 41, b'/tmp', b'/tmp'))
                        apart('move_mount', lambda: syscall(429, 429, 0, b'', 0, b'/tmp', 4))
                        apart('open_tree', lambda: syscall(428, 428, -100, b'/', 1))
                        apart('fsopen', lambda: syscall(430, 430, b'tmpfs', 0))
                        apart('fsmount', lambda: syscall(432, 432, 0, 0, 0))
                        apart('mount_setattr', lambda: syscall(442, 442, -100, b'/', 0, 0, 0))
                        apart('chroot', lambda: os.chroot('/tmp'))
                        """);
        assertThat(attack.told())
                .isEqualTo(
                        Map.ofEntries(
                                Map.entry("mount", "SIGSYS"),
                                Map.entry("remount", "SIGSYS"),
                                Map.entry("bind", "SIGSYS"),
                                Map.entry("cgroup", "SIGSYS"),
                                Map.entry("umount2", "SIGSYS"),
                                Map.entry("pivot_root", "SIGSYS"),
                                Map.entry("move_mount", "SIGSYS"),
                                Map.entry("open_tree", "SIGSYS"),
                                Map.entry("fsopen", "SIGSYS"),
                                Map.entry("fsmount", "SIGSYS"),
                                Map.entry("mount_setattr", "SIGSYS"),
                                Map.entry("chroot", "EPERM")));
    }

    @Test
    void noFurtherNamespacesCanBeMadeOrEntered() {
        promised(Promise.SYSCALLS_FILTERED);
        Attack attack =
                attack(
                        """
                        flags = dict(mount=0x20000, cgroup=0x2000000, uts=0x4000000, ipc=0x8000000,
                                     user=0x10000000, pid=0x20000000, net=0x40000000, time=0x80)
                        for name, flag in flags.items():
                            apart('unshare ' + name, lambda: syscall(272, 97, flag))
                            if name != 'time':
                                apart('clone ' + name, lambda: syscall(56, 220, flag | 17, 0, 0, 0, 0))
                        apart('clone3', lambda: syscall(435, 435, ctypes.create_string_buffer(88), 88))
                        for name in 'mnt', 'pid', 'net', 'user':
                            apart('setns ' + name, lambda: syscall(
                                308, 268, os.open('/proc/self/ns/' + name, os.O_RDONLY), 0))
                        """);
        assertThat(attack.told()).hasSize(8 + 7 + 1 + 4);
        attack.told()
                .forEach((name, answer) ->
                        assertThat(answer)
                                .as(name)
                                .isEqualTo(
                                        name.equals("clone3")
                                                ? "ENOSYS"
                                                : name.startsWith("setns") ? "SIGSYS" : "EPERM"));
    }

    @Test
    void theRarelyUsedDoorsOfTheKernelAreShut() {
        promised(Promise.SYSCALLS_FILTERED);
        Attack attack =
                attack(
                        """
                        import socket
                        room = ctypes.create_string_buffer(256)
                        apart('bpf', lambda: syscall(321, 280, 0, room, 128))
                        apart('perf_event_open', lambda: syscall(298, 241, room, 0, -1, -1, 0))
                        apart('userfaultfd', lambda: syscall(323, 282, 0))
                        apart('io_uring_setup', lambda: syscall(425, 425, 8, room))
                        apart('io_setup', lambda: syscall(206, 0, 8, room))
                        apart('keyctl', lambda: syscall(250, 219, 0, -3, 1))
                        apart('add_key', lambda: syscall(248, 217, b'user', b'x', b'y', 1, -3))
                        apart('request_key', lambda: syscall(249, 218, b'user', b'x', 0, -3))
                        apart('name_to_handle_at', lambda: syscall(303, 264, -100, b'/', room, room, 0))
                        apart('open_by_handle_at', lambda: syscall(304, 265, 0, room, 0))
                        apart('kexec_load', lambda: syscall(246, 104, 0, 0, 0, 0))
                        apart('init_module', lambda: syscall(175, 105, room, 8, b''))
                        apart('finit_module', lambda: syscall(313, 273, 0, b'', 0))
                        apart('delete_module', lambda: syscall(176, 106, b'x', 0))
                        apart('swapon', lambda: syscall(167, 224, b'/tmp/x', 0))
                        apart('reboot', lambda: syscall(169, 142, 0xfee1dead, 672274793, 0, 0))
                        apart('acct', lambda: syscall(163, 89, b'/tmp/x'))
                        apart('personality', lambda: syscall(135, 92, 0x0040000))
                        apart('syslog', lambda: syscall(103, 116, 3, room, 8))
                        apart('clock_settime', lambda: syscall(227, 112, 0, room))
                        apart('sethostname', lambda: syscall(170, 161, b'x', 1))
                        apart('quotactl', lambda: syscall(179, 60, 0, b'/', 0, 0))
                        apart('fanotify_init', lambda: syscall(300, 262, 0, 0))
                        # return 0
                        words = ctypes.create_string_buffer(bytes([6, 0, 0, 0, 0, 0, 0, 0]))
                        program = ctypes.create_string_buffer(bytes([1, 0, 0, 0, 0, 0, 0, 0])
                            + ctypes.addressof(words).to_bytes(8, 'little'))
                        for name, option in ('filter', 26), ('port filter', 51):
                            apart(name, lambda: socket.socket(socket.AF_INET, socket.SOCK_DGRAM).setsockopt(
                                socket.SOL_SOCKET, option, program.raw[:16]))
                        apart('seccomp', lambda: syscall(317, 277, 1, 0, program))
                        apart('seccomp by prctl', lambda: syscall(157, 167, 22, 2, program, 0, 0))
                        """);
        Map<String, String> answers = new TreeMap<>(attack.told());
        for (String deadly :
                "bpf open_by_handle_at kexec_load init_module finit_module delete_module swapon reboot acct"
                        .split(" ")) {
            assertThat(answers.remove(deadly)).as(deadly).isEqualTo("SIGSYS");
        }
        assertThat(answers.remove("io_uring_setup")).isEqualTo("ENOSYS");
        assertThat(answers.remove("io_setup")).isEqualTo("ENOSYS");
        assertThat(answers.remove("seccomp")).isEqualTo("EINVAL");
        assertThat(answers.remove("seccomp by prctl")).isEqualTo("EINVAL");
        assertThat(answers).hasSize(14);
        assertThat(answers.values()).as(answers.toString()).containsOnly("EPERM");
    }

    @Test
    void noOtherProcessCanBeTraced() {
        promised(Promise.SYSCALLS_FILTERED);
        Attack attack =
                attack(
                        """
                        room = ctypes.create_string_buffer(64)
                        apart('ask', lambda: syscall(101, 117, 0, 0, 0, 0))
                        apart('seize', lambda: syscall(101, 117, 0x4206, 1, 0, 0))
                        apart('attach', lambda: syscall(101, 117, 16, 2, 0, 0))
                        apart('read', lambda: syscall(310, 270, 1, room, 1, room, 1, 0))
                        apart('write', lambda: syscall(311, 271, 1, room, 1, room, 1, 0))
                        apart('descriptor', lambda: syscall(438, 438, os.pidfd_open(1), 0, 0))
                        apart('compare', lambda: syscall(312, 272, 1, 2, 0, 0, 0))
                        """);
        assertThat(attack.told()).hasSize(7);
        assertThat(attack.told().values()).containsOnly("EPERM");
    }

    @Test
    void whatOnlyAnAttackerCallsEndsTheProgramAsDenied() {
        promised(Promise.SYSCALLS_FILTERED);
        Attack attack = attack(policy(), "tell('tried', 'bpf')\nsyscall(321, 280, 0, 0, 0)\n");
        assertThat(attack.answer("tried")).isEqualTo("bpf");
        assertThat(attack.outcome()).isInstanceOf(Outcome.Denied.class);
        assertThat(((Outcome.Denied) attack.outcome()).rule()).isEqualTo("seccomp");
    }

    @Test
    void callsOfAnotherArchitectureEndTheProgram() {
        promised(Promise.SYSCALLS_FILTERED);
        assumeTrue(
                System.getProperty("os.arch").equals("amd64"),
                "Only x86_64 can make 32-bit calls from 64-bit code");
        Attack attack =
                attack(
                        """
                        import mmap
                        def i386(number):
                            code = mmap.mmap(-1, 4096, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS, prot=7)
                            # push rbx; mov eax, number; xor ebx, ebx; int 0x80; pop rbx; ret
                            code.write(bytes([0x53, 0xb8, number, 0, 0, 0, 0x31, 0xdb, 0xcd, 0x80, 0x5b, 0xc3]))
                            address = ctypes.addressof(ctypes.c_char.from_buffer(code))
                            return ctypes.CFUNCTYPE(ctypes.c_int)(address)()
                        apart('i386 getpid', lambda: i386(20))
                        apart('i386 mount', lambda: i386(21))
                        apart('x32 getpid', lambda: syscall(0x40000000 | 39, 0))
                        apart('x32 ioctl', lambda: syscall(0x40000000 | 514, 0))
                        """);
        assertThat(attack.told()).hasSize(4);
        // A kernel without the 32-bit ABI does not know the interrupt.
        assertThat(attack.answer("i386 getpid")).isIn("SIGSYS", "SIGSEGV");
        assertThat(attack.answer("i386 mount")).isIn("SIGSYS", "SIGSEGV");
        assertThat(attack.answer("x32 getpid")).isEqualTo("SIGSYS");
        assertThat(attack.answer("x32 ioctl")).isEqualTo("SIGSYS");
    }

    @Test
    void nothingCanBeTypedIntoATerminal() {
        promised(Promise.SYSCALLS_FILTERED);
        Attack attack =
                attack(
                        """
                        letter = ctypes.create_string_buffer(b'x')
                        for fd in 0, 1, 2:
                            apart(f'TIOCSTI {fd}', lambda: syscall(16, 29, fd, 0x5412, letter))
                            apart(f'high bits {fd}', lambda: syscall(16, 29, fd, 0x5412 | 1 << 32, letter))
                            apart(f'TIOCLINUX {fd}', lambda: syscall(16, 29, fd, 0x541c, letter))
                        attempt('terminal', lambda: os.open('/dev/tty', os.O_RDWR))
                        attempt('console', lambda: os.open('/dev/console', os.O_RDWR))
                        attempt('ptmx', lambda: os.open('/dev/ptmx', os.O_RDWR))
                        """);
        assertThat(attack.told()).hasSize(12);
        boolean noTerminals = !notPromised().containsKey(Promise.JAIL_LAYOUT);
        attack.told()
                .forEach((name, answer) -> {
                    if (name.matches(".*\\d")) {
                        assertThat(answer).as(name).isEqualTo("EPERM");
                    } else if (noTerminals) {
                        assertThat(answer).as(name).isEqualTo("ENOENT");
                    }
                });
    }

    @Test
    void noFileCanBeMadeThatRunsWithMoreRights() {
        promised(Promise.NO_PRIVILEGES);
        Attack attack =
                attack(
                        """
                        import shutil
                        shutil.copy('/bin/bash', 'mine')
                        attempt('setuid', lambda: os.chmod('mine', 0o4755))
                        attempt('setgid', lambda: os.chmod('mine', 0o2755))
                        attempt('at birth', lambda: os.open('born', os.O_CREAT | os.O_WRONLY, 0o4755))
                        attempt('by node', lambda: os.mknod('node', 0o104755))
                        attempt('block device', lambda: os.mknod('disk', 0o60600, os.makedev(254, 0)))
                        attempt('char device', lambda: os.mknod('mem', 0o20600, os.makedev(1, 1)))
                        attempt('capability', lambda: os.setxattr(
                            'mine', 'security.capability', bytes.fromhex('0100000200ffffffff00000000000000000000')[:20]))
                        attempt('owner', lambda: os.chown('mine', 0, 0))
                        tell('mode', oct(os.stat('mine').st_mode))
                        """);
        for (String name :
                "setuid,setgid,at birth,by node,block device,char device,capability".split(",")) {
            assertThat(attack.answer(name)).as(name).isIn("EPERM", "EINVAL");
        }
        assertThat(attack.answer("owner")).isIn("EPERM", "EINVAL");
        assertThat(attack.answer("mode")).isEqualTo("0o100755");
    }

    @Test
    void setuidProgramsOfTheHostGiveNoRights() {
        promised(Promise.JAIL_LAYOUT);
        promised(Promise.NO_PRIVILEGES);
        Attack attack =
                attack(
                        """
                        import subprocess, stat
                        marked = [p.path for d in ('/usr/bin', '/usr/sbin') for p in os.scandir(d)
                                  if p.is_file() and p.stat().st_mode & stat.S_ISUID]
                        tell('marked', len(marked))
                        for path in ('/usr/bin/su', '/usr/bin/mount', '/usr/bin/newgrp', '/usr/bin/passwd'):
                            if os.path.exists(path):
                                child = subprocess.Popen([path], stdin=subprocess.DEVNULL,
                                    stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
                                child.wait()
                                tell('ran ' + path, child.returncode)
                        tell('as root', subprocess.run(['/usr/bin/su', '-c', 'id -u'],
                            stdin=subprocess.DEVNULL, capture_output=True).stdout)
                        attempt('setuid', lambda: os.setuid(0))
                        attempt('setgid', lambda: os.setgid(0))
                        attempt('setgroups', lambda: os.setgroups([0]))
                        header = (ctypes.c_uint32 * 2)(0x20080522, 0)
                        attempt('capset', lambda: syscall(126, 91, header, (ctypes.c_uint32 * 6)(*[0xffffffff] * 6)))
                        status = {line.split(':')[0]: line.split(':')[1].strip() for line in open('/proc/self/status')}
                        tell('uids', status['Uid'])
                        tell('capabilities', status['CapPrm'] + status['CapEff'] + status['CapBnd'] + status['CapAmb'])
                        tell('no new privileges', status['NoNewPrivs'])
                        """);
        assertThat(attack.answer("as root")).isEqualTo("b''");
        assertThat(attack.answer("setuid")).isIn("EPERM", "EINVAL");
        assertThat(attack.answer("setgid")).isIn("EPERM", "EINVAL");
        assertThat(attack.answer("setgroups")).isIn("EPERM", "EINVAL");
        assertThat(attack.answer("capset")).isEqualTo("EPERM");
        assertThat(attack.answer("uids").split("\t")).doesNotContain("0").hasSize(4);
        assertThat(attack.answer("capabilities")).matches("0+");
        assertThat(attack.answer("no new privileges")).isEqualTo("1");
    }

    @Test
    void theKernelsSettingsCannotBeChanged() {
        promised(Promise.NO_PRIVILEGES);
        Attack attack =
                attack(
                        """
                        def write(path, text):
                            with open(path, 'w') as file:
                                file.write(text)
                        for name in ('kernel/core_pattern', 'kernel/hostname', 'kernel/modprobe', 'vm/overcommit_memory',
                                     'kernel/pid_max', 'net/ipv4/ip_forward', 'kernel/ns_last_pid', 'kernel/shmmax',
                                     'fs/mqueue/msg_max'):
                            attempt(name, lambda: write('/proc/sys/' + name, '1'))
                        def rewrite(path):
                            try:
                                text = open(path).read()
                                write(path, text)
                                return True
                            except OSError:
                                return False
                        tell('writable', [os.path.join(top, name) for top, _, names in os.walk('/proc/sys')
                                          for name in names if rewrite(os.path.join(top, name))])
                        attempt('sysrq-trigger', lambda: write('/proc/sysrq-trigger', 'b'))
                        # Where it is hidden, nothing is in it.
                        attempt('timer_list', lambda: open('/proc/timer_list').read(1) or os.stat('/nowhere'))
                        attempt('uid_map', lambda: write('/proc/self/uid_map', '0 0 1'))
                        attempt('setgroups', lambda: write('/proc/self/setgroups', 'allow'))
                        attempt('oom score', lambda: write('/proc/self/oom_score_adj', '-1'))
                        """);
        assertThat(attack.answer("writable")).isEqualTo("[]");
        assertThat(attack.told().size()).isGreaterThanOrEqualTo(13);
        attack.told()
                .forEach((name, answer) -> {
                    if (!name.equals("writable")) {
                        assertThat(answer).as(name).isIn("EACCES", "EPERM", "EROFS", "ENOENT");
                    }
                });
        assertThat(attack.answer("oom score")).isEqualTo("EACCES");
    }

    @Test
    void noPriorityOverTheHostCanBeHad() {
        promised(Promise.NO_PRIVILEGES);
        Attack attack =
                attack(
                        """
                        attempt('nice', lambda: os.setpriority(os.PRIO_PROCESS, 0, -5))
                        attempt('fifo', lambda: os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1)))
                        attempt('round robin', lambda: os.sched_setscheduler(0, os.SCHED_RR, os.sched_param(99)))
                        deadline = ctypes.create_string_buffer((48).to_bytes(4, 'little') + (6).to_bytes(4, 'little')
                            + bytes(16) + (10**7).to_bytes(8, 'little') * 3, 48)
                        attempt('deadline', lambda: syscall(314, 274, 0, deadline, 0))
                        attempt('io', lambda: syscall(251, 30, 1, 0, 1 << 13))
                        import resource
                        for name in 'NOFILE', 'CPU', 'FSIZE', 'CORE':
                            try:
                                resource.setrlimit(getattr(resource, 'RLIMIT_' + name), (-1, -1))
                                tell(name, 'done')
                            except ValueError as e:
                                tell(name, e)
                        """);
        assertThat(attack.answer("nice")).isEqualTo("EACCES");
        assertThat(attack.answer("fifo")).isEqualTo("EPERM");
        assertThat(attack.answer("round robin")).isEqualTo("EPERM");
        assertThat(attack.answer("deadline")).isEqualTo("EPERM");
        assertThat(attack.answer("io")).isEqualTo("EPERM");
        for (String limit : "NOFILE CPU FSIZE CORE".split(" ")) {
            assertThat(attack.answer(limit)).as(limit).contains("not allowed to raise");
        }
    }

    @Test
    void aCrashLeavesNoCoreAnywhere() {
        Attack attack =
                attack(
                        """
                        import resource
                        tell('limit', resource.getrlimit(resource.RLIMIT_CORE))
                        apart('crash', lambda: ctypes.string_at(0))
                        apart('abort', lambda: os.abort())
                        tell('files', [name for name in os.listdir('.') if 'core' in name])
                        """);
        assertThat(attack.answer("limit")).isEqualTo("(0, 0)");
        assertThat(attack.answer("crash")).isEqualTo("SIGSEGV");
        assertThat(attack.answer("abort")).isEqualTo("SIGABRT");
        assertThat(attack.answer("files")).isEqualTo("[]");
    }

    @Test
    void noControlGroupIsInReach() {
        promised(Promise.JAIL_LAYOUT);
        promised(Promise.FILES_CONFINED);
        Attack attack =
                attack(
                        """
                        attempt('/sys', lambda: os.listdir('/sys'))
                        attempt('/sys/fs/cgroup', lambda: os.listdir('/sys/fs/cgroup'))
                        attempt('release_agent', lambda: open('/sys/fs/cgroup/memory/release_agent', 'w'))
                        groups = {line.rstrip().split(':', 2)[2] for line in open('/proc/self/cgroup')}
                        tell('groups', groups)
                        """);
        assertThat(attack.answer("/sys")).isEqualTo("ENOENT");
        assertThat(attack.answer("/sys/fs/cgroup")).isEqualTo("ENOENT");
        assertThat(attack.answer("release_agent")).isEqualTo("ENOENT");
        assertThat(attack.answer("groups")).as("paths of the host's groups").isEqualTo("{'/'}");
    }
}
