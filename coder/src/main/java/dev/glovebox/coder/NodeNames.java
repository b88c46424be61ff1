package dev.glovebox.coder;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Takes what a name stands for from a module of Node. */
final class NodeNames implements Rule {

    private static final Pattern UNDEFINED = Pattern.compile("^(\\w{1,60}) is not defined$");

    private static final Pattern WEB_CRYPTO =
            Pattern.compile("^crypto\\.\\w{1,40} is not a function$");

    private final Table names = new Table("node-names.tsv", 1);

    @Override
    public List<Change> changes(Scene scene) {
        Matcher undefined = UNDEFINED.matcher(scene.problem().message());
        Matcher other = WEB_CRYPTO.matcher(scene.problem().message());
        boolean unnamed =
                scene.isNode()
                        && scene.problem().is("TypeError")
                        && other.matches()
                        && !scene.source().text().contains("crypto\"")
                        && !scene.source().text().contains("crypto'");
        if (unnamed) {
            // The global of that name is the one that browsers have.
            return names.row("crypto").map(row -> imported(scene, row)).orElse(List.of());
        }
        if (!scene.isNode() || !scene.problem().is("ReferenceError") || !undefined.matches()) {
            return List.of();
        }
        return names.row(undefined.group(1)).map(row -> imported(scene, row)).orElse(List.of());
    }

    private static List<Change> imported(Scene scene, Table.Row row) {
        String name = row.cell(0);
        boolean whole = row.cell(2).equals("module");
        boolean used =
                scene.source()
                        .has(
                                Pattern.compile(
                                        "(?<![\\w.])"
                                                + name
                                                + (whole ? "\\.\\w|(?<![\\w.])assert\\(" : "\\b")));
        if (!used) {
            return List.of();
        }
        String bound = whole ? name : "{ " + name + " }";
        String statement =
                NodeCode.isModule(scene.artifact(), scene.file())
                        ? "import " + bound + " from \"node:" + row.cell(1) + "\";"
                        : "const " + bound + " = require(\"node:" + row.cell(1) + "\");";
        return scene.change(
                NodeCode.importing(scene.source(), statement),
                Mistake.MISSING_IMPORT,
                "'" + name + "' is used, but not imported",
                "Take it from " + row.cell(1),
                0.9);
    }
}
