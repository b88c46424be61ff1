package dev.glovebox.coder;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What Node itself has for a package that cannot be installed. Only where it does just the same.
 */
final class NodeSubstitutes {

    private static final Pattern DATE =
            Pattern.compile(
                    "\\bmoment\\(\\)\\.(?:format\\([\"']YYYY-MM-DD[\"']\\)|toISOString\\(\\))");

    private final Table packages = new Table("node-substitutes.tsv", 1);
    private final Table lodash = new Table("lodash.tsv", 1);

    List<Rule.Change> of(Scene scene, String name) {
        Optional<String> text =
                switch (name) {
                    case "lodash" -> lodash(scene);
                    case "uuid" -> uuid(scene.source());
                    case "moment" -> moment(scene);
                    default -> packages.row(name).flatMap(row -> bound(scene, name, row.cell(1)));
                };
        return text.map(changed ->
                        scene.change(
                                changed,
                                Mistake.MISSING_MODULE,
                                "The package '"
                                        + name
                                        + "' is not there, and nothing can be installed",
                                "Use what Node has for it",
                                0.8))
                .orElse(List.of());
    }

    List<Rule.Change> forAny(Scene scene) {
        for (String name : scene.artifact().dependencies()) {
            for (Rule.Change change : of(scene, name)) {
                List<String> fewer =
                        scene.artifact().dependencies().stream()
                                .filter(d -> !d.equals(name))
                                .toList();
                return List.of(
                        new Rule.Change(change.artifact().dependencies(fewer), change.diagnosis()));
            }
        }
        return List.of();
    }

    /** The statement that names the package; its first group is the name that it gets. */
    private static Matcher statement(Source source, String name) {
        String quoted = "[\"']" + Pattern.quote(name) + "[\"']";
        return Pattern.compile(
                        "(?m)^(?:(?:const|let|var)[ \t]+(\\w+|\\{[^}\n]*\\})[ \t]*=[ \t]*require\\("
                                + quoted
                                + "\\)|import[ \t]+(?:\\*[ \t]+as[ \t]+)?(\\w+|\\{[^}\n]*\\})[ \t]+from[ \t]+"
                                + quoted
                                + ");?[ \t]*$")
                .matcher(source.text());
    }

    private static Optional<String> bound(Scene scene, String name, String expression) {
        Source source = scene.source();
        Matcher statement = statement(source, name);
        if (!statement.find()) {
            return Optional.empty();
        }
        String bound = statement.group(1) == null ? statement.group(2) : statement.group(1);
        if (bound.startsWith("{")) {
            return Optional.empty();
        }
        boolean requires = expression.contains("require(");
        if (requires && NodeCode.isModule(scene.artifact(), scene.file())) {
            return Optional.empty();
        }
        // What Node has under the very same name needs no statement.
        String by = bound.equals(expression) ? "" : "const " + bound + " = " + expression + ";";
        return Optional.of(source.with(statement.start(), statement.end(), by));
    }

    private Optional<String> lodash(Scene scene) {
        Source source = scene.source();
        Matcher statement = statement(source, "lodash");
        if (!statement.find()) {
            return Optional.empty();
        }
        String bound = statement.group(1) == null ? statement.group(2) : statement.group(1);
        Set<String> used = new LinkedHashSet<>();
        if (bound.startsWith("{")) {
            for (String name : bound.substring(1, bound.length() - 1).split(",", -1)) {
                used.add(name.strip());
            }
        } else {
            source.find(Pattern.compile("(?<![\\w.])" + Pattern.quote(bound) + "\\.(\\w+)"))
                    .forEach(found -> used.add(found.group(1)));
            if (source.has(Pattern.compile("(?<![\\w.])" + Pattern.quote(bound) + "\\("))) {
                return Optional.empty();
            }
        }
        used.remove("");
        boolean module = NodeCode.isModule(scene.artifact(), scene.file());
        boolean known =
                used.stream()
                        .allMatch(name ->
                                lodash.row(name)
                                        .filter(row -> !module || !row.cell(1).contains("require("))
                                        .isPresent());
        if (!known || used.isEmpty()) {
            return Optional.empty();
        }
        StringBuilder object = new StringBuilder("const ").append(bound).append(" = {\n");
        for (String name : used) {
            object.append("  ").append(name).append(": ");
            object.append(lodash.row(name).orElseThrow().cell(1)).append(",\n");
        }
        return Optional.of(
                source.with(statement.start(), statement.end(), object.append("};").toString()));
    }

    private static Optional<String> uuid(Source source) {
        Matcher statement = statement(source, "uuid");
        if (!statement.find()) {
            return Optional.empty();
        }
        boolean module = statement.group(1) == null;
        String names = module ? statement.group(2) : statement.group(1);
        Matcher four =
                Pattern.compile("\\{[ \t]*v4(?:[ \t]*(?::|as)[ \t]*(\\w+))?[ \t]*\\}")
                        .matcher(names);
        if (!four.matches()) {
            return Optional.empty();
        }
        String name = four.group(1) == null ? "v4" : four.group(1);
        return Optional.of(
                source.with(
                        statement.start(),
                        statement.end(),
                        module
                                ? "import { randomUUID as " + name + " } from \"node:crypto\";"
                                : "const { randomUUID: "
                                        + name
                                        + " } = require(\"node:crypto\");"));
    }

    /** Only today, as ISO writes it. */
    private static Optional<String> moment(Scene scene) {
        Source source = scene.source();
        Matcher statement = statement(source, "moment");
        if (!statement.find()) {
            return Optional.empty();
        }
        String without = source.with(statement.start(), statement.end(), "");
        String text =
                DATE.matcher(without)
                        .replaceAll(match ->
                                match.group().contains("format")
                                        ? "new Date().toLocaleDateString(\"sv-SE\")"
                                        : "new Date().toISOString()");
        return source.as(text).has(Pattern.compile("\\bmoment\\b"))
                ? Optional.empty()
                : Optional.of(text);
    }
}
