package dev.glovebox.coder;

import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Says in a function which variables and which object it means. */
final class PythonScopes implements Rule {

    private static final Pattern UNBOUND =
            Pattern.compile("^(?:cannot access local variable|local variable) '(\\w{1,80})' .*$");
    private static final Pattern UNDEFINED =
            Pattern.compile("^name '(\\w{1,80})' is not defined.*$");
    private static final Pattern TOO_MANY =
            Pattern.compile(
                    "^(?:(\\w{1,80})\\.)?(\\w{1,80})\\(\\) takes (\\d{1,3}) positional arguments? but (\\d{1,3}) (?:was|were) given$");

    @Override
    public List<Change> changes(Scene scene) {
        if (!scene.isPython() || scene.line() == 0) {
            return List.of();
        }
        Matcher unbound = UNBOUND.matcher(scene.problem().message());
        if (scene.problem().is("UnboundLocalError") && unbound.matches()) {
            return declared(scene, unbound.group(1));
        }
        Matcher many = TOO_MANY.matcher(scene.problem().message());
        if (scene.problem().is("TypeError") && many.matches()) {
            boolean one = Integer.parseInt(many.group(4)) == Integer.parseInt(many.group(3)) + 1;
            return one ? self(scene, many.group(2)) : List.of();
        }
        if (scene.problem().is("NameError") && scene.problem().says("name 'self' is not defined")) {
            return PythonCode.around(scene.source(), scene.line())
                    .map(function -> self(scene, function.name()))
                    .orElse(List.of());
        }
        Matcher undefined = UNDEFINED.matcher(scene.problem().message());
        return scene.problem().is("NameError") && undefined.matches()
                ? ofSelf(scene, undefined.group(1))
                : List.of();
    }

    /** A name that only the object has. */
    private static List<Change> ofSelf(Scene scene, String name) {
        Source source = scene.source();
        boolean method =
                PythonCode.around(source, scene.line())
                        .filter(f -> source.codeLine(f.line()).matches(".*\\([ \t]*self\\b.*"))
                        .isPresent();
        boolean has =
                source.has(Pattern.compile("\\bself\\." + name + "[ \t]*(?::[^=\n]+)?=(?!=)"))
                        || source.has(
                                Pattern.compile("\\bdef[ \t]+" + name + "[ \t]*\\([ \t]*self\\b"));
        if (!method || !has) {
            return List.of();
        }
        Source line = source.as(source.line(scene.line()));
        return scene.change(
                source.withLine(
                        scene.line(),
                        line.replace(
                                Pattern.compile("(?<![\\w.])" + name + "\\b"),
                                found -> "self." + name)),
                Mistake.NAME,
                "'" + name + "' belongs to the object",
                "Write self." + name,
                0.9);
    }

    private static List<Change> declared(Scene scene, String name) {
        Source source = scene.source();
        Optional<PythonCode.Function> function = PythonCode.around(source, scene.line());
        if (function.isEmpty()) {
            return List.of();
        }
        boolean global = source.has(Pattern.compile("(?m)^" + name + "[ \t]*(?::[^=\n]+)?=(?!=)"));
        Optional<PythonCode.Function> outer =
                PythonCode.around(source, function.get().line())
                        .filter(f -> assigns(source, f, function.get(), name));
        if (!global && outer.isEmpty()) {
            return List.of();
        }
        int body = PythonCode.bodyStart(source, function.get());
        if (body == 0 || body > source.lines()) {
            return List.of();
        }
        String word = outer.isPresent() ? "nonlocal" : "global";
        return scene.change(
                source.withBefore(body, source.indent(body) + word + " " + name),
                Mistake.NAME,
                "'"
                        + name
                        + "' is assigned in the function, so it is another one than that outside",
                "Declare it " + word,
                0.85);
    }

    private static boolean assigns(
            Source source, PythonCode.Function outer, PythonCode.Function inner, String name) {
        Pattern assigned = Pattern.compile("^[ \t]*" + name + "[ \t]*=(?!=)");
        for (int i = outer.line() + 1; i < inner.line(); i++) {
            if (assigned.matcher(source.codeLine(i)).find()) {
                return true;
            }
        }
        return false;
    }

    private static List<Change> self(Scene scene, String method) {
        Source source = scene.source();
        for (Source.Found found : source.find(PythonCode.DEF)) {
            boolean inside = !found.group(1).isEmpty();
            int open = found.match().end();
            String rest =
                    source.code()
                            .substring(open, Math.min(open + 40, source.code().length()))
                            .stripLeading();
            int line = source.lineOf(found.match().start(3));
            boolean free =
                    line > 1 && source.codeLine(line - 1).strip().startsWith("@staticmethod");
            if (inside
                    && found.group(3).equals(method)
                    && !rest.matches("(?s)(?:self|cls)\\b.*")
                    && !free) {
                String more = rest.startsWith(")") ? "self" : "self, ";
                return scene.change(
                        source.with(open, open, more),
                        Mistake.TYPE,
                        "The method '" + method + "' does not take the object that it is called on",
                        "Add 'self'",
                        0.9);
            }
        }
        return List.of();
    }
}
