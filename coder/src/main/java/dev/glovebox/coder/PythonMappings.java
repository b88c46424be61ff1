package dev.glovebox.coder;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Begins a count or a list for a key that is new, and goes over a copy of what is changed. */
final class PythonMappings implements Rule {

    private static final Pattern COUNT =
            Pattern.compile(
                    "^([ \t]*)([\\w.]+)\\[([^\\[\\]\n]{1,200}(?:\\[[^\\[\\]\n]*\\])?)\\][ \t]*([+-])=[ \t]*([^\n]*\\S)[ \t]*$");
    private static final Pattern COLLECT =
            Pattern.compile(
                    "^([ \t]*)([\\w.]+)\\[([^\\[\\]\n]{1,200}(?:\\[[^\\[\\]\n]*\\])?)\\]\\.(append|extend|add|update)\\(");
    private static final Pattern LOOP =
            Pattern.compile(
                    "^([ \t]*(?:async[ \t]+)?for[ \t]+[^\n]{1,200}?[ \t]+in[ \t]+)([\\w.]+(?:\\.(?:keys|values|items)\\(\\))?)([ \t]*:[^\n]*)$");

    @Override
    public List<Change> changes(Scene scene) {
        if (!scene.isPython() || scene.line() == 0) {
            return List.of();
        }
        if (scene.problem().is("KeyError")) {
            return begun(scene);
        }
        if (scene.problem().is("RuntimeError")
                && scene.problem().says("changed size during iteration")) {
            return copied(scene);
        }
        return List.of();
    }

    private static List<Change> begun(Scene scene) {
        Source source = scene.source();
        String code = source.codeLine(scene.line());
        String line = source.line(scene.line());
        Matcher count = COUNT.matcher(code);
        if (count.matches()) {
            String key = line.substring(count.start(3), count.end(3));
            String value = line.substring(count.start(5), count.end(5));
            boolean text = value.matches("[fFrR]?[\"'].*");
            boolean list = value.startsWith("[");
            String start = text ? "\"\"" : list ? "[]" : "0";
            return said(
                    scene,
                    count.group(1)
                            + count.group(2)
                            + "["
                            + key
                            + "] = "
                            + count.group(2)
                            + ".get("
                            + key
                            + ", "
                            + start
                            + ") "
                            + count.group(4)
                            + " "
                            + value);
        }
        Matcher collect = COLLECT.matcher(code);
        if (collect.find()) {
            String key = line.substring(collect.start(3), collect.end(3));
            String start =
                    switch (collect.group(4)) {
                        case "add" -> "set()";
                        case "update" -> "{}";
                        default -> "[]";
                    };
            return said(
                    scene,
                    collect.group(1)
                            + collect.group(2)
                            + ".setdefault("
                            + key
                            + ", "
                            + start
                            + ")."
                            + collect.group(4)
                            + "("
                            + line.substring(collect.end()));
        }
        return List.of();
    }

    private static List<Change> said(Scene scene, String line) {
        return scene.change(
                scene.source().withLine(scene.line(), line),
                Mistake.KEY,
                "A key is new, and the program counts or collects under it",
                "Begin with nothing",
                0.9);
    }

    private static List<Change> copied(Scene scene) {
        Source source = scene.source();
        Matcher loop = LOOP.matcher(source.codeLine(scene.line()));
        if (!loop.matches()) {
            return List.of();
        }
        String line = source.line(scene.line());
        return scene.change(
                source.withLine(
                        scene.line(),
                        line.substring(0, loop.start(2))
                                + "list("
                                + loop.group(2)
                                + ")"
                                + line.substring(loop.end(2))),
                Mistake.KEY,
                "A loop changes what it goes over",
                "Go over a copy",
                0.95);
    }
}
