package dev.glovebox.sandbox;

/**
 * One control as it was found in force.
 *
 * @param name what it bounds, such as {@code memory} or {@code seccomp}
 * @param value what was in force, read back from the system
 * @param by the mechanism that enforces it, such as {@code tree, cgroup v1}
 */
public record Control(String name, String value, String by) {

    @Override
    public String toString() {
        return name + " " + value + ": " + by;
    }
}
