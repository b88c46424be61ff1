package dev.glovebox.coder;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Writes the name that was meant: the one that the interpreter proposes, or the nearest one. */
final class Misspellings implements Rule {

    private static final Pattern PYTHON_NAME =
            Pattern.compile(
                    "^(?:name|free variable|cannot access \\w+ variable) '(\\w{1,100})' .*$");
    private static final Pattern PYTHON_ATTRIBUTE =
            Pattern.compile("^.{1,120} has no attribute '(\\w{1,100})'.*$");
    private static final Pattern PYTHON_IMPORT =
            Pattern.compile("^cannot import name '(\\w{1,80})' from '([\\w.]{1,80})'.*$");
    private static final Pattern HINT = Pattern.compile("Did you mean:? '([\\w.]{1,100})'\\?");
    private static final Pattern NODE_NAME = Pattern.compile("^(\\w{1,100}) is not defined$");
    private static final Pattern NODE_METHOD =
            Pattern.compile("^.{0,200}?(?:\\.|\\b)(\\w{1,60}) is not a function$");
    private static final Pattern KEY = Pattern.compile("^'([^'\n]{1,60})'$");
    private static final Pattern WORD = Pattern.compile("(?<![\\w.])[A-Za-z_]\\w*");
    private static final Pattern MEMBER = Pattern.compile("\\.[ \t]*([A-Za-z_]\\w*)");
    private static final Pattern STRING = Pattern.compile("([\"'])([^\"'\\\\\n]{1,60})\\1");

    private static final Set<String> PYTHON_BUILTINS =
            Set.of(
                    "abs",
                    "all",
                    "any",
                    "bool",
                    "bytes",
                    "chr",
                    "dict",
                    "dir",
                    "divmod",
                    "enumerate",
                    "filter",
                    "float",
                    "format",
                    "hash",
                    "hex",
                    "input",
                    "int",
                    "isinstance",
                    "iter",
                    "len",
                    "list",
                    "map",
                    "max",
                    "min",
                    "next",
                    "object",
                    "open",
                    "ord",
                    "pow",
                    "print",
                    "range",
                    "repr",
                    "reversed",
                    "round",
                    "set",
                    "sorted",
                    "str",
                    "sum",
                    "super",
                    "tuple",
                    "type",
                    "zip",
                    "True",
                    "False",
                    "None",
                    "Exception",
                    "ValueError",
                    "KeyError",
                    "IndexError",
                    "TypeError",
                    "self");
    private static final Set<String> NODE_GLOBALS =
            Set.of(
                    "console",
                    "Math",
                    "JSON",
                    "Object",
                    "Array",
                    "String",
                    "Number",
                    "Boolean",
                    "Promise",
                    "Map",
                    "Set",
                    "Date",
                    "RegExp",
                    "Error",
                    "Symbol",
                    "parseInt",
                    "parseFloat",
                    "isNaN",
                    "setTimeout",
                    "setInterval",
                    "clearTimeout",
                    "process",
                    "require",
                    "module",
                    "Buffer",
                    "undefined",
                    "BigInt",
                    "structuredClone");
    private static final Set<String> NODE_MEMBERS =
            Set.of(
                    "log",
                    "error",
                    "push",
                    "pop",
                    "shift",
                    "unshift",
                    "map",
                    "filter",
                    "reduce",
                    "forEach",
                    "find",
                    "findIndex",
                    "indexOf",
                    "includes",
                    "slice",
                    "splice",
                    "join",
                    "split",
                    "sort",
                    "reverse",
                    "concat",
                    "some",
                    "every",
                    "flat",
                    "flatMap",
                    "keys",
                    "values",
                    "entries",
                    "toUpperCase",
                    "toLowerCase",
                    "trim",
                    "replace",
                    "replaceAll",
                    "padStart",
                    "padEnd",
                    "repeat",
                    "charAt",
                    "charCodeAt",
                    "startsWith",
                    "endsWith",
                    "substring",
                    "toString",
                    "toFixed",
                    "parse",
                    "stringify",
                    "floor",
                    "ceil",
                    "round",
                    "random",
                    "max",
                    "min",
                    "sqrt",
                    "pow",
                    "abs",
                    "get",
                    "set",
                    "has",
                    "add",
                    "delete",
                    "then",
                    "catch",
                    "finally",
                    "all",
                    "from",
                    "isArray",
                    "assign",
                    "fromEntries",
                    "localeCompare",
                    "match",
                    "matchAll",
                    "test",
                    "exec",
                    "fill",
                    "at",
                    "toISOString",
                    "getTime",
                    "getFullYear");
    private static final Map<String, String> FOREIGN_IN_NODE =
            Map.of(
                    "True",
                    "true",
                    "False",
                    "false",
                    "None",
                    "null",
                    "nil",
                    "null",
                    "print",
                    "console.log",
                    "len",
                    "((x) => x.length)",
                    "str",
                    "String",
                    "int",
                    "Math.trunc",
                    "elif",
                    "else if");

    private final Table names = new Table("python-names.tsv", 1);

    @Override
    public List<Change> changes(Scene scene) {
        if (scene.line() == 0) {
            return List.of();
        }
        return scene.isPython() ? python(scene) : scene.isNode() ? node(scene) : List.of();
    }

    private List<Change> python(Scene scene) {
        Problem problem = scene.problem();
        Matcher hint = HINT.matcher(problem.message());
        Optional<String> proposed = hint.find() ? Optional.of(hint.group(1)) : Optional.empty();
        Matcher name = PYTHON_NAME.matcher(problem.message());
        if (problem.is("NameError", "UnboundLocalError") && name.matches()) {
            Set<String> words = words(scene, name.group(1));
            Optional<String> near =
                    Nearest.to(name.group(1), words)
                            .or(() -> Nearest.to(name.group(1), PYTHON_BUILTINS));
            if (proposed.isPresent() && proposed.get().startsWith("self.")) {
                return named(scene, name.group(1), proposed.get());
            }
            // The interpreter proposes any name that it knows; those of the program are likelier.
            return near.or(() -> proposed)
                    .map(meant -> named(scene, name.group(1), meant))
                    .orElse(List.of());
        }
        Matcher attribute = PYTHON_ATTRIBUTE.matcher(problem.message());
        if (problem.is("AttributeError") && attribute.matches()) {
            String member = attribute.group(1);
            return proposed.or(() -> Nearest.to(member, members(scene, member)))
                    .map(meant -> member(scene, member, meant))
                    .orElse(List.of());
        }
        Matcher imported = PYTHON_IMPORT.matcher(problem.message());
        if (problem.is("ImportError") && imported.matches()) {
            String from = "from " + imported.group(2) + " import ";
            Set<String> there =
                    names.rows()
                            .filter(row -> row.cell(1).startsWith(from))
                            .map(row -> row.cell(0))
                            .collect(Collectors.toSet());
            return proposed.or(() -> Nearest.to(imported.group(1), there))
                    .map(meant -> named(scene, imported.group(1), meant))
                    .orElse(List.of());
        }
        Matcher key = KEY.matcher(problem.message());
        if (problem.is("KeyError") && key.matches()) {
            return key(scene, key.group(1));
        }
        return List.of();
    }

    private static List<Change> node(Scene scene) {
        Matcher name = NODE_NAME.matcher(scene.problem().message());
        if (scene.problem().is("ReferenceError") && name.matches()) {
            String wrong = name.group(1);
            if (FOREIGN_IN_NODE.containsKey(wrong)) {
                return named(scene, wrong, FOREIGN_IN_NODE.get(wrong));
            }
            Set<String> words = words(scene, wrong);
            return Nearest.to(wrong, words)
                    .or(() -> Nearest.to(wrong, NODE_GLOBALS))
                    .map(meant -> named(scene, wrong, meant))
                    .orElse(List.of());
        }
        Matcher method = NODE_METHOD.matcher(scene.problem().message());
        if (scene.problem().is("TypeError") && method.matches()) {
            String wrong = method.group(1);
            if (NODE_MEMBERS.contains(wrong)) {
                return List.of();
            }
            Set<String> members = members(scene, wrong);
            members.addAll(NODE_MEMBERS);
            return Nearest.to(wrong, members)
                    .map(meant -> member(scene, wrong, meant))
                    .orElse(List.of());
        }
        return List.of();
    }

    /** Names that the program itself uses more than by mistake. */
    private static Set<String> words(Scene scene, String wrong) {
        Set<String> words = new LinkedHashSet<>();
        scene.source().find(WORD).forEach(found -> words.add(found.whole()));
        words.remove(wrong);
        return words;
    }

    private static Set<String> members(Scene scene, String wrong) {
        Set<String> members = new LinkedHashSet<>();
        scene.source().find(MEMBER).forEach(found -> members.add(found.group(1)));
        scene.source()
                .find(
                        Pattern.compile(
                                "\\bdef[ \t]+(\\w+)|(?m)^[ \t]+(?:async[ \t]+)?(\\w+)\\([^)\n]*\\)[ \t]*\\{"))
                .forEach(found -> members.add(found.group(1) + found.group(2)));
        members.remove(wrong);
        return members;
    }

    private static List<Change> named(Scene scene, String wrong, String meant) {
        Source source = scene.source();
        Pattern use = Pattern.compile("(?<![\\w.])" + wrong + "\\b(?![ \t]*=[^=])");
        Pattern assigned =
                Pattern.compile(
                        "(?<![\\w.])(?:"
                                + wrong
                                + "[ \t]*=(?!=)|(?:def|class|function|let|const|var|for)[ \t]+"
                                + wrong
                                + "\\b)");
        boolean defined = source.has(assigned);
        int from = source.start(scene.line());
        int to = source.end(scene.line());
        return said(
                scene,
                source.replace(
                        use,
                        found ->
                                !defined || (found.start() >= from && found.start() < to)
                                        ? meant
                                        : found.whole()),
                wrong,
                meant);
    }

    private static List<Change> member(Scene scene, String wrong, String meant) {
        Source source = scene.source();
        int from = source.start(scene.line());
        int to = source.end(scene.line());
        return said(
                scene,
                source.replace(
                        Pattern.compile("\\.([ \t]*)" + wrong + "\\b"),
                        found ->
                                found.start() >= from && found.start() < to
                                        ? "." + found.group(1) + meant
                                        : found.whole()),
                wrong,
                meant);
    }

    private static List<Change> key(Scene scene, String wrong) {
        Source source = scene.source();
        Set<String> keys = new LinkedHashSet<>();
        Matcher strings = STRING.matcher(source.text());
        while (strings.find()) {
            keys.add(strings.group(2));
        }
        keys.remove(wrong);
        int line = scene.line();
        return Nearest.to(wrong, keys)
                .map(meant ->
                        scene.change(
                                source.withLine(
                                        line,
                                        source.line(line)
                                                .replace("'" + wrong + "'", "'" + meant + "'")
                                                .replace('"' + wrong + '"', '"' + meant + '"')),
                                Mistake.KEY,
                                "There is no key '" + wrong + "'",
                                "Write '" + meant + "'",
                                0.6))
                .orElse(List.of());
    }

    private static List<Change> said(Scene scene, String text, String wrong, String meant) {
        return scene.change(
                text,
                Mistake.NAME,
                "'" + wrong + "' is not defined",
                "Write '" + meant + "'",
                0.75);
    }
}
