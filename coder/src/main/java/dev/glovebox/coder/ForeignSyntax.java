package dev.glovebox.coder;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** Translates words and signs of other languages, and keywords that are misspelt. */
final class ForeignSyntax implements Rule {

    private static final Map<Pattern, String> IN_PYTHON = new LinkedHashMap<>();
    private static final Map<Pattern, String> IN_NODE = new LinkedHashMap<>();

    static {
        IN_PYTHON.put(Pattern.compile("(?m)^([ \t]*)(\\w+)\\+\\+;?[ \t]*$"), "$1$2 += 1");
        IN_PYTHON.put(Pattern.compile("(?m)^([ \t]*)(\\w+)--;?[ \t]*$"), "$1$2 -= 1");
        IN_PYTHON.put(Pattern.compile("[ \t]*&&[ \t]*"), " and ");
        IN_PYTHON.put(Pattern.compile("[ \t]*\\|\\|[ \t]*"), " or ");
        IN_PYTHON.put(Pattern.compile("==="), "==");
        IN_PYTHON.put(Pattern.compile("!=="), "!=");
        IN_PYTHON.put(Pattern.compile("!(?=[\\w(])"), "not ");
        IN_PYTHON.put(Pattern.compile("(?m)^([ \t]*)(?:else[ \t]+if|elseif|elsif)\\b"), "$1elif");
        IN_PYTHON.put(Pattern.compile("(?m)^([ \t]*)(?:var|let|const)[ \t]+(?=\\w+[ \t]*=)"), "$1");
        IN_PYTHON.put(Pattern.compile("(?m)^([ \t]*)//"), "$1#");
        IN_PYTHON.put(
                Pattern.compile(
                        "(?m)^([ \t]*)(?:function|func|fn)[ \t]+(?=\\w+\\([^)\n]*\\)[ \t]*:)"),
                "$1def ");
        IN_PYTHON.put(
                Pattern.compile("(?m)^([ \t]*)(?:catch|except)[ \t]*\\((\\w+)[ \t]+(\\w+)\\):"),
                "$1except $2 as $3:");
        IN_NODE.put(Pattern.compile("\\belif\\b[ \t]*"), "else if ");
        IN_NODE.put(Pattern.compile("(?<=[\\w)\\]])[ \t]+and[ \t]+(?=[\\w(!])"), " && ");
        IN_NODE.put(Pattern.compile("(?<=[\\w)\\]])[ \t]+or[ \t]+(?=[\\w(!])"), " || ");
        IN_NODE.put(Pattern.compile("(?<=[(\\s])not[ \t]+(?=[\\w(])"), "!");
        IN_NODE.put(Pattern.compile("(?m)^([ \t]*)#(?=[ \t])"), "$1//");
        IN_NODE.put(
                Pattern.compile("(?m)^([ \t]*)def[ \t]+(?=\\w+\\([^)\n]*\\)[ \t]*\\{)"),
                "$1function ");
    }

    private static final List<String> PYTHON_KEYWORDS =
            List.of(
                    "def",
                    "class",
                    "return",
                    "import",
                    "from",
                    "while",
                    "for",
                    "elif",
                    "else",
                    "if",
                    "try",
                    "except",
                    "finally",
                    "with",
                    "raise",
                    "pass",
                    "break",
                    "continue",
                    "lambda",
                    "global",
                    "yield",
                    "assert",
                    "async",
                    "await");
    private static final List<String> NODE_KEYWORDS =
            List.of(
                    "function",
                    "const",
                    "let",
                    "var",
                    "return",
                    "class",
                    "while",
                    "for",
                    "else",
                    "if",
                    "try",
                    "catch",
                    "finally",
                    "throw",
                    "switch",
                    "case",
                    "break",
                    "continue",
                    "import",
                    "export",
                    "async",
                    "await",
                    "new",
                    "typeof");
    private static final Pattern FIRST_WORD =
            Pattern.compile(
                    "(?:^[ \t}]*|[=(][ \t]*)([A-Za-z]{2,12})\\b(?=[ \t]*[\\w\"'\\[({:;-]|[ \t]*$)");

    @Override
    public List<Change> changes(Scene scene) {
        if (!scene.problem().is("SyntaxError") || scene.line() == 0) {
            return List.of();
        }
        Map<Pattern, String> idioms = scene.isPython() ? IN_PYTHON : IN_NODE;
        String at = scene.source().line(scene.line());
        Source line = scene.source().as(at);
        boolean some = idioms.keySet().stream().anyMatch(line::has);
        if (!some) {
            return keyword(scene, line);
        }
        Source source = scene.source();
        for (Map.Entry<Pattern, String> idiom : idioms.entrySet()) {
            source =
                    source.as(
                            source.replace(idiom.getKey(), found -> fill(idiom.getValue(), found)));
        }
        return scene.change(
                source.text(),
                Mistake.SYNTAX,
                "It is written with words or signs of another language",
                "Write those of " + (scene.isPython() ? "Python" : "JavaScript"),
                0.85);
    }

    private static String fill(String template, Source.Found found) {
        String text = template;
        for (int i = 1; i <= found.match().groupCount(); i++) {
            text = text.replace("$" + i, found.group(i));
        }
        return text;
    }

    private static List<Change> keyword(Scene scene, Source line) {
        List<String> keywords = scene.isPython() ? PYTHON_KEYWORDS : NODE_KEYWORDS;
        for (Source.Found found : line.find(FIRST_WORD)) {
            String word = found.group(1);
            if (keywords.contains(word)) {
                continue;
            }
            int allowed = word.length() < 4 ? 1 : 2;
            var meant = Nearest.within(allowed, word, keywords);
            if (meant.isPresent() && (word.length() > 2 || scene.isPython())) {
                int start = found.match().start(1);
                return scene.change(
                        scene.source()
                                .withLine(
                                        scene.line(),
                                        line.with(start, start + word.length(), meant.get())),
                        Mistake.SYNTAX,
                        "'" + word + "' is no word of the language",
                        "Write '" + meant.get() + "'",
                        0.8);
            }
        }
        return List.of();
    }
}
