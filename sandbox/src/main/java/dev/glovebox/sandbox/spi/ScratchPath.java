package dev.glovebox.sandbox.spi;

import dev.glovebox.sandbox.FileRefused;
import java.nio.charset.StandardCharsets;

/** Paths in the scratch directory of a box, as they come from whoever uses the box. */
public final class ScratchPath {

    private ScratchPath() {}

    /**
     * A relative path in its plain form.
     *
     * @throws FileRefused if it is not one, before the box or the kernel sees it
     */
    public static String checked(String path) {
        if (path.isEmpty()
                || path.startsWith("/")
                || path.indexOf('\0') >= 0
                || !StandardCharsets.UTF_8.newEncoder().canEncode(path)) {
            throw new FileRefused(shown(path) + " is not a path relative to the scratch directory");
        }
        for (String part : path.split("/", -1)) {
            if (part.isEmpty() || part.equals(".") || part.equals("..")) {
                throw new FileRefused(
                        shown(path) + " is not a plain path: '" + part + "' is not a name");
            }
        }
        return path;
    }

    /** For messages. */
    public static String shown(String path) {
        return "'" + path.replaceAll("\\p{Cntrl}", "?") + "'";
    }
}
