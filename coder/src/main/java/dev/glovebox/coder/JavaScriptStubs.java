package dev.glovebox.coder;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Functions of JavaScript that are empty, or throw that they are not implemented. */
final class JavaScriptStubs implements Stubs {

    private static final Pattern CLASS =
            Pattern.compile("\\bclass\\s+(\\w+)(?:\\s+extends\\s+([\\w.]+))?\\s*\\{");
    private static final Pattern EXTENDS = Pattern.compile("\\bextends\\s+(?:\\w+\\.)*(\\w+)");
    private static final Pattern FUNCTION =
            Pattern.compile("\\bfunction\\s*\\*?\\s*([\\w$]+)\\s*(\\()");
    private static final Pattern METHOD =
            Pattern.compile(
                    "(?m)^[ \\t]+(?:static |async |\\*[ \\t]?){0,3}(#?[\\w$]+)[ \\t]*(\\()");
    private static final Pattern ARROW =
            Pattern.compile(
                    "\\b(?:const|let|var)\\s+([\\w$]+)\\s*=\\s*(?:async\\s*)?(?:function\\s*\\*?\\s*)?(\\()");
    private static final Pattern NOTHING =
            Pattern.compile("(?:return\\s+(?:null|undefined)\\s*;?)?");
    private static final Pattern MAY_BE_EMPTY = Pattern.compile("(?i)constructor|_?no_?op|_");
    private static final Set<String> WORDS =
            Set.of("if", "for", "while", "switch", "catch", "with", "function", "return", "super");
    private static final Pattern THROWN =
            Pattern.compile("\\bthrow\\s+(?:new\\s+)?\\w*Error\\s*\\(\\s*([\"'`])");
    private static final Pattern NOT_IMPLEMENTED =
            Pattern.compile(
                    "^[\"'`]\\s*(?:(?:method|function|this|it)(?: is)? )?(?:not (?:yet )?implemented(?: yet)?|unimplemented|todo|implement me)[.!…]{0,3}\\s?[\"'`]",
                    Pattern.CASE_INSENSITIVE);
    private static final Pattern DOTS = Pattern.compile("(?m)^[ \\t]*\\.\\.\\.[ \\t;]*$");

    @Override
    public Set<String> bases(Source source) {
        Set<String> bases = new HashSet<>();
        source.find(EXTENDS).forEach(found -> bases.add(found.group(1)));
        return bases;
    }

    @Override
    public List<String> in(Source source, Set<String> overridden) {
        List<int[]> open = new ArrayList<>();
        Matcher header = CLASS.matcher(source.code());
        for (int i = 0; i < MOST_FUNCTIONS && header.find(); i++) {
            int close = source.closing(header.end() - 1);
            if (close > 0 && overridden.contains(header.group(1))) {
                open.add(new int[] {header.end(), close});
            }
        }
        List<String> problems = new ArrayList<>();
        empty(source, FUNCTION, false, open, problems);
        empty(source, METHOD, false, open, problems);
        empty(source, ARROW, true, open, problems);
        for (Source.Found found : source.find(THROWN)) {
            String said = source.text().substring(found.match().start(1));
            String start = said.substring(0, Math.min(said.length(), 80));
            if (NOT_IMPLEMENTED.matcher(start).find() && !isWithin(found.start(), open)) {
                problems.add(
                        Completeness.at(source, found.start(), "this is not implemented: do it"));
            }
        }
        for (Source.Found found : source.find(DOTS)) {
            problems.add(
                    Completeness.at(
                            source,
                            found.match().end() - 1,
                            "dots stand for code that is not there"));
        }
        return problems;
    }

    /** A callback that does nothing is often meant: it has no parameters either. */
    private static void empty(
            Source source,
            Pattern pattern,
            boolean mayBeCallback,
            List<int[]> open,
            List<String> problems) {
        Matcher function = pattern.matcher(source.code());
        for (int i = 0; i < MOST_FUNCTIONS && function.find(); i++) {
            String name = function.group(1);
            int close = source.closing(function.start(2));
            if (close < 0 || WORDS.contains(name) || MAY_BE_EMPTY.matcher(name).matches()) {
                continue;
            }
            int brace = brace(source.code(), close + 1);
            int end = brace < 0 ? -1 : source.closing(brace);
            boolean callback =
                    mayBeCallback && source.code().substring(function.end(), close).isBlank();
            if (end > 0
                    && !callback
                    && NOTHING.matcher(source.code().substring(brace + 1, end).strip()).matches()
                    && !isWithin(function.start(1), open)) {
                problems.add(Completeness.at(source, function.start(1), ADVICE.formatted(name)));
            }
        }
    }

    /** The brace behind the parameters; -1: it is a call, or an expression. */
    private static int brace(String code, int from) {
        int at = from;
        while (at < code.length() && Character.isWhitespace(code.charAt(at))) {
            at++;
        }
        if (code.startsWith("=>", at)) {
            at += 2;
            while (at < code.length() && Character.isWhitespace(code.charAt(at))) {
                at++;
            }
        }
        return at < code.length() && code.charAt(at) == '{' ? at : -1;
    }

    private static boolean isWithin(int position, List<int[]> open) {
        return open.stream().anyMatch(range -> range[0] <= position && position < range[1]);
    }
}
