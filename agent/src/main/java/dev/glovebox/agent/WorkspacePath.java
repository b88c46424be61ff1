package dev.glovebox.agent;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/** What files of a workspace may be called. */
final class WorkspacePath {

    private static final int LONGEST = 200;
    private static final int LONGEST_NAME = 100;
    private static final int DEEPEST = 8;
    private static final int LONGEST_QUOTE = 80;

    private WorkspacePath() {}

    /** Why a file cannot be called that; empty if it can. */
    static Optional<String> problem(String path) {
        List<String> names = List.of(path.split("/", -1));
        String why = null;
        if (path.isEmpty() || path.startsWith("/")) {
            why = "a relative path such as data/in.csv";
        } else if (path.codePoints().anyMatch(WorkspacePath::isOdd)) {
            why = "a path without control characters";
        } else if (length(path) > LONGEST
                || names.stream().anyMatch(n -> length(n) > LONGEST_NAME)) {
            why = "a path of at most %d bytes, %d for each name".formatted(LONGEST, LONGEST_NAME);
        } else if (names.contains("") || names.contains(".") || names.contains("..")) {
            why = "a path without '.', '..' and empty parts";
        } else if (names.size() > DEEPEST) {
            why = "at most %d directories".formatted(DEEPEST);
        } else if (ProgramTool.isScript(names.getFirst())) {
            why = "another name: this one is taken by the program itself";
        }
        return Optional.ofNullable(why)
                .map(wanted ->
                        "The path %s is refused. Expected: %s"
                                .formatted(Excerpt.line(path, LONGEST_QUOTE), wanted));
    }

    private static int length(String name) {
        return name.getBytes(StandardCharsets.UTF_8).length;
    }

    private static boolean isOdd(int character) {
        return character == '\\' || !Excerpt.isSeen(character);
    }
}
