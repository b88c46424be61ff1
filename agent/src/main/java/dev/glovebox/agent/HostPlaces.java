package dev.glovebox.agent;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/** Tells the places of a host from routes, imports and other words that stand behind a slash. */
final class HostPlaces {

    /** With anything in them. */
    private static final Set<String> DIRECTORIES =
            Set.of(
                    "etc",
                    "proc",
                    "sys",
                    "root",
                    "boot",
                    "hostfs",
                    "var/run",
                    "var/lib",
                    "var/log",
                    "var/spool",
                    "private/etc",
                    "private/var",
                    "mnt/c",
                    "mnt/host",
                    "c/users",
                    "c/windows",
                    "cygdrive/c",
                    "windows/system32",
                    "lib/modules",
                    "library/keychains");

    /** Also by themselves; the others are ordinary words after a slash. */
    private static final Set<String> THEMSELVES = Set.of("etc", "proc", "root");

    /** What every box has of its own, and programs read without harm. */
    private static final Set<String> HARMLESS =
            Set.of(
                    "etc/os-release",
                    "etc/localtime",
                    "etc/timezone",
                    "etc/mime.types",
                    "etc/ssl/certs",
                    "proc/cpuinfo",
                    "proc/meminfo",
                    "proc/stat",
                    "proc/uptime",
                    "proc/loadavg",
                    "proc/version",
                    "proc/self/status",
                    "proc/self/stat",
                    "proc/self/statm");

    /**
     * Of programs there are folders of these names as well, and routes; so not anything in them.
     */
    private static final Pattern WORDS =
            Pattern.compile(
                    "U(?:sers|SERS)/[^/].*"
                            + "|(?i:run/(?:secrets|credentials|keys|user|systemd|udev|dbus|log|lock|containerd|docker|podman|crio|postgresql|mysqld)(?:/.*)?"
                            + "|run/.*\\.(?:sock|socket|pid)"
                            + "|dev/(?:(?:sd|hd|vd|xvd|nvme|mmcblk|loop|nbd|ram|sr|sg|dm-|md|hidraw|i2c-|video|rtc|watchdog|root|console|zfs|mem|kmem|kmsg|port|kvm|vhost|tun|tap|tty[a-z0-9])[a-z0-9-]*"
                            + "|fuse|uinput|mapper|disk|block|bus|input|dri|snd|vfio|net|pts|tcp|udp)(?:/.*)?"
                            + "|host/(?:etc|proc|sys|dev|run|root|home|var|usr|opt|srv|boot|mnt|tmp)(?:/.*)?)");

    private static final String HOME = "home";
    private static final String UP = "..";

    /** How often somebody climbs who means the root, and not a folder of the same program. */
    private static final int CLIMBS = 4;

    private final List<String> seen;

    /**
     * Takes what may be named.
     *
     * @param seen paths in the box that were granted
     */
    HostPlaces(List<String> seen) {
        this.seen = seen.stream().map(path -> path.substring(1)).toList();
    }

    /**
     * Whether a path leads to one.
     *
     * @param asks whether the text asks for something; in code {@code /home/index} is a route
     */
    boolean has(String written, boolean asks) {
        String path = normal(written);
        String lower = path.toLowerCase(Locale.ROOT);
        if (HARMLESS.stream().anyMatch(known -> isIn(lower, known))
                || seen.stream().anyMatch(granted -> isIn(path, granted))) {
            return false;
        }
        return THEMSELVES.contains(lower)
                || DIRECTORIES.stream().anyMatch(one -> !lower.equals(one) && isIn(lower, one))
                || ((isHome(lower, asks) || WORDS.matcher(path).matches()) && !isBeside(written));
    }

    private static boolean isHome(String lower, boolean asks) {
        int parts = lower.split("/").length;
        return isIn(lower, HOME) && parts >= (asks ? 2 : 3);
    }

    /** Whether it is relative, and does not climb as far as those do who mean the root. */
    private static boolean isBeside(String written) {
        String path = written.replace('\\', '/');
        return !path.startsWith("/")
                && Arrays.stream(path.split("/")).filter(UP::equals).count() < CLIMBS;
    }

    private static boolean isIn(String path, String directory) {
        return path.startsWith(directory)
                && (path.length() == directory.length() || path.charAt(directory.length()) == '/');
    }

    /** Without dots and doubled slashes, from the root: who climbs may climb that far. */
    private static String normal(String written) {
        Deque<String> names = new ArrayDeque<>();
        for (String name : written.replace('\\', '/').split("/")) {
            if (name.equals(UP)) {
                names.pollLast();
            } else if (!name.isEmpty() && !name.equals(".")) {
                names.addLast(name);
            }
        }
        String path = String.join("/", names);
        while (path.endsWith(".")) {
            path = path.substring(0, path.length() - 1);
        }
        return path;
    }
}
