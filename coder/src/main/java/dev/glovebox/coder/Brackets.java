package dev.glovebox.coder;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/** Adds the bracket that is missing, or takes away the one too many. */
final class Brackets implements Rule {

    private static final int MOST = 12;
    private static final Pattern CALLBACK =
            Pattern.compile("=>\\s*\\{\\s*$|\\bfunction\\b[^{\n]*\\{\\s*$");

    @Override
    public List<Change> changes(Scene scene) {
        if (!scene.problem().is("SyntaxError", "IndentationError") || scene.source().isBalanced()) {
            return List.of();
        }
        Source source = scene.source();
        Set<String> candidates = new LinkedHashSet<>();
        int block = scene.isNode() ? unclosedBlock(source) : -1;
        int odd = block >= 0 ? block : source.oddBracket();
        if (Source.isOpen(source.code().charAt(odd))) {
            closed(source, odd, candidates);
        } else {
            mismatched(source, odd, candidates);
        }
        List<String> bounded = candidates.stream().limit(MOST).toList();
        List<String> balanced =
                bounded.stream().filter(text -> source.as(text).isBalanced()).toList();
        List<Change> changes = new ArrayList<>();
        for (String text : balanced.isEmpty() ? bounded : balanced) {
            changes.addAll(
                    scene.change(
                            text,
                            Mistake.BRACKETS,
                            "A bracket has no partner (line " + source.lineOf(odd) + ")",
                            "Make the brackets match",
                            0.8));
        }
        return changes;
    }

    private static void mismatched(Source source, int at, Set<String> candidates) {
        int open = lastOpen(source, at);
        if (open >= 0) {
            String closer = String.valueOf(Source.closer(source.code().charAt(open)));
            boolean sameLine = source.lineOf(open) == source.lineOf(at);
            if (!sameLine) {
                closed(source, open, candidates);
            }
            candidates.add(source.with(at, at, closer));
            candidates.add(source.with(at, at + 1, closer));
        }
        candidates.add(source.with(at, at + 1, ""));
    }

    /** The innermost bracket that is open at a position; -1: there is none. */
    private static int lastOpen(Source source, int position) {
        List<Integer> stack = new ArrayList<>();
        for (int i = 0; i < position; i++) {
            char c = source.code().charAt(i);
            if (Source.isOpen(c)) {
                stack.add(i);
            } else if (Source.isClose(c) && !stack.isEmpty()) {
                stack.removeLast();
            }
        }
        return stack.isEmpty() ? -1 : stack.getLast();
    }

    /** With the bracket closed that opens at a position, wherever that may be meant. */
    private static void closed(Source source, int open, Set<String> candidates) {
        char c = source.code().charAt(open);
        String closer = String.valueOf(Source.closer(c));
        int line = source.lineOf(open);
        String code = source.codeLine(line).stripTrailing();
        boolean callback = c == '(' && CALLBACK.matcher(code).find();
        if (callback) {
            int brace = source.start(line) + code.length() - 1;
            int end = source.closing(brace);
            if (end >= 0) {
                candidates.add(source.with(end + 1, end + 1, closer));
            }
        }
        boolean goesOn = code.endsWith(",") || Source.isOpen(code.charAt(code.length() - 1));
        if (goesOn && !(c != '{' && code.endsWith("{") && !callback)) {
            int last = PythonCode.blockEnd(source, line);
            if (c == '{' && (source.code().indexOf(';') >= 0 || last == line)) {
                candidates.add(
                        source.with(
                                source.end(last),
                                source.end(last),
                                "\n" + source.indent(line) + closer));
            }
            int end = source.start(last) + source.codeLine(last).stripTrailing().length();
            candidates.add(source.with(end, end, closer));
        }
        int end = code.length();
        while (end > 0 && ";:{,".indexOf(code.charAt(end - 1)) >= 0) {
            end--;
        }
        int place = source.start(line) + code.substring(0, end).stripTrailing().length();
        if (place > open) {
            candidates.add(source.with(place, place, closer));
        }
        int whole = source.start(line) + code.length();
        candidates.add(source.with(whole, whole, closer));
        // Or earlier in the line, behind anything that can be the last thing in brackets.
        for (int i = place - 1; i > open + 1; i--) {
            char before = source.code().charAt(i - 1);
            boolean ends = Character.isJavaIdentifierPart(before) || ")]}\"'".indexOf(before) >= 0;
            boolean goes = !Character.isJavaIdentifierPart(source.code().charAt(i));
            if (ends && goes && c != '{') {
                candidates.add(source.with(i, i, closer));
            }
        }
    }

    /** A block whose end stands less deep than its beginning has the end of another one. */
    private static int unclosedBlock(Source source) {
        List<Integer> stack = new ArrayList<>();
        for (int i = 0; i < source.code().length(); i++) {
            char c = source.code().charAt(i);
            if (Source.isOpen(c)) {
                stack.add(i);
            } else if (Source.isClose(c)) {
                if (stack.isEmpty()) {
                    return -1;
                }
                int open = stack.removeLast();
                if (source.code().charAt(open) != "([{".charAt(")]}".indexOf(c))) {
                    return -1;
                }
                int from = source.lineOf(open);
                int to = source.lineOf(i);
                boolean first = source.code().substring(source.start(to), i).isBlank();
                if (c == '}'
                        && first
                        && from != to
                        && source.indent(to).length() < source.indent(from).length()) {
                    return open;
                }
            }
        }
        return -1;
    }
}
