package dev.glovebox.coder;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;

/**
 * What of the standard library does the same as a module that cannot be installed.
 *
 * <p>Only where it does just the same: if a program uses anything else of the module, nothing is
 * replaced.
 */
final class PythonSubstitutes {

    private static final Set<String> TYPING =
            Set.of(
                    "Annotated",
                    "Any",
                    "Final",
                    "Literal",
                    "NamedTuple",
                    "NotRequired",
                    "Optional",
                    "ParamSpec",
                    "Protocol",
                    "Required",
                    "Self",
                    "TypeAlias",
                    "TypedDict",
                    "Union",
                    "assert_never",
                    "final",
                    "overload",
                    "runtime_checkable",
                    "List",
                    "Dict",
                    "Callable");

    private static final Map<String, String> SIX =
            Map.of(
                    "string_types", "(str,)",
                    "text_type", "str",
                    "binary_type", "bytes",
                    "integer_types", "(int,)",
                    "PY2", "False",
                    "PY3", "True",
                    "moves.range", "range");

    private static final Map<String, String> NUMPY =
            Map.ofEntries(
                    Map.entry("mean", "statistics.fmean"),
                    Map.entry("average", "statistics.fmean"),
                    Map.entry("median", "(lambda values: float(statistics.median(values)))"),
                    Map.entry("std", "statistics.pstdev"),
                    Map.entry("var", "statistics.pvariance"),
                    Map.entry("sum", "sum"),
                    Map.entry("prod", "math.prod"),
                    Map.entry("min", "min"),
                    Map.entry("max", "max"),
                    Map.entry("sqrt", "math.sqrt"),
                    Map.entry("log", "math.log"),
                    Map.entry("exp", "math.exp"),
                    Map.entry("sin", "math.sin"),
                    Map.entry("cos", "math.cos"),
                    Map.entry("pi", "math.pi"),
                    Map.entry("e", "math.e"),
                    Map.entry("inf", "math.inf"),
                    Map.entry("nan", "math.nan"),
                    Map.entry("array", "list"));

    private static final String RESPONSE =
            """
            import json
            import urllib.request


            class Response:
                def __init__(self, reply):
                    self.status_code = reply.status or 200
                    self.content = reply.read()
                    self.text = self.content.decode()
                    self.ok = True

                def json(self):
                    return json.loads(self.text)

                def raise_for_status(self):
                    pass


            class requests:
                @staticmethod
                def get(url, timeout=None):
                    return Response(urllib.request.urlopen(url, timeout=timeout))

            """;

    private final Map<String, Function<Source, Optional<String>>> known =
            Map.ofEntries(
                    Map.entry(
                            "simplejson",
                            s -> only(s, "simplejson", "json", "load", "loads", "dump", "dumps")),
                    Map.entry(
                            "ujson",
                            s -> only(s, "ujson", "json", "load", "loads", "dump", "dumps")),
                    Map.entry("toml", s -> only(s, "toml", "tomllib", "loads")),
                    Map.entry("tomli", s -> only(s, "tomli", "tomllib", "load", "loads")),
                    Map.entry("mock", PythonSubstitutes::mock),
                    Map.entry("typing_extensions", PythonSubstitutes::typing),
                    Map.entry("six", PythonSubstitutes::six),
                    Map.entry("numpy", PythonSubstitutes::numpy),
                    Map.entry("requests", PythonSubstitutes::requests),
                    Map.entry("dateutil", PythonSubstitutes::dateutil),
                    Map.entry("pytz", PythonSubstitutes::pytz),
                    Map.entry("tqdm", PythonSubstitutes::tqdm));

    List<Rule.Change> of(Scene scene, String module) {
        Function<Source, Optional<String>> by = known.get(module);
        return by == null
                ? List.of()
                : by.apply(scene.source())
                        .map(text ->
                                scene.change(
                                        text,
                                        Mistake.MISSING_MODULE,
                                        "The module '"
                                                + module
                                                + "' is not there, and nothing can be installed",
                                        "Use what the standard library has for it",
                                        0.8))
                        .orElse(List.of());
    }

    /** After an installation that failed: the first dependency that can be done without. */
    List<Rule.Change> forAny(Scene scene) {
        for (String module : known.keySet().stream().sorted().toList()) {
            if (!scene.artifact().dependencies().contains(module)) {
                continue;
            }
            for (Rule.Change change : of(scene, module)) {
                List<String> fewer =
                        scene.artifact().dependencies().stream()
                                .filter(d -> !d.equals(module))
                                .toList();
                return List.of(
                        new Rule.Change(change.artifact().dependencies(fewer), change.diagnosis()));
            }
        }
        return List.of();
    }

    /** Whether all that is used of a name is among some attributes. */
    private static boolean uses(Source source, String name, Set<String> attributes) {
        return source
                .find(Pattern.compile("(?<![\\w.])" + name + "\\b(?:\\.(\\w+(?:\\.range)?))?"))
                .stream()
                .filter(found -> !inImport(source, found.start()))
                .allMatch(found -> attributes.contains(found.group(1)));
    }

    private static boolean inImport(Source source, int position) {
        return source.codeLine(source.lineOf(position)).strip().matches("(?:import|from)\\b.*");
    }

    private static Optional<String> only(
            Source source, String module, String by, String... functions) {
        return uses(source, module, Set.of(functions))
                ? Optional.of(PythonModules.imported(source, module, by))
                : Optional.empty();
    }

    private static Optional<String> mock(Source source) {
        Source plain =
                source.as(
                        source.replace(
                                Pattern.compile("(?m)^([ \t]*)import[ \t]+mock[ \t]*$"),
                                found -> found.group(1) + "from unittest import mock"));
        return Optional.of(
                plain.replace(
                        Pattern.compile("(?m)^([ \t]*)from[ \t]+mock[ \t]+import\\b"),
                        found -> found.group(1) + "from unittest.mock import"));
    }

    private static Optional<String> typing(Source source) {
        Pattern statement =
                Pattern.compile(
                        "(?m)^[ \t]*from[ \t]+typing_extensions[ \t]+import[ \t]+([\\w, \t]+)$");
        boolean all =
                source.find(statement).stream()
                        .flatMap(found -> Pattern.compile(",").splitAsStream(found.group(1)))
                        .map(name -> name.strip().split("\\s+")[0])
                        .allMatch(TYPING::contains);
        return all && source.has(statement)
                ? Optional.of(PythonModules.imported(source, "typing_extensions", "typing"))
                : Optional.empty();
    }

    private static Optional<String> six(Source source) {
        Pattern statement = Pattern.compile("(?m)^[ \t]*import[ \t]+six[ \t]*$\n?");
        if (!source.has(statement)) {
            return Optional.empty();
        }
        Source items =
                source.as(
                        source.replace(
                                Pattern.compile("\\bsix\\.iter(items|keys|values)\\(([\\w.]+)\\)"),
                                found -> found.group(2) + "." + found.group(1) + "()"));
        if (!uses(items, "six", SIX.keySet())) {
            return Optional.empty();
        }
        Source plain =
                items.as(
                        items.replace(
                                Pattern.compile("\\bsix\\.(moves\\.range|\\w+)"),
                                found -> SIX.getOrDefault(found.group(1), found.whole())));
        return Optional.of(plain.replace(statement, found -> ""));
    }

    private static Optional<String> numpy(Source source) {
        Pattern statement =
                Pattern.compile("(?m)^import[ \t]+numpy(?:[ \t]+as[ \t]+(\\w+))?[ \t]*$");
        List<Source.Found> statements = source.find(statement);
        if (statements.size() != 1) {
            return Optional.empty();
        }
        String given = statements.getFirst().group(1);
        String name = given.isEmpty() ? "numpy" : given;
        boolean one =
                source
                        .find(
                                Pattern.compile(
                                        "\\b"
                                                + name
                                                + "\\.(\\w+)[ \t]*(\\([^()]*(?:\\([^()]*\\)[^()]*)*\\))?"))
                        .stream()
                        .noneMatch(
                                found -> found.group(2).contains("=") || hasComma(source, found));
        if (!one || !uses(source, name, NUMPY.keySet()) || !arraysAreOnlyRead(source, name)) {
            return Optional.empty();
        }
        String replaced =
                source.replace(
                        Pattern.compile("\\b" + name + "\\.(\\w+)"),
                        found -> NUMPY.getOrDefault(found.group(1), found.whole()));
        return Optional.of(
                source.as(replaced).replace(statement, found -> "import math\nimport statistics"));
    }

    /** A second argument would mean an axis, or a type. */
    private static boolean hasComma(Source source, Source.Found call) {
        int depth = 0;
        for (int i = call.match().start(2); i >= 0 && i < call.match().end(2); i++) {
            char c = source.code().charAt(i);
            depth += Source.isOpen(c) ? 1 : Source.isClose(c) ? -1 : 0;
            if (c == ',' && depth == 1) {
                return true;
            }
        }
        return false;
    }

    /** An array that is printed or calculated with is not the same as a list. */
    private static boolean arraysAreOnlyRead(Source source, String name) {
        Pattern made = Pattern.compile("(?m)^[ \t]*(\\w+)[ \t]*=[ \t]*" + name + "\\.array\\(");
        long assigned = source.find(made).size();
        long all = source.find(Pattern.compile("\\b" + name + "\\.array\\(")).size();
        return assigned == all
                && source.find(made).stream()
                        .map(found -> found.group(1))
                        .allMatch(array -> {
                            long read =
                                    source.find(
                                                    Pattern.compile(
                                                            "(?:\\b"
                                                                    + name
                                                                    + "\\.\\w+|\\blen)\\("
                                                                    + array
                                                                    + "\\)"))
                                            .size();
                            long seen = source.find(Pattern.compile("\\b" + array + "\\b")).size();
                            return seen == read + 1;
                        });
    }

    private static Optional<String> requests(Source source) {
        Pattern statement = Pattern.compile("(?m)^import[ \t]+requests[ \t]*$\n?");
        Pattern other = Pattern.compile("\\brequests\\.get\\([^()\n]*,[ \t]*+(?!timeout[ \t]*=)");
        boolean possible =
                source.has(statement)
                        && uses(source, "requests", Set.of("get"))
                        && !source.has(other);
        return possible
                ? Optional.of(source.replace(statement, found -> RESPONSE))
                : Optional.empty();
    }

    /** Only dates that are written in ISO's way in the program itself. */
    private static Optional<String> dateutil(Source source) {
        Pattern statement =
                Pattern.compile(
                        "(?m)^from[ \t]+dateutil(?:\\.parser)?[ \t]+import[ \t]+(parser|parse)[ \t]*$");
        List<Source.Found> statements = source.find(statement);
        if (statements.size() != 1) {
            return Optional.empty();
        }
        String call = statements.getFirst().group(1).equals("parser") ? "parser\\.parse" : "parse";
        Pattern parse = Pattern.compile("(?<![\\w.])" + call + "\\(([^()\n]*)\\)");
        boolean plain =
                source.find(parse).stream()
                        .allMatch(found ->
                                found.group(1)
                                        .matches(
                                                "[\"']\\d{4}-\\d\\d-\\d\\d(?:[T ][\\d:.+]*)?[\"']"));
        boolean all =
                source.find(parse).size()
                        == source.find(Pattern.compile("(?<![\\w.])" + call + "\\b")).size()
                                - (call.equals("parse") ? 1 : 0);
        if (!plain || !all) {
            return Optional.empty();
        }
        Source replaced =
                source.as(
                        source.replace(
                                parse,
                                found ->
                                        "datetime.datetime.fromisoformat(" + found.group(1) + ")"));
        return Optional.of(replaced.replace(statement, found -> "import datetime"));
    }

    private static Optional<String> pytz(Source source) {
        Pattern statement = Pattern.compile("(?m)^import[ \t]+pytz[ \t]*$");
        boolean possible =
                source.has(statement)
                        && uses(source, "pytz", Set.of("utc", "UTC", "timezone"))
                        && !source.has(Pattern.compile("\\.(?:localize|normalize)\\("));
        if (!possible) {
            return Optional.empty();
        }
        Source zones =
                source.as(
                        source.replace(
                                Pattern.compile("\\bpytz\\.timezone\\("),
                                found -> "zoneinfo.ZoneInfo("));
        Source plain =
                zones.as(
                        zones.replace(
                                Pattern.compile("\\bpytz\\.(?:utc|UTC)\\b"),
                                found -> "zoneinfo.ZoneInfo(\"UTC\")"));
        return Optional.of(plain.replace(statement, found -> "import zoneinfo"));
    }

    private static Optional<String> tqdm(Source source) {
        Pattern statement = Pattern.compile("(?m)^from[ \t]+tqdm[ \t]+import[ \t]+tqdm[ \t]*$");
        boolean possible =
                source.has(statement)
                        && source.find(Pattern.compile("\\btqdm\\b(?!\\()")).size() == 2;
        return possible
                ? Optional.of(
                        source.replace(
                                statement,
                                found -> "def tqdm(values, *_, **__):\n    return values\n\n"))
                : Optional.empty();
    }
}
