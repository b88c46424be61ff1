package dev.glovebox.coder;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Moves lines to where their block is. */
final class PythonIndentation implements Rule {

    private static final Pattern AFTER = Pattern.compile("after (.{1,60}) on line (\\d{1,7})$");
    private static final String STEP = "    ";

    @Override
    public List<Change> changes(Scene scene) {
        if (!scene.isPython()
                || !scene.problem().is("IndentationError", "TabError")
                || scene.line() == 0) {
            return List.of();
        }
        if (scene.source().text().contains("\t") && hasTabs(scene.source())) {
            return because(
                    scene, tabsExpanded(scene.source()), "Tabs and blanks are mixed", "Use blanks");
        }
        if (scene.problem().says("expected an indented block")) {
            return indented(scene);
        }
        if (scene.problem().says("unexpected indent")) {
            return moved(scene, previousIndent(scene.source(), scene.line()));
        }
        if (scene.problem().says("unindent does not match")) {
            return outer(scene);
        }
        return List.of();
    }

    private static List<Change> because(Scene scene, String text, String cause, String fix) {
        return scene.change(text, Mistake.INDENTATION, cause, fix, 0.75);
    }

    private static boolean hasTabs(Source source) {
        for (int i = 1; i <= source.lines(); i++) {
            if (source.indent(i).indexOf('\t') >= 0) {
                return true;
            }
        }
        return false;
    }

    private static String tabsExpanded(Source source) {
        StringBuilder text = new StringBuilder();
        for (int i = 1; i <= source.lines(); i++) {
            String indent = source.indent(i);
            text.append(indent.replace("\t", STEP))
                    .append(source.line(i).substring(indent.length()));
            text.append(i < source.lines() || source.text().endsWith("\n") ? "\n" : "");
        }
        return text.toString();
    }

    private static String previousIndent(Source source, int line) {
        for (int i = line - 1; i >= 1; i--) {
            if (!source.isBlank(i)) {
                String indent = source.indent(i);
                return source.codeLine(i).stripTrailing().endsWith(":") ? indent + STEP : indent;
            }
        }
        return "";
    }

    /** A line and those below it that are as deep, or deeper, at another depth. */
    private static List<Change> moved(Scene scene, String to) {
        Source source = scene.source();
        int from = scene.line();
        String old = source.indent(from);
        StringBuilder text = new StringBuilder(source.text().substring(0, source.start(from)));
        boolean inside = true;
        for (int i = from; i <= source.lines(); i++) {
            String line = source.line(i);
            inside = inside && (line.isBlank() || Source.indent(line).length() >= old.length());
            boolean move = inside && !line.isBlank();
            text.append(move ? to + line.substring(old.length()) : line);
            text.append(i < source.lines() || source.text().endsWith("\n") ? "\n" : "");
        }
        return because(
                scene,
                text.toString(),
                "A line is deeper than its block",
                "Move it to the depth of the line before it");
    }

    /** To the depths of the blocks around it, the nearest first. */
    private static List<Change> outer(Scene scene) {
        Source source = scene.source();
        int wrong = source.indent(scene.line()).length();
        TreeSet<Integer> depths = new TreeSet<>();
        int lowest = Integer.MAX_VALUE;
        for (int i = scene.line() - 1; i >= 1; i--) {
            int depth = source.indent(i).length();
            if (!source.isBlank(i) && depth < lowest) {
                depths.add(depth);
                lowest = depth;
            }
        }
        List<Change> changes = new ArrayList<>();
        depths.stream()
                .sorted((a, b) -> {
                    int nearer = Integer.compare(Math.abs(a - wrong), Math.abs(b - wrong));
                    return nearer != 0 ? nearer : Integer.compare(b, a);
                })
                .forEach(depth -> {
                    String line = " ".repeat(depth) + source.line(scene.line()).strip();
                    changes.addAll(
                            because(
                                    scene,
                                    source.withLine(scene.line(), line),
                                    "A line is at the depth of no block",
                                    "Move it to the nearest block"));
                });
        return changes;
    }

    private static List<Change> indented(Scene scene) {
        Source source = scene.source();
        Matcher after = AFTER.matcher(scene.problem().message());
        int header = after.find() ? Integer.parseInt(after.group(2)) : scene.line() - 1;
        if (header < 1 || header > source.lines()) {
            return List.of();
        }
        String outer = source.indent(header);
        int line = PythonCode.statementEnd(source, header) + 1;
        while (line <= source.lines() && source.isBlank(line)) {
            line++;
        }
        boolean sameDepth =
                line <= source.lines() && source.indent(line).length() == outer.length();
        boolean afterGap = line > PythonCode.statementEnd(source, header) + 2;
        if (!sameDepth
                || afterGap
                || source.codeLine(line)
                        .strip()
                        .matches("(?:def|class|elif|else|except|finally)\\b.*")) {
            int end = PythonCode.statementEnd(source, header);
            return because(
                    scene,
                    source.with(source.end(end), source.end(end), "\n" + outer + STEP + "pass"),
                    "A block has nothing in it",
                    "Let it do nothing");
        }
        boolean whole = source.codeLine(header).strip().matches("(?:async +)?(?:def|class)\\b.*");
        int last = line;
        for (int i = line + 1; i <= source.lines(); i++) {
            boolean deeper = !source.isBlank(i) && source.indent(i).length() > outer.length();
            boolean follows = source.codeLine(last).stripTrailing().endsWith(":");
            boolean same = whole && !source.line(i).isBlank() && source.indent(i).equals(outer);
            if (!deeper && !same && !follows) {
                break;
            }
            last = i;
        }
        StringBuilder text = new StringBuilder(source.text().substring(0, source.start(line)));
        for (int i = line; i <= last; i++) {
            text.append(source.line(i).isBlank() ? "" : STEP).append(source.line(i)).append('\n');
        }
        if (last < source.lines()) {
            text.append(source.text().substring(source.start(last + 1)));
        }
        return because(
                scene,
                text.toString(),
                "What follows line " + header + " is not deeper than it",
                "Move it into the block");
    }
}
