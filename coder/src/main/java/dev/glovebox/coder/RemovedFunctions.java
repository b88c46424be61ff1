package dev.glovebox.coder;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Writes what took the place of a function that a Python module does not have any more. */
final class RemovedFunctions implements Rule {

    private static final Pattern ATTRIBUTE =
            Pattern.compile(
                    "^(?:module|type object) '([\\w.]{1,80})' has no attribute '(\\w{1,80})'.*$");
    private static final Pattern METHOD =
            Pattern.compile(
                    "^type object '(?:datetime\\.)?(datetime)' has no attribute '(datetime|timedelta|date)'.*$");
    private static final Pattern IMPORT =
            Pattern.compile("^cannot import name '(\\w{1,80})' from '([\\w.]{1,80})'.*$");

    private final Table removed = new Table("python-removed.tsv", 2);

    @Override
    public List<Change> changes(Scene scene) {
        String message = scene.problem().message();
        Matcher attribute = ATTRIBUTE.matcher(message);
        Matcher imported = IMPORT.matcher(message);
        Matcher method = METHOD.matcher(message);
        if (!scene.isPython()) {
            return List.of();
        }
        if (scene.problem().is("AttributeError") && method.matches()) {
            return doubled(scene, method.group(2));
        }
        if (scene.problem().is("AttributeError") && attribute.matches()) {
            return removed.row(attribute.group(1), attribute.group(2))
                    .map(row -> used(scene, row))
                    .orElse(List.of());
        }
        if (scene.problem().is("ImportError") && imported.matches()) {
            return removed.row(imported.group(2), imported.group(1))
                    .map(row -> imported(scene, row))
                    .orElse(List.of());
        }
        return List.of();
    }

    /** The class was imported, and is used as if the module was. */
    private static List<Change> doubled(Scene scene, String name) {
        Source source = scene.source();
        String plain =
                source.replace(
                        Pattern.compile("(?<![\\w.])datetime\\." + name + "\\b"), found -> name);
        String text =
                name.equals("datetime")
                        ? plain
                        : PythonCode.importing(source.as(plain), "from datetime import " + name);
        return scene.change(
                text,
                Mistake.MISSING_IMPORT,
                "datetime is the class here, not the module",
                "Write " + name,
                0.85);
    }

    private static Mistake mistake(Table.Row row) {
        return switch (row.cell(4)) {
            case "python2" -> Mistake.PYTHON_2;
            case "name" -> Mistake.NAME;
            default -> Mistake.REMOVED_API;
        };
    }

    private static List<Change> used(Scene scene, Table.Row row) {
        Source source = scene.source();
        String module = row.cell(0);
        String alias = alias(source, module);
        String needed = row.cell(3);
        String by =
                needed.equals(module) && !alias.equals(module)
                        ? row.cell(2).replaceFirst("\\b" + module + "\\b", alias)
                        : row.cell(2);
        Source changed =
                source.as(
                        source.replace(
                                Pattern.compile(
                                        "(?<![\\w.])" + alias + "\\." + row.cell(1) + "\\b"),
                                found -> by));
        boolean there = needed.isEmpty() || needed.equals(module);
        String text = there ? changed.text() : PythonCode.importing(changed, "import " + needed);
        return scene.change(
                text,
                mistake(row),
                "'" + module + "." + row.cell(1) + "' does not exist",
                "Write " + by,
                0.9);
    }

    private static String alias(Source source, String module) {
        Matcher as =
                Pattern.compile(
                                "(?m)^[ \t]*import[ \t]+"
                                        + Pattern.quote(module)
                                        + "[ \t]+as[ \t]+(\\w+)")
                        .matcher(source.code());
        return as.find() ? as.group(1) : module;
    }

    /** {@code from collections import Mapping, deque}: one of the names comes from elsewhere. */
    private static List<Change> imported(Scene scene, Table.Row row) {
        String name = row.cell(1);
        String by = row.cell(2);
        int dot = by.lastIndexOf('.');
        boolean plain = by.matches("[\\w.]+");
        String statement =
                dot > 0 && plain && !row.cell(3).isEmpty()
                        ? "from "
                                + by.substring(0, dot)
                                + " import "
                                + by.substring(dot + 1)
                                + (by.substring(dot + 1).equals(name) ? "" : " as " + name)
                        : by.equals(name) ? "" : name + " = " + by;
        Pattern from =
                Pattern.compile(
                        "(?m)^([ \t]*)from[ \t]+"
                                + Pattern.quote(row.cell(0))
                                + "[ \t]+import[ \t]+([\\w, \t]+)$");
        String text =
                scene.source()
                        .replace(
                                from,
                                found -> {
                                    List<String> others =
                                            Pattern.compile(",")
                                                    .splitAsStream(found.group(2))
                                                    .map(String::strip)
                                                    .filter(n -> !n.equals(name) && !n.isEmpty())
                                                    .toList();
                                    boolean has =
                                            found.group(2)
                                                    .matches(
                                                            "(?:.*[, \t])?"
                                                                    + name
                                                                    + "(?:[, \t].*)?");
                                    if (!has) {
                                        return found.whole();
                                    }
                                    String rest =
                                            others.isEmpty()
                                                    ? ""
                                                    : found.group(1)
                                                            + "from "
                                                            + row.cell(0)
                                                            + " import "
                                                            + String.join(", ", others);
                                    String more =
                                            statement.isEmpty() ? "" : found.group(1) + statement;
                                    return rest
                                            + (rest.isEmpty() || more.isEmpty() ? "" : "\n")
                                            + more;
                                });
        return scene.change(
                text,
                mistake(row),
                "'" + name + "' is not in '" + row.cell(0) + "'",
                "Take it from where it is",
                0.9);
    }
}
