package dev.glovebox.coder;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Functions of Python whose body is {@code pass}, dots, or says that it is none. */
final class PythonStubs implements Stubs {

    private static final Pattern CLASS =
            Pattern.compile("(?m)^([ \\t]*)class[ \\t]+(\\w+)[ \\t]*(?:\\[[^\\]\\n]*\\])?(\\()?");
    private static final Pattern FUNCTION =
            Pattern.compile("(?m)^([ \\t]*)(?:async[ \\t]+)?def[ \\t]+(\\w+)[^(\\n]{0,100}\\(");
    private static final Pattern DOCSTRING =
            Pattern.compile(
                    "^\\s*[rRuUbBfF]{0,2}(?:\"\"\"\\s*+\"\"\"|'''\\s*+'''|\"[ \\t]*+\"|'[ \\t]*+')");
    private static final Pattern NOTHING =
            Pattern.compile(
                    "(?:pass|\\.\\.\\.|return[ \\t]+(?:None|\\.\\.\\.)|raise[ \\t]+NotImplementedError\\b.*|raise[ \\t]+NotImplemented\\b.*)?",
                    Pattern.DOTALL);
    private static final Pattern ABSTRACT =
            Pattern.compile("^[ \\t]*@(?:\\w+\\.)*(?:abstract\\w*|overload)\\b");
    private static final Pattern OPEN_CLASS = Pattern.compile("\\b(?:Protocol|ABC|ABCMeta)\\b");
    private static final Pattern MAY_BE_EMPTY = Pattern.compile("(?i)__\\w+__|_?no_?op|_");
    private static final Pattern DOTS =
            Pattern.compile("(?m)^[ \\t]+\\.\\.\\.[ \\t]*$|^\\.\\.\\.$");
    private static final Pattern MAY_HOLD_DOTS = Pattern.compile("[ \\t]*(?:class|except)\\b.*");

    @Override
    public Set<String> bases(Source source) {
        Set<String> bases = new HashSet<>();
        Matcher header = CLASS.matcher(source.code());
        for (int i = 0; i < MOST_FUNCTIONS && header.find(); i++) {
            for (String word : arguments(source, header).split("\\W+", -1)) {
                bases.add(word);
            }
        }
        return bases;
    }

    private static String arguments(Source source, Matcher header) {
        if (header.group(3) == null) {
            return "";
        }
        int close = source.closing(header.start(3));
        return close < 0 ? "" : source.code().substring(header.start(3) + 1, close);
    }

    @Override
    public List<String> in(Source source, Set<String> overridden) {
        List<String> problems = new ArrayList<>();
        Set<Integer> seen = new HashSet<>();
        Matcher function = FUNCTION.matcher(source.code());
        for (int i = 0; i < MOST_FUNCTIONS && function.find(); i++) {
            int line = source.lineOf(function.start(2));
            int close = source.closing(function.end() - 1);
            int colon = close < 0 ? -1 : source.code().indexOf(':', close);
            if (colon < 0) {
                continue;
            }
            int end = end(source, source.lineOf(colon), function.group(1).length());
            String body = source.code().substring(colon + 1, Math.max(colon + 1, end));
            if (!NOTHING.matcher(statements(body)).matches()) {
                continue;
            }
            for (int at = line; at <= source.lineOf(Math.max(colon, end - 1)); at++) {
                seen.add(at);
            }
            if (!MAY_BE_EMPTY.matcher(function.group(2)).matches()
                    && !isOpen(source, line, function.group(1).length(), overridden)) {
                problems.add("line %d: ".formatted(line) + ADVICE.formatted(function.group(2)));
            }
        }
        dots(source, seen, problems);
        return problems;
    }

    private static String statements(String body) {
        Matcher doc = DOCSTRING.matcher(body);
        String rest = doc.find() ? body.substring(doc.end()) : body;
        return rest.strip().replaceAll("[; \\t]+$", "");
    }

    /** Where the lines end that are further in than a header, which stands on a line. */
    private static int end(Source source, int line, int indent) {
        int last = line;
        for (int i = line + 1; i <= source.lines(); i++) {
            if (source.isBlank(i)) {
                continue;
            }
            if (Source.indent(source.codeLine(i)).length() <= indent
                    && !isWithinString(source, i)) {
                break;
            }
            last = i;
        }
        return source.end(last);
    }

    /** The lines of a docstring may begin anywhere; in the code they are blank, but for its end. */
    private static boolean isWithinString(Source source, int line) {
        String code = source.codeLine(line).strip();
        return code.equals("\"\"\"") || code.equals("'''");
    }

    /** Whether it is there for others to fill in. */
    private static boolean isOpen(Source source, int line, int indent, Set<String> overridden) {
        for (int i = line - 1; i >= 1; i--) {
            String code = source.codeLine(i);
            if (code.isBlank()) {
                continue;
            }
            if (ABSTRACT.matcher(code).find()) {
                return true;
            }
            if (!code.strip().startsWith("@")) {
                break;
            }
        }
        for (int i = line - 1; i >= 1 && indent > 0; i--) {
            String code = source.codeLine(i);
            if (code.isBlank() || Source.indent(code).length() >= indent) {
                continue;
            }
            Matcher header = CLASS.matcher(code);
            return header.find()
                    && (overridden.contains(header.group(2)) || OPEN_CLASS.matcher(code).find());
        }
        return false;
    }

    private static void dots(Source source, Set<Integer> seen, List<String> problems) {
        Matcher dots = DOTS.matcher(source.code());
        while (problems.size() < MOST_PROBLEMS && dots.find()) {
            int line = source.lineOf(dots.end() - 1);
            int indent = Source.indent(source.codeLine(line)).length();
            int header = line - 1;
            while (header > 0
                    && (source.isBlank(header)
                            || Source.indent(source.codeLine(header)).length() >= indent)) {
                header--;
            }
            boolean fine =
                    seen.contains(line)
                            || (header > 0
                                    && MAY_HOLD_DOTS.matcher(source.codeLine(header)).matches());
            if (!fine) {
                problems.add("line %d: dots stand for code that is not there".formatted(line));
            }
        }
    }
}
