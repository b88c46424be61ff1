package dev.glovebox.sandbox.wasm;

/** Errors of WASI preview 1 that this tier answers with; the numbers are the standard's. */
enum Errno {
    E2BIG(1),
    EBADF(8),
    EEXIST(20),
    EFAULT(21),
    EFBIG(22),
    EINVAL(28),
    EISDIR(31),
    EMFILE(33),
    ENAMETOOLONG(37),
    ENOENT(44),
    ENOSPC(51),
    ENOSYS(52),
    ENOTDIR(54),
    ENOTEMPTY(55),
    ENOTSOCK(57),
    ENOTSUP(58),
    EPERM(63),
    ESPIPE(70),
    ENOTCAPABLE(76);

    private final int number;

    Errno(int number) {
        this.number = number;
    }

    int number() {
        return number;
    }

    Failure failure() {
        return new Failure(this);
    }

    /** What a host function throws to answer with an error; has no stack trace, guests cause it. */
    static final class Failure extends RuntimeException {

        private static final long serialVersionUID = 1L;

        private final Errno errno;

        private Failure(Errno errno) {
            super(errno.name(), null, false, false);
            this.errno = errno;
        }

        Errno errno() {
            return errno;
        }
    }
}
