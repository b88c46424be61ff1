package dev.glovebox.coder;

import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Awaits what is asynchronous, in functions that may. */
final class PythonAwait implements Rule {

    private static final Pattern NEVER =
            Pattern.compile("RuntimeWarning: coroutine '([\\w.<>]{1,100})' was never awaited");
    private static final Pattern AWAIT = Pattern.compile("\\bawait[ \t]+");
    private static final String IMPORT = "import asyncio";

    @Override
    public List<Change> changes(Scene scene) {
        if (!scene.isPython()) {
            return List.of();
        }
        Problem problem = scene.problem();
        boolean outside =
                problem.is("SyntaxError")
                        && scene.line() > 0
                        && (problem.says("'await' outside")
                                || problem.says("'async with' outside")
                                || problem.says("'async for' outside"));
        if (outside) {
            Optional<PythonCode.Function> function =
                    PythonCode.around(scene.source(), scene.line());
            return function.isPresent() ? async(scene, function.get()) : run(scene);
        }
        Matcher never = NEVER.matcher(scene.stderr());
        return never.find() ? awaited(scene, never.group(1)) : List.of();
    }

    private static List<Change> async(Scene scene, PythonCode.Function function) {
        if (function.async()) {
            return List.of();
        }
        Source source = scene.source();
        int def = source.start(function.line()) + function.indent().length();
        return said(
                scene,
                source.with(def, def, "async "),
                "Make '" + function.name() + "' asynchronous");
    }

    /** Outside of functions: run it to its end. */
    private static List<Change> run(Scene scene) {
        Source source = scene.source();
        Source line = source.as(source.line(scene.line()));
        Matcher await = AWAIT.matcher(line.code());
        if (!await.find()) {
            return List.of();
        }
        int end = callEnd(line, await.end());
        if (end < 0) {
            return List.of();
        }
        String changed =
                line.with(
                        await.start(),
                        end,
                        "asyncio.run(" + line.text().substring(await.end(), end) + ")");
        String text =
                PythonCode.importing(source.as(source.withLine(scene.line(), changed)), IMPORT);
        return said(scene, text, "Run it with asyncio");
    }

    private static int callEnd(Source line, int from) {
        int open = line.code().indexOf('(', from);
        boolean call = open > 0 && line.code().substring(from, open).matches("[\\w.]+");
        return call ? line.closing(open) + 1 : -1;
    }

    private static List<Change> awaited(Scene scene, String qualified) {
        String name = qualified.substring(qualified.lastIndexOf('.') + 1);
        if (!name.matches("\\w+")) {
            return List.of();
        }
        Source source = scene.source();
        Pattern call = Pattern.compile("(?<![\\w.])((?:\\w+\\.)*)" + name + "\\(");
        String text = source.text();
        boolean runs = false;
        for (Source.Found found : source.find(call).reversed()) {
            String before =
                    source.code()
                            .substring(source.start(source.lineOf(found.start())), found.start());
            boolean handled =
                    before.matches(
                            "(?s).*(?:\\bawait[ \t]+|\\bdef[ \t]+|\\b(?:run|gather|create_task|ensure_future|wait|wait_for|as_completed|run_until_complete|TaskGroup|append)\\([^)]*|\\[[^\\]]*)");
            Source now = source.as(text);
            int close = now.closing(found.match().end() - 1);
            if (handled || close < 0) {
                continue;
            }
            Optional<PythonCode.Function> around =
                    PythonCode.around(source, source.lineOf(found.start()));
            boolean inAsync = around.isPresent() && around.get().async();
            String called = now.text().substring(found.start(), close + 1);
            boolean attribute =
                    close + 1 < now.code().length()
                            && ".[".indexOf(now.code().charAt(close + 1)) >= 0;
            String awaits = attribute ? "(await " + called + ")" : "await " + called;
            text =
                    now.with(
                            found.start(),
                            close + 1,
                            inAsync ? awaits : "asyncio.run(" + called + ")");
            runs |= !inAsync;
        }
        return said(
                scene,
                runs ? PythonCode.importing(source.as(text), IMPORT) : text,
                "Await '" + name + "'");
    }

    private static List<Change> said(Scene scene, String text, String fix) {
        return scene.change(
                text,
                Mistake.ASYNC,
                "Something asynchronous is not awaited where it may be",
                fix,
                0.85);
    }
}
