package dev.glovebox.coder;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Finds a file that the program opens: under another name, in a directory to be made, or as a table
 * whose columns the program names. It never makes up anything else.
 */
final class MissingFiles implements Rule {

    private static final Pattern PYTHON =
            Pattern.compile("^\\[Errno 2\\] No such file or directory: '([^'\n]{1,200})'$");
    private static final Pattern NODE =
            Pattern.compile(
                    "^ENOENT: no such file or directory, (?:open|scandir|stat) '([^'\n]{1,200})'$");
    private static final Pattern NAME = Pattern.compile("[\\w-][\\w.-]*(?:/[\\w-][\\w.-]*)*");
    private static final Pattern COLUMN =
            Pattern.compile(
                    "\\b(?:row|r|line|record|rec|item|entry|df|data)\\[[ \t]*[\"']([\\w -]{1,40})[\"'][ \t]*\\]");
    private static final Pattern NUMBER =
            Pattern.compile(
                    "\\b(?:int|float)\\([ \t]*(?:row|r|line|record|rec|item|entry)\\[[ \t]*[\"']([\\w -]{1,40})[\"']");

    @Override
    public List<Change> changes(Scene scene) {
        Matcher missing = (scene.isPython() ? PYTHON : NODE).matcher(scene.problem().message());
        if (!missing.matches() || scene.line() == 0) {
            return List.of();
        }
        String path = missing.group(1);
        String file = path.startsWith("./") ? path.substring(2) : path;
        List<Change> changes = new ArrayList<>(beside(scene, path, file));
        if (!NAME.matcher(file).matches()) {
            return changes;
        }
        if (writes(scene, file)) {
            changes.addAll(directory(scene, file));
        } else if (changes.isEmpty()) {
            changes.addAll(table(scene, file));
        }
        return changes;
    }

    private static List<Change> beside(Scene scene, String path, String file) {
        String base = file.substring(file.lastIndexOf('/') + 1);
        Optional<String> meant =
                scene.artifact().files().keySet().stream()
                        .filter(name ->
                                !name.equals(file) && !name.equals(scene.artifact().entry()))
                        .filter(name ->
                                name.equalsIgnoreCase(file)
                                        || name.substring(name.lastIndexOf('/') + 1).equals(base)
                                        || name.substring(name.lastIndexOf('/') + 1)
                                                .equalsIgnoreCase(base))
                        .findFirst();
        if (meant.isEmpty()) {
            return List.of();
        }
        return scene.change(
                scene.source()
                        .text()
                        .replace("'" + path + "'", "'" + meant.get() + "'")
                        .replace('"' + path + '"', '"' + meant.get() + '"'),
                Mistake.MISSING_FILE,
                "There is no file " + path + ", but " + meant.get(),
                "Open that",
                0.85);
    }

    private static boolean writes(Scene scene, String file) {
        String line = scene.source().line(scene.line());
        boolean mode =
                line.matches(".*[\"'][wax]b?\\+?[\"'].*")
                        || line.matches(
                                ".*(?:writeFile|appendFile|createWriteStream|write_text|write_bytes|to_csv|savefig).*");
        return mode && file.contains("/");
    }

    private static List<Change> directory(Scene scene, String file) {
        Source source = scene.source();
        String directory = file.substring(0, file.lastIndexOf('/'));
        String indent = source.indent(scene.line());
        String made =
                scene.isPython()
                        ? "os.makedirs(\"" + directory + "\", exist_ok=True)"
                        : "require(\"fs\").mkdirSync(\"" + directory + "\", { recursive: true });";
        Source changed = source.as(source.withBefore(scene.line(), indent + made));
        boolean module = scene.isNode() && NodeCode.isModule(scene.artifact(), scene.file());
        String text =
                scene.isPython()
                        ? PythonCode.importing(changed, "import os")
                        : module
                                ? NodeCode.importing(
                                        source.as(
                                                changed.text()
                                                        .replace(
                                                                "require(\"fs\").mkdirSync",
                                                                "mkdirSync")),
                                        "import { mkdirSync } from \"node:fs\";")
                                : changed.text();
        return scene.change(
                text,
                Mistake.MISSING_FILE,
                "The directory " + directory + " is not there",
                "Make it before the file is written",
                0.9);
    }

    /**
     * Only if the program itself says which columns there are: then two rows that show it works.
     */
    private static List<Change> table(Scene scene, String file) {
        Source source = scene.source();
        boolean csv = file.endsWith(".csv") && source.text().contains("DictReader");
        Set<String> columns = matches(COLUMN, source.text());
        if (!csv || columns.isEmpty()) {
            return List.of();
        }
        Set<String> numbers = matches(NUMBER, source.text());
        StringBuilder rows = new StringBuilder(String.join(",", columns)).append('\n');
        for (int i = 1; i <= 2; i++) {
            List<String> cells = new ArrayList<>();
            for (String column : columns) {
                cells.add(numbers.contains(column) ? String.valueOf(10 * i) : column + " " + i);
            }
            rows.append(String.join(",", cells)).append('\n');
        }
        return scene.change(
                scene.artifact().file(file, rows.toString()),
                Mistake.MISSING_FILE,
                "The program reads " + file + ", which is not there",
                "Make an example of it with the columns that are used: "
                        + String.join(", ", columns),
                0.5);
    }

    private static Set<String> matches(Pattern pattern, String text) {
        Set<String> found = new LinkedHashSet<>();
        pattern.matcher(text).results().forEach(match -> found.add(match.group(1)));
        return found;
    }
}
