package dev.glovebox.sandbox.spi;

import dev.glovebox.sandbox.BoxFiles;
import dev.glovebox.sandbox.BoxFiles.Kind;
import dev.glovebox.sandbox.BoxGone;
import dev.glovebox.sandbox.FileRefused;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The result files of a program.
 *
 * @param taken the regular ones that are there
 * @param refused why each other one was not taken; one that is not there is in neither
 */
public record ResultFiles(Map<String, byte[]> taken, Map<String, String> refused) {

    private static final String NOT_FOLLOWED = " is a symbolic link, which is not followed";

    public ResultFiles {
        taken = Map.copyOf(taken);
        refused = Map.copyOf(refused);
    }

    /**
     * Reads them, as long as they are together not too large and it does not take too long; those
     * behind are refused unseen.
     *
     * @param most how many bytes they have together, at the most
     */
    public static ResultFiles of(BoxFiles files, List<String> paths, long most, Duration patience) {
        Map<String, byte[]> taken = new TreeMap<>();
        Map<String, String> refused = new TreeMap<>();
        long left = most;
        long deadline = System.nanoTime() + patience.toNanos();
        Optional<String> over = Optional.empty();
        for (String path : new LinkedHashSet<>(paths)) {
            if (over.isEmpty()) {
                try {
                    byte[] content = files.read(path);
                    left -= content.length;
                    over = over(left, deadline);
                    if (over.isEmpty()) {
                        taken.put(path, content);
                    }
                } catch (FileRefused e) {
                    why(files, path, e).ifPresent(why -> refused.put(path, why));
                } catch (BoxGone e) {
                    over = Optional.of(e.getMessage());
                }
            }
            over.ifPresent(why -> refused.put(path, why));
        }
        return new ResultFiles(taken, refused);
    }

    private static Optional<String> over(long left, long deadline) {
        if (left < 0) {
            return Optional.of("together the files are larger than twice the box's disk");
        }
        return System.nanoTime() - deadline > 0
                ? Optional.of("the box takes too long to hand out its files")
                : Optional.empty();
    }

    /** Why a file was refused; empty if it is not there. */
    private static Optional<String> why(BoxFiles files, String path, FileRefused refusal) {
        if (refusal.isMissing()) {
            return Optional.empty();
        }
        try {
            for (int end = path.indexOf('/'); end > 0; end = path.indexOf('/', end + 1)) {
                String above = path.substring(0, end);
                Kind kind = files.stat(above).kind();
                if (kind == Kind.LINK) {
                    return Optional.of(ScratchPath.shown(above) + NOT_FOLLOWED);
                }
                if (kind != Kind.DIRECTORY) {
                    return Optional.empty();
                }
            }
            return Optional.of(
                    switch (files.stat(path).kind()) {
                        case LINK -> "it" + NOT_FOLLOWED;
                        case DIRECTORY -> "it is a directory";
                        case OTHER -> "it is a FIFO, socket or device";
                        case FILE, UNNAMED -> refusal.getMessage();
                    });
        } catch (FileRefused e) {
            return e.isMissing() ? Optional.empty() : Optional.of(e.getMessage());
        } catch (BoxGone e) {
            return Optional.of(e.getMessage());
        }
    }
}
