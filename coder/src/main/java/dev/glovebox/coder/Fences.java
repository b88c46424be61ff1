package dev.glovebox.coder;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Pattern;

/** Takes code out of an answer that also talks: Markdown fences, and sentences around the code. */
final class Fences implements Rule {

    private static final Pattern SENTENCE =
            Pattern.compile("^[A-Z][A-Za-z'’]*(?:[ ,]+[A-Za-z0-9'’`_-]+){2,40}[.:!]?$");

    @Override
    public List<Change> changes(Scene scene) {
        boolean possible =
                scene.problem().is("SyntaxError", "IndentationError")
                        || scene.problem().says("\"\" is not a function");
        if (!possible) {
            return List.of();
        }
        List<String> lines = scene.source().text().lines().toList();
        String fenced = largestBlock(lines);
        if (!fenced.isBlank()) {
            return scene.change(
                    fenced,
                    Mistake.SYNTAX,
                    "The code is wrapped in a Markdown fence",
                    "Keep what is between the fences",
                    0.95);
        }
        return withoutProse(scene, lines);
    }

    private static String largestBlock(List<String> lines) {
        List<String> blocks = new ArrayList<>();
        StringBuilder block = null;
        StringBuilder before = new StringBuilder();
        for (String line : lines) {
            if (line.strip().startsWith("```")) {
                if (block != null) {
                    blocks.add(block.toString());
                    block = null;
                } else if (blocks.isEmpty()
                        && line.strip().equals("```")
                        && !before.toString().isBlank()) {
                    // Only the closing fence is there.
                    blocks.add(before.toString());
                } else {
                    block = new StringBuilder();
                }
            } else {
                (block == null ? before : block).append(line).append('\n');
            }
        }
        if (block != null) {
            blocks.add(block.toString());
        }
        return blocks.stream().max(Comparator.comparingInt(String::length)).orElse("");
    }

    /** Only at the ends, and only if the error is there: a sentence elsewhere may be a string. */
    private static List<Change> withoutProse(Scene scene, List<String> lines) {
        int from = 0;
        int to = lines.size();
        while (from < to && (lines.get(from).isBlank() || isProse(lines.get(from)))) {
            from++;
        }
        while (to > from && (lines.get(to - 1).isBlank() || isProse(lines.get(to - 1)))) {
            to--;
        }
        int line = scene.line();
        boolean there = line > 0 && (line <= from || line > to);
        if (!there || from == to) {
            return List.of();
        }
        return scene.change(
                String.join("\n", lines.subList(from, to)) + "\n",
                Mistake.SYNTAX,
                "There is a sentence around the code",
                "Leave it out",
                0.9);
    }

    private static boolean isProse(String line) {
        return SENTENCE.matcher(line.strip()).matches();
    }
}
