package dev.glovebox.sandbox.conformance;

/**
 * What a wall may promise beside the contract. A tier promises all of it unless it says, with a
 * reason, what it does not.
 */
public enum Promise {
    /** Its programs run on this machine, where the host knows their user. */
    THIS_MACHINE,
    /** Runs any command that the box has, not only source in a language. */
    COMMANDS,
    /** Nothing is reached that the policy does not name: no host, no loopback, no socket. */
    NETWORK_CONFINED,
    /** Single hosts can be allowed, through a gate that sees and records every connection. */
    EGRESS_GATED,
    /** No file of the host is seen or changed but those that the policy grants. */
    FILES_CONFINED,
    /** Folders of the host can be shown, as the policy grants them. */
    FILES_GRANTED,
    /** No process of the host is seen, signalled or asked for its environment. */
    PROCESSES_HIDDEN,
    /** Memory is bounded over all processes of the box together, by the kernel. */
    TREE_MEMORY,
    /** A program gets all of its memory, even if it is little. */
    LITTLE_MEMORY,
    /** The memory and the time of processors that a result tells are the kernel's own count. */
    USAGE_EXACT,
    /** More than the disk limit cannot be written, not even for a moment. */
    HARD_DISK,
    /** Folders of the host are written to no faster than the policy says, by the kernel. */
    DISK_RATE,
    /** No more processes than allowed can exist, not even for a moment. */
    HARD_PROCESSES,
    /** No capability, no setuid, no host root, no way to gain any. */
    NO_PRIVILEGES,
    /** System calls that programs do not need are refused. */
    SYSCALLS_FILTERED,
    /** A daemon that hides from us, with another session and environment, is ended all the same. */
    HIDDEN_DAEMONS_KILLED,
    /** The inside looks as in the jail: its folders, process numbers and users, and no more. */
    JAIL_LAYOUT
}
