package dev.glovebox.coder;

import dev.glovebox.sandbox.BoxFiles;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HexFormat;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The files of a layer.
 *
 * @param digest SHA-256 over the names, sizes and digests of all of them
 */
record LayerTree(String digest, int files, long bytes) {

    static final int MOST_FILES = 60_000;
    static final long MOST_BYTES = 768L << 20;
    static final long LARGEST_FILE = 256L << 20;
    private static final int LONGEST_PATH = 1000;
    private static final int LONGEST_NAME = 255;

    /** What is no layer: too much of it, or something else than files. */
    static final class Unfit extends RuntimeException {

        private static final long serialVersionUID = 1L;

        Unfit(String why) {
            super(why);
        }
    }

    /**
     * Copies a folder out of a box. Names and contents are whatever somebody wanted them to be.
     *
     * @throws Unfit if it is not to be kept
     */
    static LayerTree copy(BoxFiles box, String folder, Path to) throws IOException {
        SortedMap<String, String> digests = new TreeMap<>();
        Deque<String> open = new ArrayDeque<>(List.of(folder));
        long bytes = 0;
        int found = 0;
        while (!open.isEmpty()) {
            for (BoxFiles.Entry entry : box.list(open.remove())) {
                String name = checked(entry.path(), folder);
                if (++found > MOST_FILES) {
                    throw new Unfit("it has more than %d files".formatted(MOST_FILES));
                }
                switch (entry.kind()) {
                    case DIRECTORY -> {
                        Files.createDirectories(to.resolve(name));
                        open.add(entry.path());
                    }
                    case FILE -> {
                        bytes += entry.size();
                        if (entry.size() > LARGEST_FILE || bytes > MOST_BYTES) {
                            throw new Unfit("it is larger than %d MiB".formatted(MOST_BYTES >> 20));
                        }
                        byte[] content = box.read(entry.path());
                        Files.write(to.resolve(name), content);
                        digests.put(name, content.length + " " + hex(sha256().digest(content)));
                    }
                    case LINK, OTHER, UNNAMED ->
                            throw new Unfit("'%s' is neither file nor folder".formatted(name));
                }
            }
        }
        return new LayerTree(digest(digests), digests.size(), bytes);
    }

    private static String checked(String path, String folder) {
        if (!path.startsWith(folder + "/")) {
            throw new Unfit("a file is not where it should be");
        }
        String name = path.substring(folder.length() + 1);
        boolean good =
                name.length() <= LONGEST_PATH
                        && StandardCharsets.UTF_8.newEncoder().canEncode(name)
                        && name.codePoints()
                                .noneMatch(c -> Character.isISOControl(c) || c == 0xFFFD);
        for (String part : name.split("/", -1)) {
            good &=
                    !part.isEmpty()
                            && !part.equals(".")
                            && !part.equals("..")
                            && part.getBytes(StandardCharsets.UTF_8).length <= LONGEST_NAME;
        }
        if (!good) {
            throw new Unfit("a file has a name that no file should have");
        }
        return name;
    }

    /**
     * Looks at a folder of this machine.
     *
     * @throws Unfit if there is something else in it than files and folders
     */
    static LayerTree of(Path folder) throws IOException {
        SortedMap<String, String> digests = new TreeMap<>();
        long[] bytes = new long[1];
        for (Path path : walk(folder)) {
            if (Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) {
                continue;
            }
            String name = folder.relativize(path).toString();
            if (!Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS)) {
                throw new Unfit("'%s' is neither file nor folder".formatted(name));
            }
            long size = Files.size(path);
            bytes[0] += size;
            digests.put(name, size + " " + hex(digest(path)));
        }
        return new LayerTree(digest(digests), digests.size(), bytes[0]);
    }

    /** Nobody changes it by mistake, and every user's boxes can read it. */
    static void seal(Path folder) throws IOException {
        for (Path path : walk(folder).reversed()) {
            boolean directory = Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS);
            Files.setPosixFilePermissions(
                    path, PosixFilePermissions.fromString(directory ? "r-xr-xr-x" : "r--r--r--"));
        }
    }

    static void delete(Path folder) throws IOException {
        if (!Files.exists(folder, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        Files.walkFileTree(
                folder,
                new SimpleFileVisitor<>() {
                    @Override
                    public FileVisitResult preVisitDirectory(Path path, BasicFileAttributes all)
                            throws IOException {
                        Files.setPosixFilePermissions(
                                path, PosixFilePermissions.fromString("rwx------"));
                        return FileVisitResult.CONTINUE;
                    }

                    @Override
                    public FileVisitResult visitFile(Path path, BasicFileAttributes all)
                            throws IOException {
                        Files.deleteIfExists(path);
                        return FileVisitResult.CONTINUE;
                    }

                    @Override
                    public FileVisitResult postVisitDirectory(Path path, IOException problem)
                            throws IOException {
                        if (problem != null) {
                            throw problem;
                        }
                        Files.deleteIfExists(path);
                        return FileVisitResult.CONTINUE;
                    }
                });
    }

    private static List<Path> walk(Path folder) throws IOException {
        List<Path> all = new ArrayList<>();
        try (var paths = Files.walk(folder)) {
            paths.forEach(all::add);
        }
        return all;
    }

    private static String digest(SortedMap<String, String> digests) {
        MessageDigest all = sha256();
        digests.forEach((name, digest) ->
                all.update((name + "\0" + digest + "\n").getBytes(StandardCharsets.UTF_8)));
        return hex(all.digest());
    }

    private static byte[] digest(Path file) throws IOException {
        MessageDigest digest = sha256();
        byte[] buffer = new byte[1 << 16];
        try (InputStream in = Files.newInputStream(file, LinkOption.NOFOLLOW_LINKS)) {
            for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
                digest.update(buffer, 0, n);
            }
        }
        return digest.digest();
    }

    static String hex(byte[] bytes) {
        return HexFormat.of().formatHex(bytes);
    }

    static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("Every Java has SHA-256", e);
        }
    }
}
