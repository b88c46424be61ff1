package dev.glovebox.coder;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Makes the kind of value that is wanted: an array of a set, a BigInt of a number. */
final class NodeValues implements Rule {

    private static final Pattern NOT_FUNCTION =
            Pattern.compile(
                    "^(\\w{1,80})\\.(map|filter|reduce|forEach|some|every|find|join|sort|slice|includes|indexOf|push|concat|at|flatMap) is not a function$");
    private static final Pattern NOT_ITERABLE = Pattern.compile("^(\\w{1,80}) is not iterable$");
    private static final Pattern UNDEFINED =
            Pattern.compile(
                    "^Cannot read properties of (?:undefined|null) \\(reading '(\\w{1,80})'\\)$");
    private static final Pattern BIG = Pattern.compile("(?<![\\w.])(\\d+)(?![\\w.])");

    @Override
    public List<Change> changes(Scene scene) {
        if (!scene.isNode() || !scene.problem().is("TypeError") || scene.line() == 0) {
            return List.of();
        }
        String message = scene.problem().message();
        Matcher function = NOT_FUNCTION.matcher(message);
        if (function.matches()) {
            return array(scene, function.group(1), function.group(2));
        }
        Matcher iterable = NOT_ITERABLE.matcher(message);
        if (iterable.matches()) {
            return entries(scene, iterable.group(1));
        }
        if (message.startsWith("Cannot mix BigInt")) {
            return big(scene);
        }
        Matcher undefined = UNDEFINED.matcher(message);
        return undefined.matches() ? optional(scene, undefined.group(1)) : List.of();
    }

    /** Of what is made of it one sees what it is. */
    private static List<Change> array(Scene scene, String name, String method) {
        Source source = scene.source();
        String declared = "\\b(?:const|let|var)[ \t]+" + name + "[ \t]*=[ \t]*";
        boolean iterable =
                source.has(
                                Pattern.compile(
                                        declared
                                                + "(?:new[ \t]+(?:Set|Map)\\(|[\\w.]+\\.(?:keys|values|entries|matchAll)\\(|document\\b)"))
                        || name.equals("arguments");
        boolean text = source.has(Pattern.compile(declared + "[\"'`]"));
        boolean object = source.has(Pattern.compile(declared + "\\{"));
        Pattern use = Pattern.compile("(?<![\\w.])" + name + "(?=\\." + method + "\\()");
        boolean pairs =
                source.has(
                        Pattern.compile(
                                "(?<![\\w.])" + name + "\\." + method + "\\([ \t]*\\([ \t]*\\["));
        String by =
                iterable || text
                        ? "[..." + name + "]"
                        : object
                                ? "Object." + (pairs ? "entries" : "values") + "(" + name + ")"
                                : "";
        if (by.isEmpty() || method.equals("push")) {
            return List.of();
        }
        return scene.change(
                source.replace(use, found -> by),
                Mistake.TYPE,
                "'" + name + "' is no array",
                "Make one of it",
                object ? 0.6 : 0.85);
    }

    private static List<Change> entries(Scene scene, String name) {
        Source source = scene.source();
        Pattern loop = Pattern.compile("(\\[[^\\]\n]*\\][ \t]+of[ \t]+)" + name + "\\b");
        return scene.change(
                source.replace(loop, found -> found.group(1) + "Object.entries(" + name + ")"),
                Mistake.TYPE,
                "'" + name + "' is an object, and a loop goes over it as over pairs",
                "Go over its entries",
                0.85);
    }

    private static List<Change> big(Scene scene) {
        Source source = scene.source();
        Source line = source.as(source.line(scene.line()));
        List<Change> changes = new ArrayList<>();
        changes.addAll(
                mixed(
                        scene,
                        source.withLine(
                                scene.line(), line.replace(BIG, found -> found.whole() + "n"))));
        // Or the number is one that a name on the line was given.
        Matcher names = Pattern.compile("[A-Za-z_$]\\w*").matcher(line.code());
        while (names.find()) {
            Pattern declared =
                    Pattern.compile(
                            "\\b((?:const|let|var)[ \t]+"
                                    + Pattern.quote(names.group())
                                    + "[ \t]*=[ \t]*\\d+)(?=[ \t]*[;,)\n])");
            changes.addAll(mixed(scene, source.replace(declared, found -> found.group(1) + "n")));
        }
        return changes;
    }

    private static List<Change> mixed(Scene scene, String text) {
        return scene.change(
                text,
                Mistake.TYPE,
                "A BigInt and a number are used together",
                "Make both of them BigInts",
                0.8);
    }

    /** Only where the value is read: it is undefined then, which is what it is. */
    private static List<Change> optional(Scene scene, String name) {
        Source source = scene.source();
        int from = source.start(scene.line()) + Math.max(scene.column(), 0);
        boolean there =
                scene.column() > 0
                        && source.code().startsWith(name, from)
                        && source.code().charAt(from - 1) == '.';
        String after = there ? source.code().substring(from + name.length()).stripLeading() : "=";
        boolean written = after.matches("(?s)(?:=[^=>]|[-+*/%]=|\\+\\+|--|\\().*");
        if (written) {
            return List.of();
        }
        return scene.change(
                source.with(from - 1, from, "?."),
                Mistake.TYPE,
                "'" + name + "' is read of something that is not there",
                "Read it only if it is there",
                0.3);
    }
}
