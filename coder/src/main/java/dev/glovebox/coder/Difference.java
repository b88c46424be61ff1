package dev.glovebox.coder;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/** What is different between two versions of code, line by line. */
public final class Difference {

    // More lines are not compared one by one: that takes time by the square.
    private static final int MOST_LINES = 3_000;
    private static final int AROUND = 2;

    private Difference() {}

    /** One line: with {@code +} it is new, with {@code -} it is gone, else it stayed. */
    private record Line(char mark, String text) {}

    /**
     * The lines that changed and those around them, as people know them from {@code diff -u}.
     *
     * @return empty if nothing is different
     */
    public static List<String> between(CodeArtifact before, CodeArtifact after) {
        TreeSet<String> names = new TreeSet<>(before.files().keySet());
        names.addAll(after.files().keySet());
        List<String> all = new ArrayList<>();
        for (String name : names) {
            List<Line> lines =
                    lines(
                            before.files().getOrDefault(name, ""),
                            after.files().getOrDefault(name, ""));
            List<String> shown = hunks(lines);
            if (!shown.isEmpty()) {
                all.add("--- " + name);
                all.add("+++ " + name);
                all.addAll(shown);
            }
        }
        if (!before.dependencies().equals(after.dependencies())) {
            all.add("install: " + before.dependencies() + " -> " + after.dependencies());
        }
        return all;
    }

    private static List<String> split(String text) {
        return text.isEmpty() ? List.of() : text.lines().toList();
    }

    private static List<Line> lines(String before, String after) {
        List<String> old = split(before);
        List<String> now = split(after);
        List<Line> lines = new ArrayList<>();
        if (old.size() > MOST_LINES || now.size() > MOST_LINES) {
            old.forEach(line -> lines.add(new Line('-', line)));
            now.forEach(line -> lines.add(new Line('+', line)));
            return before.equals(after) ? List.of() : lines;
        }
        int[][] common = common(old, now);
        int i = 0;
        int j = 0;
        while (i < old.size() || j < now.size()) {
            if (i < old.size() && j < now.size() && old.get(i).equals(now.get(j))) {
                lines.add(new Line(' ', old.get(i++)));
                j++;
            } else if (j == now.size()
                    || (i < old.size() && common[i + 1][j] >= common[i][j + 1])) {
                lines.add(new Line('-', old.get(i++)));
            } else {
                lines.add(new Line('+', now.get(j++)));
            }
        }
        return lines;
    }

    /** How many lines two texts have in common, in their order, from some line of each on. */
    private static int[][] common(List<String> old, List<String> now) {
        int[][] common = new int[old.size() + 1][now.size() + 1];
        for (int i = old.size() - 1; i >= 0; i--) {
            for (int j = now.size() - 1; j >= 0; j--) {
                common[i][j] =
                        old.get(i).equals(now.get(j))
                                ? common[i + 1][j + 1] + 1
                                : Math.max(common[i + 1][j], common[i][j + 1]);
            }
        }
        return common;
    }

    private static List<String> hunks(List<Line> lines) {
        List<String> shown = new ArrayList<>();
        int old = 0;
        boolean gap = true;
        for (int i = 0; i < lines.size(); i++) {
            Line line = lines.get(i);
            old += line.mark() == '+' ? 0 : 1;
            if (!isNear(lines, i)) {
                gap = true;
                continue;
            }
            if (gap) {
                shown.add("@@ line " + Math.max(1, old) + " @@");
                gap = false;
            }
            shown.add(line.mark() + line.text());
        }
        return shown;
    }

    private static boolean isNear(List<Line> lines, int i) {
        int from = Math.max(0, i - AROUND);
        int to = Math.min(lines.size(), i + AROUND + 1);
        return lines.subList(from, to).stream().anyMatch(line -> line.mark() != ' ');
    }
}
