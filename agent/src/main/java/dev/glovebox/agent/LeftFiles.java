package dev.glovebox.agent;

import dev.glovebox.sandbox.BoxFiles;
import dev.glovebox.sandbox.Sandbox;
import dev.glovebox.sandbox.SandboxException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What a program left behind in its box.
 *
 * @param changed the files that are new or not as they were
 * @param removed those that are not there any more
 * @param refused why others are not kept
 */
record LeftFiles(Map<String, byte[]> changed, List<String> removed, Map<String, String> refused) {

    private static final int MOST_LOOKED_AT = 2_000;
    private static final int MOST_REFUSED = 10;

    /** Stands for files that are not named. */
    private static final String OTHERS = "*";

    /** Looks at a box; anything may be in it. */
    static LeftFiles in(Sandbox box, Map<String, byte[]> before) {
        LeftFiles left = new LeftFiles(new TreeMap<>(), new ArrayList<>(), new TreeMap<>());
        try {
            left.look(box.files(), before);
        } catch (SandboxException e) {
            // It has destroyed its own box.
            left.refuse(OTHERS, e.getMessage());
        }
        return left;
    }

    private void look(BoxFiles files, Map<String, byte[]> before) {
        Map<String, BoxFiles.Entry> found = new TreeMap<>();
        List<String> unseen = list(files, found);
        before.keySet().stream()
                .filter(path -> !found.containsKey(path))
                .filter(path -> unseen.stream().noneMatch(directory -> isIn(directory, path)))
                .forEach(removed::add);
        Map<String, byte[]> after = new TreeMap<>(before);
        removed.forEach(after::remove);
        found.values().forEach(entry -> take(files, entry, after));
    }

    private static boolean isIn(String directory, String path) {
        return directory.isEmpty() || path.startsWith(directory + "/");
    }

    /** Finds regular files; the directories of which not all are found. */
    private List<String> list(BoxFiles files, Map<String, BoxFiles.Entry> found) {
        Deque<String> directories = new ArrayDeque<>();
        directories.add("");
        List<String> unseen = new ArrayList<>();
        int looked = 0;
        while (!directories.isEmpty()) {
            String directory = directories.remove();
            List<BoxFiles.Entry> entries;
            try {
                entries = files.list(directory);
            } catch (SandboxException e) {
                unseen.add(directory);
                refuse(directory.isEmpty() ? OTHERS : directory, e.getMessage());
                continue;
            }
            for (BoxFiles.Entry entry : entries) {
                if (++looked > MOST_LOOKED_AT) {
                    refuse(OTHERS, "there are more than %d".formatted(MOST_LOOKED_AT));
                    return List.of("");
                }
                switch (entry.kind()) {
                    case DIRECTORY -> directories.add(entry.path());
                    case FILE -> found.put(entry.path(), entry);
                    case LINK, OTHER -> refuse(entry.path(), "it is not a regular file");
                    case UNNAMED -> refuse(entry.path(), "its name is not UTF-8");
                }
            }
        }
        return unseen;
    }

    private void take(BoxFiles files, BoxFiles.Entry entry, Map<String, byte[]> after) {
        String path = entry.path();
        if (ProgramTool.isScript(path) || (isLeftover(path) && !after.containsKey(path))) {
            return;
        }
        int size = (int) Math.min(Integer.MAX_VALUE, entry.size());
        WorkspacePath.problem(path)
                .or(() -> Workspace.problem(after, path, size))
                .ifPresentOrElse(why -> refuse(path, why), () -> read(files, path, after));
    }

    private void read(BoxFiles files, String path, Map<String, byte[]> after) {
        try {
            byte[] content = files.read(path);
            if (!Arrays.equals(content, after.get(path))) {
                after.put(path, content);
                changed.put(path, content);
            }
        } catch (SandboxException e) {
            refuse(path, e.getMessage());
        }
    }

    /** Without what cannot be kept beside files that others have left meanwhile. */
    LeftFiles beside(Map<String, byte[]> others, FilePolicy room) {
        LeftFiles kept = new LeftFiles(new TreeMap<>(), removed, new TreeMap<>(refused));
        Map<String, byte[]> after = new TreeMap<>(others);
        removed.forEach(after::remove);
        changed.forEach((path, content) ->
                Workspace.problem(after, path, content.length)
                        .or(() -> room.aboutRoom(after, path, content.length).map(LeftFiles::words))
                        .ifPresentOrElse(
                                why -> kept.refuse(path, why),
                                () -> {
                                    after.put(path, content);
                                    kept.changed.put(path, content);
                                }));
        return kept;
    }

    private static String words(JsonProblem problem) {
        return "expected %s, got %s".formatted(problem.expected(), problem.got());
    }

    /** Makes of the files before it those behind it. */
    void into(Map<String, byte[]> files) {
        removed.forEach(files::remove);
        files.putAll(changed);
    }

    /** What shells, tools and interpreters leave behind. */
    private static boolean isLeftover(String path) {
        String from = "/" + path;
        return from.contains("/.") || from.contains("/__pycache__/");
    }

    private void refuse(String path, String why) {
        if (refused.size() < MOST_REFUSED) {
            refused.put(path, why);
        } else {
            refused.putIfAbsent(OTHERS, "they are not kept either");
        }
    }
}
