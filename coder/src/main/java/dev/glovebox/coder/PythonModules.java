package dev.glovebox.coder;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Finds the module that is missing: beside the program, under a new name, or in the index. */
final class PythonModules implements Rule {

    static final Pattern MISSING = Pattern.compile("^No module named '([\\w.]{1,100})'(;.*)?$");
    private static final Pattern NAME = Pattern.compile("[A-Za-z][A-Za-z0-9_]*");

    private final boolean index;
    private final Table distributions = new Table("python-distributions.tsv", 1);
    private final Table standard = new Table("python-modules.tsv", 1);
    private final Table renamed = new Table("python-renamed-modules.tsv", 1);
    private final PythonSubstitutes substitutes = new PythonSubstitutes();

    PythonModules(boolean index) {
        this.index = index;
    }

    @Override
    public List<Change> changes(Scene scene) {
        if (!scene.isPython()) {
            return List.of();
        }
        if (scene.report().step() == ExecutionReport.Step.INSTALL) {
            return substitutes.forAny(scene);
        }
        Matcher missing = MISSING.matcher(scene.problem().message());
        if (!scene.problem().is("ModuleNotFoundError") || !missing.matches()) {
            return List.of();
        }
        String module = missing.group(1);
        String top = module.contains(".") ? module.substring(0, module.indexOf('.')) : module;
        List<Change> changes = new ArrayList<>();
        changes.addAll(beside(scene, top));
        changes.addAll(renamed(scene, module));
        if (!changes.isEmpty() || missing.group(2) != null || standard.has(top)) {
            return changes;
        }
        changes.addAll(misspelt(scene, top));
        changes.addAll(index ? installed(scene, module, top) : substitutes.of(scene, top));
        return changes;
    }

    private static List<Change> beside(Scene scene, String top) {
        Optional<String> file =
                scene.artifact().files().keySet().stream()
                        .filter(name -> name.endsWith(".py") && !name.contains("/"))
                        .map(name -> name.substring(0, name.length() - 3))
                        .filter(name -> plain(name).equals(plain(top)) && !name.equals(top))
                        .filter(name -> NAME.matcher(name).matches())
                        .findFirst();
        return file.map(name ->
                        scene.change(
                                imported(scene.source(), top, name),
                                Mistake.MISSING_MODULE,
                                "There is no module '" + top + "', but a file " + name + ".py",
                                "Import that",
                                0.9))
                .orElse(List.of());
    }

    private static String plain(String name) {
        return name.replace("_", "").toLowerCase(java.util.Locale.ROOT);
    }

    private List<Change> renamed(Scene scene, String module) {
        return renamed.row(module)
                .map(row ->
                        scene.change(
                                imported(scene.source(), module, row.cell(1)),
                                row.cell(2).equals("python2")
                                        ? Mistake.PYTHON_2
                                        : Mistake.REMOVED_API,
                                "There is no module '" + module + "' any more",
                                "Import " + row.cell(1) + ", which took its place",
                                0.9))
                .orElse(List.of());
    }

    private List<Change> misspelt(Scene scene, String top) {
        if (distributions.has(top) || top.length() < 4) {
            return List.of();
        }
        return Nearest.within(1, top, standard.keys())
                .map(meant ->
                        scene.change(
                                imported(scene.source(), top, meant),
                                Mistake.MISSING_MODULE,
                                "There is no module '" + top + "'",
                                "Import '" + meant + "' of the standard library",
                                0.75))
                .orElse(List.of());
    }

    private List<Change> installed(Scene scene, String module, String top) {
        String name =
                distributions
                        .row(module)
                        .or(() -> distributions.row(top))
                        .map(row -> row.cell(1))
                        .orElse(top);
        boolean asked =
                scene.artifact().dependencies().stream()
                        .anyMatch(d -> bare(d).equalsIgnoreCase(name));
        if (asked || !NAME.matcher(top).matches()) {
            return List.of();
        }
        List<String> more = new ArrayList<>(scene.artifact().dependencies());
        more.add(name);
        return scene.change(
                scene.artifact().dependencies(more),
                Mistake.MISSING_MODULE,
                "The module '" + module + "' is not installed",
                "Install " + name,
                distributions.has(top) ? 0.9 : 0.7);
    }

    private static String bare(String requirement) {
        return requirement.split("[<>=!~;\\[ ]", 2)[0];
    }

    /** The text with another module wherever one is imported; it keeps the name that it has. */
    static String imported(Source source, String module, String by) {
        String quoted = Pattern.quote(module);
        String from =
                source.replace(
                        Pattern.compile("(?m)^([ \t]*from[ \t]+)" + quoted + "(?=[ \t.])"),
                        found -> found.group(1) + by);
        Source next = source.as(from);
        String named =
                next.replace(
                        Pattern.compile(
                                "(?m)^([ \t]*import[ \t]+(?:[\\w.]+[ \t]*,[ \t]*)*)"
                                        + quoted
                                        + "(?=[ \t]*(?:,|;|$))"),
                        found ->
                                found.group(1)
                                        + (module.contains(".") ? by : by + " as " + module));
        Source last = next.as(named);
        return last.replace(
                Pattern.compile(
                        "(?m)^([ \t]*import[ \t]+(?:[\\w.]+[ \t]*,[ \t]*)*)"
                                + quoted
                                + "(?=[ \t]+as\\b)"),
                found -> found.group(1) + by);
    }
}
