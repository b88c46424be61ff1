package dev.glovebox.sandbox.internal;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The system calls that the filter decides by their number alone.
 *
 * <p>Each row is a name, its number on x86_64 and its number on aarch64, or a dash where it does
 * not exist. The numbers are those of Linux 6.18 ({@code syscall_64.tbl} and {@code
 * scripts/syscall.tbl}); a test compares them with the headers of the machine.
 *
 * <p>Rows in the class file, read byte by byte without a map or a string for each: every start of
 * the command does it in a JVM that still interprets.
 */
final class Syscalls {

    /**
     * Allowed: what programs compute, read, write and wait with.
     *
     * <p>Changing one's user, groups or capabilities is here because a program in a jail has none
     * to give: it can only drop them. Landlock is here because its rules can only refuse more.
     */
    static final String ALLOWED =
            """
            read 0 63
            write 1 64
            readv 19 65
            writev 20 66
            pread64 17 67
            pwrite64 18 68
            preadv 295 69
            pwritev 296 70
            preadv2 327 286
            pwritev2 328 287
            lseek 8 62
            close 3 57
            close_range 436 436
            stat 4 -
            fstat 5 80
            lstat 6 -
            newfstatat 262 79
            statx 332 291
            access 21 -
            faccessat 269 48
            faccessat2 439 439
            statfs 137 43
            fstatfs 138 44
            getdents 78 -
            getdents64 217 61
            getcwd 79 17
            chdir 80 49
            fchdir 81 50
            mkdir 83 -
            mkdirat 258 34
            rmdir 84 -
            rename 82 -
            renameat 264 38
            renameat2 316 276
            link 86 -
            linkat 265 37
            unlink 87 -
            unlinkat 263 35
            symlink 88 -
            symlinkat 266 36
            readlink 89 -
            readlinkat 267 78
            chown 92 -
            fchown 93 55
            lchown 94 -
            fchownat 260 54
            umask 95 166
            utime 132 -
            utimes 235 -
            futimesat 261 -
            utimensat 280 88
            truncate 76 45
            ftruncate 77 46
            fallocate 285 47
            fsync 74 82
            fdatasync 75 83
            sync 162 81
            syncfs 306 267
            sync_file_range 277 84
            fcntl 72 25
            flock 73 32
            dup 32 23
            dup2 33 -
            dup3 292 24
            pipe 22 -
            pipe2 293 59
            sendfile 40 71
            splice 275 76
            tee 276 77
            vmsplice 278 75
            copy_file_range 326 285
            readahead 187 213
            fadvise64 221 223
            setxattr 188 5
            lsetxattr 189 6
            fsetxattr 190 7
            setxattrat 463 463
            getxattr 191 8
            lgetxattr 192 9
            fgetxattr 193 10
            getxattrat 464 464
            listxattr 194 11
            llistxattr 195 12
            flistxattr 196 13
            listxattrat 465 465
            removexattr 197 14
            lremovexattr 198 15
            fremovexattr 199 16
            removexattrat 466 466
            inotify_init 253 -
            inotify_init1 294 26
            inotify_add_watch 254 27
            inotify_rm_watch 255 28

            poll 7 -
            ppoll 271 73
            select 23 -
            pselect6 270 72
            epoll_create 213 -
            epoll_create1 291 20
            epoll_ctl 233 21
            epoll_wait 232 -
            epoll_pwait 281 22
            epoll_pwait2 441 441
            eventfd 284 -
            eventfd2 290 19
            signalfd 282 -
            signalfd4 289 74
            timerfd_create 283 85
            timerfd_settime 286 86
            timerfd_gettime 287 87

            munmap 11 215
            mprotect 10 226
            mremap 25 216
            msync 26 227
            mincore 27 232
            madvise 28 233
            brk 12 214
            mlock 149 228
            mlock2 325 284
            munlock 150 229
            mlockall 151 230
            munlockall 152 231
            mseal 462 462
            map_shadow_stack 453 453
            pkey_alloc 330 289
            pkey_free 331 290
            pkey_mprotect 329 288
            membarrier 324 283
            mbind 237 235
            set_mempolicy 238 237
            get_mempolicy 239 236
            set_mempolicy_home_node 450 450

            fork 57 -
            vfork 58 -
            execve 59 221
            execveat 322 281
            exit 60 93
            exit_group 231 94
            wait4 61 260
            waitid 247 95
            getpid 39 172
            gettid 186 178
            getppid 110 173
            setpgid 109 154
            getpgid 121 155
            getpgrp 111 -
            setsid 112 157
            getsid 124 156
            pidfd_open 434 434
            pidfd_send_signal 424 424
            kill 62 129
            tkill 200 130
            tgkill 234 131
            rt_sigaction 13 134
            rt_sigprocmask 14 135
            rt_sigreturn 15 139
            rt_sigpending 127 136
            rt_sigtimedwait 128 137
            rt_sigsuspend 130 133
            rt_sigqueueinfo 129 138
            rt_tgsigqueueinfo 297 240
            sigaltstack 131 132
            pause 34 -
            restart_syscall 219 128
            futex 202 98
            futex_waitv 449 449
            futex_wait 455 455
            futex_wake 454 454
            futex_requeue 456 456
            set_robust_list 273 99
            get_robust_list 274 100
            set_tid_address 218 96
            rseq 334 293
            arch_prctl 158 -
            sched_yield 24 124
            sched_getaffinity 204 123
            sched_getparam 143 121
            sched_setparam 142 118
            sched_getscheduler 145 120
            sched_setscheduler 144 119
            sched_getattr 315 275
            sched_setattr 314 274
            sched_rr_get_interval 148 127
            sched_get_priority_max 146 125
            sched_get_priority_min 147 126
            getcpu 309 168
            getpriority 140 141
            setpriority 141 140
            ioprio_get 252 31
            ioprio_set 251 30
            getrlimit 97 163
            setrlimit 160 164
            prlimit64 302 261
            getrusage 98 165
            times 100 153

            getuid 102 174
            geteuid 107 175
            getgid 104 176
            getegid 108 177
            getresuid 118 148
            getresgid 120 150
            getgroups 115 158
            setuid 105 146
            setgid 106 144
            setreuid 113 145
            setregid 114 143
            setresuid 117 147
            setresgid 119 149
            setfsuid 122 151
            setfsgid 123 152
            setgroups 116 159
            capget 125 90
            capset 126 91
            landlock_create_ruleset 444 444
            landlock_add_rule 445 445
            landlock_restrict_self 446 446

            clock_gettime 228 113
            clock_getres 229 114
            clock_nanosleep 230 115
            nanosleep 35 101
            gettimeofday 96 169
            time 201 -
            alarm 37 -
            getitimer 36 102
            setitimer 38 103
            timer_create 222 107
            timer_settime 223 110
            timer_gettime 224 108
            timer_getoverrun 225 109
            timer_delete 226 111
            uname 63 160
            sysinfo 99 179
            getrandom 318 278

            connect 42 203
            accept 43 202
            accept4 288 242
            bind 49 200
            listen 50 201
            shutdown 48 210
            getsockname 51 204
            getpeername 52 205
            getsockopt 55 209
            sendto 44 206
            recvfrom 45 207
            sendmsg 46 211
            recvmsg 47 212
            sendmmsg 307 269
            recvmmsg 299 243
            shmat 30 196
            shmdt 67 197
            shmctl 31 195
            semop 65 193
            semtimedop 220 192
            semctl 66 191
            msgsnd 69 189
            msgrcv 70 188
            msgctl 71 187
            mq_open 240 180
            mq_unlink 241 181
            mq_timedsend 242 182
            mq_timedreceive 243 183
            mq_notify 244 184
            mq_getsetattr 245 185
            """;

    /**
     * Refused with {@code EPERM}: debuggers, profilers, allocators, key stores and shell scripts
     * try these, and say something sensible when they may not.
     */
    static final String NOT_PERMITTED =
            """
            ptrace 101 117
            process_vm_readv 310 270
            process_vm_writev 311 271
            kcmp 312 272
            pidfd_getfd 438 438
            perf_event_open 298 241
            userfaultfd 323 282
            unshare 272 97
            chroot 161 51
            name_to_handle_at 303 264
            fanotify_init 300 262
            fanotify_mark 301 263
            quotactl 179 60
            quotactl_fd 443 443
            migrate_pages 256 238
            move_pages 279 239
            add_key 248 217
            request_key 249 218
            keyctl 250 219
            syslog 103 116
            settimeofday 164 170
            clock_settime 227 112
            clock_adjtime 305 266
            adjtimex 159 171
            sethostname 170 161
            setdomainname 171 162
            """;

    /** Killed for: nobody calls these without the wish to change or to leave the system. */
    static final String ATTACKS =
            """
            kexec_load 246 104
            kexec_file_load 320 294
            init_module 175 105
            finit_module 313 273
            delete_module 176 106
            bpf 321 280
            open_by_handle_at 304 265
            mount 165 40
            umount2 166 39
            move_mount 429 429
            mount_setattr 442 442
            open_tree 428 428
            open_tree_attr 467 467
            fsopen 430 430
            fsconfig 431 431
            fsmount 432 432
            fspick 433 433
            pivot_root 155 41
            setns 308 268
            swapon 167 224
            swapoff 168 225
            reboot 169 142
            acct 163 89
            vhangup 153 58
            iopl 172 -
            ioperm 173 -
            """;

    private static final int LAST_COLUMN = 2;

    /** A name, a digit and a digit, with a space or a line's end after each. */
    private static final int SHORTEST_ROW = 6;

    private Syscalls() {}

    /** The numbers in rows like the ones above, without the calls that the architecture lacks. */
    static int[] numbers(String rows, Architecture architecture) {
        byte[] text = rows.getBytes(StandardCharsets.ISO_8859_1);
        int[] numbers = new int[text.length / SHORTEST_ROW + 1];
        int count = 0;
        int column = 0;
        int at = 0;
        while (at < text.length) {
            int start = at;
            while (at < text.length && text[at] > ' ') {
                at++;
            }
            if (at > start) {
                if (column == architecture.column() && text[start] != '-') {
                    numbers[count++] = decimal(text, start, at);
                }
                column = column == LAST_COLUMN ? 0 : column + 1;
            }
            at++;
        }
        return Arrays.copyOf(numbers, count);
    }

    private static int decimal(byte[] text, int from, int to) {
        int number = 0;
        for (int at = from; at < to; at++) {
            number = number * 10 + text[at] - '0';
        }
        return number;
    }
}
