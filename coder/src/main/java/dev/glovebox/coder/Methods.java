package dev.glovebox.coder;

import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Translates methods that a type does not have, because another language or Python 2 had them. */
final class Methods implements Rule {

    private static final Pattern PYTHON =
            Pattern.compile("^'(\\w{1,60})' object has no attribute '(\\w{1,60})'.*$");
    private static final Pattern NODE =
            Pattern.compile(
                    "^(?:\\(intermediate value\\)|.{1,200})\\.(\\w{1,60}) is not a function$");

    private final Table python = new Table("python-methods.tsv", 2);
    private final Table node = new Table("node-methods.tsv", 1);

    @Override
    public List<Change> changes(Scene scene) {
        if (scene.line() == 0) {
            return List.of();
        }
        Matcher attribute = PYTHON.matcher(scene.problem().message());
        if (scene.isPython() && scene.problem().is("AttributeError") && attribute.matches()) {
            return python.row(attribute.group(1), attribute.group(2))
                    .map(row -> changed(scene, row.cell(1), row.cell(2), row.cell(3), row.cell(0)))
                    .orElse(List.of());
        }
        Matcher function = NODE.matcher(scene.problem().message());
        if (scene.isNode() && scene.problem().is("TypeError") && function.matches()) {
            return node.row(function.group(1))
                    .map(row -> changed(scene, row.cell(0), row.cell(1), "name", "It"))
                    .orElse(List.of());
        }
        return List.of();
    }

    private static List<Change> changed(
            Scene scene, String method, String template, String mistake, String type) {
        boolean old = mistake.equals("python2");
        Source source = scene.source();
        Pattern use = Pattern.compile("\\." + method + "\\b[ \t]*(\\()?");
        String text = source.text();
        Matcher matcher = use.matcher(source.code());
        // From the end, so that what is found before stays where it is.
        for (Source.Found found : source.find(use).reversed()) {
            int line = source.lineOf(found.start());
            if (!old && line != scene.line()) {
                continue;
            }
            Source now = source.as(text);
            int begin = begin(now, found.start());
            boolean call = found.match().start(1) >= 0;
            int end = call ? now.closing(found.match().start(1)) + 1 : found.match().end();
            if (begin < 0 || end <= 0) {
                continue;
            }
            String object = now.text().substring(begin, found.start());
            String arguments = call ? now.text().substring(found.match().end(1), end - 1) : "";
            text = now.with(begin, end, fill(template, object, arguments));
        }
        return matcher.find()
                ? scene.change(
                        text,
                        old ? Mistake.PYTHON_2 : Mistake.NAME,
                        type + " has no '" + method + "'",
                        "Write what does the same",
                        0.85)
                : List.of();
    }

    private static String fill(String template, String object, String arguments) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < template.length(); i++) {
            boolean one = template.charAt(i) == '$' && i + 1 < template.length();
            Optional<String> part =
                    one && template.charAt(i + 1) == 'o'
                            ? Optional.of(object)
                            : one && template.charAt(i + 1) == 'a'
                                    ? Optional.of(arguments)
                                    : Optional.empty();
            if (part.isPresent()) {
                text.append(part.get());
                i++;
            } else {
                text.append(template.charAt(i));
            }
        }
        return text.toString();
    }

    /** Where the expression begins that ends at a position; -1: that cannot be told. */
    static int begin(Source source, int end) {
        String code = source.code();
        int at = end;
        while (at > 0) {
            char c = code.charAt(at - 1);
            if (Source.isClose(c)) {
                int open = opening(source, at - 1);
                if (open < 0) {
                    return -1;
                }
                at = open;
            } else if (c == '"' || c == '\'' || c == '`') {
                int open = code.lastIndexOf(c, at - 2);
                if (open < 0) {
                    return -1;
                }
                at = open;
            } else if (Character.isJavaIdentifierPart(c) || c == '.') {
                at--;
            } else {
                break;
            }
        }
        return at < end ? at : -1;
    }

    private static int opening(Source source, int close) {
        int depth = 0;
        for (int i = close; i >= 0; i--) {
            char c = source.code().charAt(i);
            depth += Source.isClose(c) ? 1 : Source.isOpen(c) ? -1 : 0;
            if (depth == 0) {
                return i;
            }
        }
        return -1;
    }
}
