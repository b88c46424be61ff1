package dev.glovebox.sandbox.internal;

/** A system call that failed; told to users as one of the public exceptions. */
final class KernelException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final int errno;

    KernelException(int errno, String doing) {
        super(doing + " failed: " + name(errno));
        this.errno = errno;
    }

    int errno() {
        return errno;
    }

    static String name(int errno) {
        return switch (errno) {
            case Kernel.EPERM -> "operation not permitted";
            case Kernel.ENOENT -> "no such file or directory";
            case Kernel.EACCES -> "permission denied";
            case Kernel.EEXIST -> "it exists already";
            case Kernel.EXDEV -> "it leads out of the box";
            case Kernel.ENOTDIR -> "not a directory";
            case Kernel.EISDIR -> "it is a directory";
            case Kernel.ENOSPC -> "no space left in the scratch";
            case Kernel.ENOTEMPTY -> "directory not empty";
            case Kernel.ELOOP -> "there is a symbolic link on the way";
            default -> "error " + errno;
        };
    }
}
