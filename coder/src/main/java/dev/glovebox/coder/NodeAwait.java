package dev.glovebox.coder;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Awaits promises, in functions that may. */
final class NodeAwait implements Rule {

    private static final Pattern FUNCTION =
            Pattern.compile(
                    "(\\basync[ \t]+)?(?:\\bfunction\\b[ \t]*\\*?[ \t]*(\\w*)[ \t]*\\([^)]*\\)[ \t\n]*\\{|(\\([^()]*\\)|\\b\\w+)[ \t]*=>[ \t\n]*\\{|(?m)^[ \t]+(\\w+)\\([^()\n]*\\)[ \t]*\\{)");
    private static final Pattern ASYNC_NAME =
            Pattern.compile(
                    "\\basync[ \t]+function[ \t]+(\\w+)|\\b(?:const|let|var)[ \t]+(\\w+)[ \t]*=[ \t]*async\\b");
    private static final Pattern NOT_FUNCTIONS = Pattern.compile("if|for|while|switch|catch");

    @Override
    public List<Change> changes(Scene scene) {
        if (!scene.isNode()) {
            return List.of();
        }
        Problem problem = scene.problem();
        boolean pointsAtAwait =
                problem.is("SyntaxError")
                        && scene.line() > 0
                        && scene.column() >= 0
                        && line(scene).startsWith("await", scene.column());
        if (pointsAtAwait) {
            return async(scene);
        }
        boolean promised =
                scene.report().stdout().contains("[object Promise]")
                        || scene.report().stdout().contains("Promise {")
                        || (problem.is("TypeError")
                                && (problem.says("is not a function")
                                        || problem.says("is not iterable")
                                        || problem.says("of undefined")));
        return promised ? awaited(scene) : List.of();
    }

    private static String line(Scene scene) {
        return scene.source().codeLine(scene.line());
    }

    private record Body(int start, int open, int close, boolean async) {}

    private static List<Body> bodies(Source source) {
        List<Body> bodies = new ArrayList<>();
        for (Source.Found found : source.find(FUNCTION)) {
            int open = found.match().end() - 1;
            int close = source.closing(open);
            boolean method = found.match().start(4) >= 0;
            if (close < 0 || (method && NOT_FUNCTIONS.matcher(found.group(4)).matches())) {
                continue;
            }
            int at =
                    method
                            ? found.match().start(4)
                            : found.match().start(3) >= 0 ? found.match().start(3) : found.start();
            String before = source.code().substring(Math.max(0, at - 10), at);
            boolean async = found.match().start(1) >= 0 || before.matches("(?s).*\\basync[ \t]+");
            bodies.add(new Body(at, open, close, async));
        }
        return bodies;
    }

    private static java.util.Optional<Body> around(Source source, int position) {
        return bodies(source).stream()
                .filter(body -> body.open() < position && position <= body.close())
                .max(java.util.Comparator.comparingInt(Body::open));
    }

    private static List<Change> async(Scene scene) {
        Source source = scene.source();
        Matcher await = Pattern.compile("\\bawait\\b").matcher(source.code());
        await.region(source.start(scene.line()), source.end(scene.line()));
        if (!await.find()) {
            return List.of();
        }
        return around(source, await.start())
                .map(body ->
                        body.async()
                                ? List.<Change>of()
                                : said(
                                        scene,
                                        source.with(body.start(), body.start(), "async "),
                                        "Make the function asynchronous"))
                .orElseGet(() -> wrapped(scene));
    }

    /** CommonJS has no await outside of functions: all of the program becomes one. */
    private static List<Change> wrapped(Scene scene) {
        Source source = scene.source();
        if (NodeCode.isModule(scene.artifact(), scene.file())) {
            return List.of();
        }
        return said(
                scene,
                "(async () => {\n"
                        + source.text()
                        + (source.text().endsWith("\n") ? "" : "\n")
                        + "})();\n",
                "Put the program into an asynchronous function");
    }

    private static List<Change> awaited(Scene scene) {
        Source source = scene.source();
        String text = source.text();
        for (Source.Found named : source.find(ASYNC_NAME)) {
            String name = named.group(1) + named.group(2);
            Pattern call = Pattern.compile("(?<![\\w.])" + name + "\\(");
            for (Source.Found found : source.as(text).find(call).reversed()) {
                Source now = source.as(text);
                int from = found.start();
                int close = now.closing(found.match().end() - 1);
                String before = now.code().substring(now.start(now.lineOf(from)), from);
                String after = close < 0 ? "" : now.code().substring(close + 1).stripLeading();
                boolean handled =
                        close < 0
                                || before.matches(
                                        ".*(?:\\bawait[ \t]+|\\bfunction[ \t]+|\\breturn[ \t]+)")
                                || before.matches(".*Promise\\.\\w+\\(.*")
                                || after.startsWith(".then")
                                || after.startsWith(".catch")
                                || (before.isBlank() && !after.startsWith("."));
                if (handled) {
                    continue;
                }
                String called = now.text().substring(from, close + 1);
                boolean may = around(now, from).map(Body::async).orElse(false);
                boolean top = around(now, from).isEmpty();
                boolean module = NodeCode.isModule(scene.artifact(), scene.file());
                String awaits =
                        after.startsWith(".") || after.startsWith("[")
                                ? "(await " + called + ")"
                                : "await " + called;
                if (may || (top && module)) {
                    text = now.with(from, close + 1, awaits);
                } else if (top) {
                    String changed = now.with(from, close + 1, awaits);
                    return said(
                            scene,
                            "(async () => {\n"
                                    + changed
                                    + (changed.endsWith("\n") ? "" : "\n")
                                    + "})();\n",
                            "Await '" + name + "'");
                }
            }
        }
        return said(scene, text, "Await it");
    }

    private static List<Change> said(Scene scene, String text, String fix) {
        return scene.change(
                text, Mistake.ASYNC, "A promise is not awaited where it may be", fix, 0.8);
    }
}
