package dev.glovebox.cli;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;

/**
 * Saves result files below a directory: those named with {@code --out} below the current one.
 *
 * <p>A box that may write to a part of it can leave symbolic links and FIFOs there, so none is
 * followed or opened.
 */
final class OutputFiles {

    private final Path directory;
    private final String option;

    OutputFiles(Path directory) {
        this(directory, "--out");
    }

    private OutputFiles(Path directory, String option) {
        this.directory = directory;
        this.option = option;
    }

    /** A folder that an option names, and that is made if there is none. */
    static OutputFiles below(Path folder, String option) {
        try {
            Files.createDirectories(folder);
        } catch (IOException e) {
            throw new BadInput(option + " '" + folder + "' is no folder: " + InputFiles.why(e), e);
        }
        if (!Files.isWritable(folder)) {
            throw new BadInput(option + " '" + folder + "' cannot be written to");
        }
        return new OutputFiles(folder, option);
    }

    /** Refuses, before anything is started, what could not be saved in the end. */
    void check(List<String> names) {
        for (String name : names) {
            checkName(option, name);
            try {
                Path target = directory.resolve(name);
                for (Path parent = target.getParent();
                        parent != null && !parent.equals(directory);
                        parent = parent.getParent()) {
                    checkIs(Kind.DIRECTORY, parent);
                }
                checkIs(Kind.FILE, target);
            } catch (IOException e) {
                throw new BadInput(
                        option + " '" + name + "' cannot be saved: " + InputFiles.why(e), e);
            }
        }
    }

    /** Refuses a name that is not plainly below a directory. */
    static void checkName(String option, String name) {
        boolean plain =
                List.of(name.split("/", -1)).stream()
                        .noneMatch(part -> part.isEmpty() || part.equals(".") || part.equals(".."));
        if (!plain || name.indexOf('\0') >= 0) {
            throw new BadInput(
                    option
                            + " '"
                            + name
                            + "' must be a relative path in the box's scratch, without . and ..");
        }
    }

    /**
     * Saves a file.
     *
     * @throws OutputLost if that cannot be done
     */
    void save(String name, byte[] content) {
        try {
            Path target = directory;
            String[] parts = name.split("/", -1);
            for (int i = 0; i < parts.length - 1; i++) {
                target = target.resolve(parts[i]);
                makeDirectory(target);
            }
            target = target.resolve(parts[parts.length - 1]);
            checkIs(Kind.FILE, target);
            try (OutputStream out =
                    Files.newOutputStream(
                            target,
                            StandardOpenOption.CREATE,
                            StandardOpenOption.TRUNCATE_EXISTING,
                            StandardOpenOption.WRITE,
                            LinkOption.NOFOLLOW_LINKS)) {
                out.write(content);
            }
        } catch (IOException e) {
            throw OutputLost.saving(option + " '" + name + "'", e);
        }
    }

    private static void makeDirectory(Path path) throws IOException {
        try {
            Files.createDirectory(path);
        } catch (FileAlreadyExistsException e) {
            checkIs(Kind.DIRECTORY, path);
        }
    }

    /** Refuses a place where there is something else than a file that can be replaced. */
    static void checkReplaceable(Path path) throws IOException {
        checkIs(Kind.FILE, path);
    }

    private enum Kind {
        FILE,
        DIRECTORY
    }

    private static void checkIs(Kind wanted, Path path) throws IOException {
        try {
            BasicFileAttributes found =
                    Files.readAttributes(
                            path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
            if (wanted == Kind.FILE ? !found.isRegularFile() : !found.isDirectory()) {
                throw new IOException("'" + path + "' is " + kind(found));
            }
        } catch (NoSuchFileException e) {
            return; // it will be made
        }
    }

    private static String kind(BasicFileAttributes found) {
        if (found.isSymbolicLink()) {
            return "a symbolic link, which is not followed";
        }
        if (found.isDirectory()) {
            return "a directory";
        }
        return found.isRegularFile() ? "a file, no directory" : "a FIFO, socket or device";
    }
}
