package dev.glovebox.coder;

import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Writes a file in the module system that Node reads it in. */
final class ModuleSystems implements Rule {

    private static final Pattern REQUIRE =
            Pattern.compile(
                    "(?m)^([ \t]*)(?:const|let|var)[ \t]+(\\w+|\\{[^}\n]*\\})[ \t]*=[ \t]*require\\(([\"'][^\"'\n]*[\"'])\\)((?:\\.\\w+)?)[ \t]*;?[ \t]*$");
    private static final Pattern BARE_REQUIRE = Pattern.compile("\\brequire\\(");
    private static final Pattern PLACE = Pattern.compile("\\b__(dirname|filename)\\b");

    @Override
    public List<Change> changes(Scene scene) {
        if (!scene.isNode()) {
            return List.of();
        }
        Problem problem = scene.problem();
        boolean inModule =
                problem.says("is not defined in ES module scope")
                        || problem.says("is not defined, did you mean");
        if (problem.is("ReferenceError") && inModule) {
            return asModule(scene);
        }
        if (problem.is("SyntaxError")
                && (problem.says("Cannot use import statement outside a module")
                        || problem.says("Unexpected token 'export'")
                        || problem.says("Cannot use 'import.meta' outside a module"))) {
            return renamed(scene);
        }
        return List.of();
    }

    private static List<Change> asModule(Scene scene) {
        Source source = scene.source();
        String text =
                REQUIRE.matcher(source.text())
                        .replaceAll(match ->
                                Matcher.quoteReplacement(
                                        imported(
                                                match.group(1),
                                                match.group(2),
                                                match.group(3),
                                                match.group(4))));
        Source now = source.as(text);
        now =
                now.as(
                        now.replace(
                                Pattern.compile(
                                        "\\bmodule\\.exports[ \t]*=[ \t]*(?=\\{[ \t\\w,]*\\})"),
                                found -> "export "));
        now =
                now.as(
                        now.replace(
                                Pattern.compile("\\bmodule\\.exports[ \t]*="),
                                found -> "export default"));
        now =
                now.as(
                        now.replace(
                                Pattern.compile("(?m)^(?:module\\.)?exports\\.(\\w+)[ \t]*="),
                                found -> "export const " + found.group(1) + " ="));
        now =
                now.as(
                        now.replace(
                                Pattern.compile("\\brequire\\.main[ \t]*===?[ \t]*module\\b"),
                                found -> "true"));
        boolean more = now.has(BARE_REQUIRE) && !now.text().contains("createRequire");
        if (more) {
            now =
                    now.as(
                            NodeCode.importing(
                                    now, "const require = createRequire(import.meta.url);"));
            now = now.as(NodeCode.importing(now, "import { createRequire } from \"node:module\";"));
        }
        if (now.has(PLACE)
                && !now.has(Pattern.compile("\\b(?:const|let|var)[ \t]+__(?:dir|file)name\\b"))) {
            now =
                    now.as(
                            NodeCode.importing(
                                    now,
                                    "const __dirname = import.meta.dirname ?? decodeURIComponent(new URL(\".\", import.meta.url).pathname).replace(/\\/$/, \"\");"));
            now =
                    now.as(
                            NodeCode.importing(
                                    now,
                                    "const __filename = decodeURIComponent(new URL(import.meta.url).pathname);"));
        }
        return scene.change(
                now.text(),
                Mistake.MODULE_SYSTEM,
                "The file is read as an ES module, and uses what only CommonJS has",
                "Write it as an ES module",
                0.9);
    }

    private static String imported(String indent, String names, String from, String member) {
        if (!member.isEmpty() || !indent.isEmpty()) {
            return member.isEmpty()
                    ? indent + "const " + names + " = require(" + from + ");"
                    : indent + "const " + names + " = require(" + from + ")" + member + ";";
        }
        boolean local = from.startsWith(".", 1);
        boolean whole = !names.startsWith("{");
        // A file of ours may export names and no default.
        String bound =
                whole && local
                        ? "* as " + names
                        : names.replaceAll("(\\w+)[ \t]*:[ \t]*(\\w+)", "$1 as $2");
        return "import " + bound + " from " + from + ";";
    }

    /** A file that is written as an ES module gets the name of one. */
    private static List<Change> renamed(Scene scene) {
        CodeArtifact old = scene.artifact();
        String name = scene.file().replaceFirst("\\.(?:c?js)$", ".mjs");
        if (name.equals(scene.file()) || old.files().containsKey(name)) {
            return List.of();
        }
        SortedMap<String, String> files = new TreeMap<>(old.files());
        files.put(name, String.valueOf(files.remove(scene.file())));
        String entry = scene.file().equals(old.entry()) ? name : old.entry();
        return scene.change(
                new CodeArtifact(old.language(), files, entry, old.dependencies(), old.arguments()),
                Mistake.MODULE_SYSTEM,
                "The file is read as CommonJS, and is written as an ES module",
                "Name it " + name,
                0.9);
    }
}
