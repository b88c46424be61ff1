package dev.glovebox.coder;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Imports what a name stands for, or writes the name as this Python has it. */
final class PythonNames implements Rule {

    private static final Pattern UNDEFINED =
            Pattern.compile("^name '(\\w{1,100})' is not defined.*$");
    private static final Map<String, String> FOREIGN =
            Map.of(
                    "null",
                    "None",
                    "nil",
                    "None",
                    "undefined",
                    "None",
                    "NULL",
                    "None",
                    "true",
                    "True",
                    "false",
                    "False",
                    "TRUE",
                    "True",
                    "FALSE",
                    "False");

    private final Table modules = new Table("python-modules.tsv", 1);
    private final Table names = new Table("python-names.tsv", 1);
    private final Table old = new Table("python2-names.tsv", 1);

    @Override
    public List<Change> changes(Scene scene) {
        Matcher undefined = UNDEFINED.matcher(scene.problem().message());
        if (!scene.isPython() || !scene.problem().is("NameError") || !undefined.matches()) {
            return List.of();
        }
        String name = undefined.group(1);
        Source source = scene.source();
        List<Change> changes = new ArrayList<>();
        if (FOREIGN.containsKey(name)) {
            return scene.change(
                    source.replace(Pattern.compile("\\b" + name + "\\b"), f -> FOREIGN.get(name)),
                    Mistake.NAME,
                    "'" + name + "' is a word of another language",
                    "Write " + FOREIGN.get(name),
                    0.95);
        }
        old.row(name).ifPresent(row -> changes.addAll(old(scene, row)));
        boolean attribute = source.has(Pattern.compile("(?<![\\w.])" + name + "\\.\\w"));
        if (name.equals("datetime")) {
            boolean module =
                    source.has(
                            Pattern.compile(
                                    "(?<![\\w.])datetime\\.(?:datetime|date|timedelta|timezone|time)\\b"));
            changes.addAll(
                    imported(
                            scene,
                            name,
                            module ? "import datetime" : "from datetime import datetime"));
        } else if (modules.has(name) && attribute) {
            changes.addAll(imported(scene, name, statement(source, name)));
        } else {
            names.row(name).ifPresent(row -> changes.addAll(imported(scene, name, row.cell(1))));
        }
        return changes;
    }

    /** Of some packages the modules are not there unless they are imported themselves. */
    private static String statement(Source source, String name) {
        Matcher part =
                Pattern.compile(
                                "(?<![\\w.])"
                                        + name
                                        + "\\.(request|parse|error|abc|futures|server|client|etree|dom)\\b")
                        .matcher(source.code());
        boolean deep = part.find();
        String inner =
                deep && part.group(1).equals("etree")
                        ? "etree.ElementTree"
                        : deep ? part.group(1) : "";
        return deep ? "import " + name + "." + inner : "import " + name;
    }

    private static List<Change> imported(Scene scene, String name, String statement) {
        // What is imported already under that name is another thing, or comes too late.
        return scene.change(
                PythonCode.importing(scene.source(), statement),
                Mistake.MISSING_IMPORT,
                "'" + name + "' is used, but not imported",
                "Add '" + statement + "'",
                0.9);
    }

    private static List<Change> old(Scene scene, Table.Row row) {
        Pattern use = Pattern.compile("(?<![\\w.])" + row.cell(0) + "\\b");
        Source changed = scene.source().as(scene.source().replace(use, found -> row.cell(1)));
        String text =
                row.cell(2).isEmpty() ? changed.text() : PythonCode.importing(changed, row.cell(2));
        return scene.change(
                text,
                Mistake.PYTHON_2,
                "'" + row.cell(0) + "' was a name of Python 2",
                "Write " + row.cell(1),
                0.9);
    }
}
