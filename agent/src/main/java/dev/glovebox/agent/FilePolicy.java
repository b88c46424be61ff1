package dev.glovebox.agent;

import dev.glovebox.sandbox.Policy;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a tool may do with the files of a workspace: each tool has its own.
 *
 * <p>It can only be stricter than a workspace is. What it refuses is an error that the model reads,
 * with the argument, what was expected and what came.
 *
 * @param paths files, and directories with all that is in them; a path that is empty is all of it
 * @param mostFiles how many there may be when one is written, and how many are listed
 * @param mostBytes how large a file may be that is read or written
 * @param mostBytesInAll how large all files may be together when one is written
 */
public record FilePolicy(List<String> paths, int mostFiles, int mostBytes, int mostBytesInAll) {

    private static final String ALL = "";

    /**
     * A policy.
     *
     * @throws IllegalArgumentException if a path cannot be one in a workspace, or a limit is
     *     negative
     */
    public FilePolicy {
        paths = List.copyOf(paths);
        for (String path : paths) {
            WorkspacePath.problem(path)
                    .filter(problem -> !path.equals(ALL))
                    .ifPresent(problem -> {
                        throw new IllegalArgumentException(problem);
                    });
        }
        Limits.atLeast(0, mostFiles, "mostFiles");
        Limits.atLeast(0, mostBytes, "mostBytes");
        Limits.atLeast(0, mostBytesInAll, "mostBytesInAll");
    }

    /** All files, as many and as large as a workspace takes them. */
    public static FilePolicy standard() {
        return new FilePolicy(
                List.of(ALL),
                Workspace.MOST_FILES,
                Workspace.MOST_BYTES,
                Workspace.MOST_BYTES_IN_ALL);
    }

    /** All files, as far as there is room for them in a box by this policy. */
    public static FilePolicy of(Policy policy) {
        FilePolicy all = standard();
        long room = policy.limits().disk().count();
        return all.mostBytesInAll((int) Math.min(all.mostBytesInAll, room));
    }

    /** Only these files, and what is in these directories; none: no file at all. */
    public FilePolicy only(String... some) {
        return new FilePolicy(List.of(some), mostFiles, mostBytes, mostBytesInAll);
    }

    public FilePolicy mostFiles(int number) {
        return new FilePolicy(paths, number, mostBytes, mostBytesInAll);
    }

    public FilePolicy mostBytes(int bytes) {
        return new FilePolicy(paths, mostFiles, bytes, mostBytesInAll);
    }

    public FilePolicy mostBytesInAll(int bytes) {
        return new FilePolicy(paths, mostFiles, mostBytes, bytes);
    }

    boolean allows(String path) {
        return paths.stream()
                .anyMatch(one -> one.equals(ALL) || path.equals(one) || path.startsWith(one + "/"));
    }

    /** Why the tool may not touch a file of this name, whether there is one or not. */
    Optional<JsonProblem> aboutPath(String path) {
        return allows(path)
                ? Optional.empty()
                : Optional.of(
                        new JsonProblem(
                                "/path",
                                paths.isEmpty()
                                        ? "nothing: no file is allowed"
                                        : "one of these, or in it: " + String.join(", ", paths),
                                path));
    }

    /** Why it may not read or write a file of this size. */
    Optional<JsonProblem> aboutSize(String field, int bytes) {
        return bytes <= mostBytes
                ? Optional.empty()
                : Optional.of(
                        new JsonProblem(
                                field, "at most %d bytes".formatted(mostBytes), bytes + " bytes"));
    }

    /** Why a file may not be added to others. */
    Optional<JsonProblem> aboutRoom(Map<String, byte[]> files, String path, int bytes) {
        if (!files.containsKey(path) && files.size() >= mostFiles) {
            return Optional.of(
                    new JsonProblem(
                            "/path",
                            "one of the files that there are: at most %d are allowed"
                                    .formatted(mostFiles),
                            path));
        }
        long all =
                files.entrySet().stream()
                                .filter(file -> !file.getKey().equals(path))
                                .mapToLong(file -> file.getValue().length)
                                .sum()
                        + bytes;
        return all <= mostBytesInAll
                ? Optional.empty()
                : Optional.of(
                        new JsonProblem(
                                "/content",
                                "at most %d bytes in all files together".formatted(mostBytesInAll),
                                all + " bytes"));
    }

    /** What a model is told of it beforehand; empty if it is told nothing new. */
    String words() {
        return paths.contains(ALL)
                ? ""
                : paths.isEmpty()
                        ? " It may use none."
                        : " Only: " + String.join(", ", paths) + ".";
    }
}
