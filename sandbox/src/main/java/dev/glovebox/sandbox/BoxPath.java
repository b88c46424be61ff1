package dev.glovebox.sandbox;

import java.util.List;
import java.util.regex.Pattern;

/** Where in a box a host file may appear: anywhere but in the places that the box itself needs. */
final class BoxPath {

    private static final int LONGEST = 1024;
    private static final Pattern NEEDED =
            Pattern.compile("usr|bin|sbin|lib|lib32|lib64|libx32|etc|proc|dev|sys|tmp|run");

    private BoxPath() {}

    /**
     * Checks a path and gives it back.
     *
     * @throws InvalidPolicy if no host file may appear there
     */
    static String check(String path) {
        if (!path.startsWith("/") || path.equals("/")) {
            throw refused(path, "must be absolute and not / itself, such as /data");
        }
        if (path.length() > LONGEST || Wording.hasControls(path) || Wording.hasHalves(path)) {
            throw refused(path, "is too long, or holds a line break or another control character");
        }
        List<String> names = List.of(path.substring(1).split("/", -1));
        if (names.contains("") || names.contains(".") || names.contains("..")) {
            throw refused(path, "must be written without '.', '..' and empty parts, such as /data");
        }
        if (NEEDED.matcher(names.getFirst()).matches()) {
            throw refused(
                    path, "lies in /" + names.getFirst() + ", which the box needs for itself");
        }
        return path;
    }

    private static InvalidPolicy refused(String path, String why) {
        return new InvalidPolicy("The path in the box " + Wording.quote(path) + " " + why);
    }

    /** Checks that neither path is at or inside the other. */
    static void checkApart(String one, String other) {
        if ((one + "/").startsWith(other + "/") || (other + "/").startsWith(one + "/")) {
            throw new InvalidPolicy(
                    one.equals(other)
                            ? "Two grants have the same path in the box, " + Wording.quote(one)
                            : "The paths in the box "
                                    + Wording.quote(one)
                                    + " and "
                                    + Wording.quote(other)
                                    + " lie in each other");
        }
    }
}
