package dev.glovebox.cli;

import dev.glovebox.sandbox.Bytes;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Reads the files named with {@code --in}, before anything is started. */
final class InputFiles {

    private final Shell shell;
    private final long room;

    /**
     * @param disk what the box has room for
     */
    InputFiles(Shell shell, Bytes disk) {
        this.shell = shell;
        this.room = Math.min(disk.count(), Integer.MAX_VALUE - 64);
    }

    /** The content of each file, by its name in the scratch. */
    Map<String, byte[]> read(List<String> options) {
        Map<String, byte[]> inputs = new TreeMap<>();
        long left = room;
        for (String option : options) {
            Copy copy = copy(option);
            byte[] content = read(copy, left);
            left -= content.length;
            if (inputs.put(copy.name, content) != null) {
                throw new BadInput("--in puts two files at '" + copy.name + "'");
            }
        }
        return inputs;
    }

    private record Copy(Path host, String name) {}

    /** Reads {@code HOST} or {@code HOST:NAME}; a file that really has a colon in its name wins. */
    private Copy copy(String option) {
        Path whole = shell.path(option);
        int colon = option.lastIndexOf(':');
        if (colon <= 0 || Files.exists(whole)) {
            return new Copy(whole, String.valueOf(whole.getFileName()));
        }
        String name = option.substring(colon + 1);
        OutputFiles.checkName("--in", name);
        return new Copy(shell.path(option.substring(0, colon)), name);
    }

    private byte[] read(Copy copy, long left) {
        Path host = copy.host;
        if (Files.isDirectory(host)) {
            throw new BadInput("--in '" + host + "' is a directory; --mount shows one to the box");
        }
        try (InputStream in = Files.newInputStream(host)) {
            byte[] content = in.readNBytes((int) Math.min(left + 1, Integer.MAX_VALUE - 8));
            if (content.length > left) {
                throw new BadInput(
                        "--in '"
                                + host
                                + "' does not fit: the policy's disk limit is "
                                + new Bytes(room));
            }
            return content;
        } catch (IOException e) {
            throw new BadInput("--in '" + host + "' cannot be read: " + why(e), e);
        }
    }

    /**
     * What went wrong with a file, without the file's name, which the exceptions take for a
     * message.
     */
    static String why(IOException e) {
        return switch (e) {
            case NoSuchFileException _ -> "it does not exist";
            case FileAlreadyExistsException _ -> "there is a file of that name";
            case AccessDeniedException _ -> "permission denied";
            case FileSystemException f when f.getReason() != null -> String.valueOf(f.getReason());
            default -> String.valueOf(e.getMessage());
        };
    }
}
