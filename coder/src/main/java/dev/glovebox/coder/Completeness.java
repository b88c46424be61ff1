package dev.glovebox.coder;

import dev.glovebox.sandbox.Language;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Finds what a model left out of code: comments that promise the rest, and functions without a
 * body.
 *
 * <p>What it finds goes back to the model, before a box is spent on it. So it says only what it can
 * be sure of: what stands in a string is not meant, and what is there to be overridden is complete.
 */
final class Completeness {

    private static final Pattern MARKER =
            Pattern.compile(
                    "^[\\W_]*(?:TODO|FIXME)\\b(?![ -](?:app|list|item|manager|entr)|s\\b)"
                            + "|\\b(?:TODO|FIXME)\\s*[:(]"
                            + "|^[\\W_]*(?i:todo|fixme)\\s*:");

    private static final String CODE =
            "(?:code|implementation|logic|function|functions|method|methods|class|program|script|file)";

    private static final Pattern PROMISE =
            Pattern.compile(
                    "^[\\W_]*(?:\\.\\.\\.|…)[\\W_]*$"
                            + ("|(?:\\.\\.\\.|…)\\s*(?:\\(?(?:the |your |and )?)?(?:rest|existing|remaining|previous|same|other|more) (?:of |"
                                    + CODE
                                    + ")")
                            + ("|\\brest of (?:the |your |this )?" + CODE + "\\b")
                            + ("|\\byour (?:own )?" + CODE + " (?:goes |comes |should go )?here\\b")
                            + ("|\\b(?:existing|previous|remaining|other) "
                                    + CODE
                                    + " (?:here|unchanged|omitted|remains?|stays?|goes here|as before|is the same)\\b")
                            + ("|\\b(?:add|put|insert|write|implement) (?:your |the |more |actual |real )*"
                                    + CODE
                                    + " here\\b")
                            + ("|\\b" + CODE + " (?:is |was )?(?:omitted|left out|goes here)\\b")
                            + "|\\bomitted for brevity\\b"
                            + "|\\bleft as an exercise\\b"
                            + "|^[\\W_]*(?:not (?:yet )?implemented|implement (?:this|me|later|it)\\b)"
                            + ("|\\b(?:placeholder|stub) (?:for (?:the )?(?:actual|real) |implementation\\b|"
                                    + CODE
                                    + ")"),
                    Pattern.CASE_INSENSITIVE);

    /** A line that is no code of any language. */
    private static final Pattern GAP =
            Pattern.compile("(?m)^[ \\t]*(?:(?:\\.\\.\\.|…)[ \\t]+[a-z]+ [a-z ]+.*|…)$");

    private static final Pattern FENCE = Pattern.compile("(?m)^[ \\t]*```");

    private Completeness() {}

    /** What is missing in the files of a program, for whoever wrote it; empty: nothing. */
    static List<String> problems(Language language, Map<String, String> files) {
        Set<String> overridden = new HashSet<>();
        List<Source> sources = new ArrayList<>();
        List<String> names = new ArrayList<>();
        files.forEach((name, text) -> {
            if (isCode(language, name)) {
                Source source = Source.of(language, text);
                sources.add(source);
                names.add(name);
                overridden.addAll(Stubs.of(language).bases(source));
            }
        });
        List<String> problems = new ArrayList<>();
        for (int i = 0; i < sources.size() && problems.size() < Stubs.MOST_PROBLEMS; i++) {
            String name = names.get(i);
            of(language, sources.get(i), overridden)
                    .forEach(problem -> problems.add(name + ", " + problem));
        }
        return problems.subList(0, Math.min(Stubs.MOST_PROBLEMS, problems.size()));
    }

    /** Other files are data, or types without bodies. */
    static boolean isCode(Language language, String name) {
        return switch (language) {
            case PYTHON -> name.endsWith(".py");
            case JAVASCRIPT -> name.matches(".*\\.[cm]?js");
            case BASH -> name.endsWith(".sh");
        };
    }

    private static List<String> of(Language language, Source source, Set<String> overridden) {
        List<String> problems = new ArrayList<>();
        if (source.text().isBlank()) {
            // An empty __init__.py is as good as any.
            return problems;
        }
        fence(language, source, problems);
        comments(language, source, problems);
        Matcher gap = GAP.matcher(source.code());
        while (gap.find()) {
            problems.add(at(source, gap.start(), "code is left out"));
        }
        problems.addAll(Stubs.of(language).in(source, overridden));
        return problems;
    }

    /** In JavaScript it may be the text of a template, unless the file begins or ends with it. */
    private static void fence(Language language, Source source, List<String> problems) {
        String text = source.text().strip();
        boolean ends =
                text.startsWith("```")
                        || text.substring(text.lastIndexOf('\n') + 1).strip().startsWith("```");
        boolean within = language == Language.PYTHON && source.has(FENCE);
        if (ends || within) {
            problems.add("there is a Markdown fence in the code: give the code alone");
        }
    }

    private static void comments(Language language, Source source, List<String> problems) {
        if (language == Language.BASH) {
            for (int i = 1; i <= source.lines(); i++) {
                String line = source.line(i).strip();
                if (line.startsWith("#") && isPromise(line)) {
                    problems.add(said(i, line));
                }
            }
            return;
        }
        String[] lines = source.comments().split("\n", -1);
        for (int i = 0; i < lines.length; i++) {
            if (!lines[i].isBlank() && isPromise(lines[i].strip())) {
                problems.add(said(i + 1, lines[i].strip()));
            }
        }
    }

    private static boolean isPromise(String comment) {
        String bounded = comment.length() > 300 ? comment.substring(0, 300) : comment;
        return MARKER.matcher(bounded).find() || PROMISE.matcher(bounded).find();
    }

    private static String said(int line, String comment) {
        String quote = comment.length() > 80 ? comment.substring(0, 80) : comment;
        return "line %d: a comment stands for code that is not there: %s".formatted(line, quote);
    }

    static String at(Source source, int position, String what) {
        return "line %d: %s".formatted(source.lineOf(position), what);
    }
}
