package dev.glovebox.coder;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Gives a program that asks for values those that the plan names. Others it does not make up. */
final class Inputs implements Rule {

    private static final Pattern ASKED =
            Pattern.compile("(?m)^([ \t]*)(\\w+)([ \t]*=[^\n=]*?)\\binput\\(([^()\n]*)\\)");
    private static final Pattern ARGUMENT = Pattern.compile("\\bsys\\.argv\\[(\\d)\\]");
    private static final Pattern NODE_ARGUMENT = Pattern.compile("\\bprocess\\.argv\\[(\\d)\\]");

    @Override
    public List<Change> changes(Scene scene) {
        Problem problem = scene.problem();
        if (scene.isPython() && problem.is("EOFError")) {
            return answered(scene);
        }
        boolean python =
                scene.isPython()
                        && problem.is("IndexError")
                        && scene.line() > 0
                        && scene.source().codeLine(scene.line()).contains("sys.argv");
        boolean node = scene.isNode() && problem.exists() && scene.source().has(NODE_ARGUMENT);
        return (python || node) && scene.artifact().arguments().isEmpty()
                ? called(scene)
                : List.of();
    }

    private static List<Change> answered(Scene scene) {
        Source source = scene.source();
        List<Map.Entry<String, JsonNode>> values = values(scene);
        int asked = source.find(ASKED).size();
        if (values.isEmpty() || asked == 0) {
            return List.of();
        }
        boolean alone = asked == 1 && values.size() == 1;
        String text =
                source.replace(
                        ASKED,
                        found -> {
                            String name = found.group(2);
                            Optional<JsonNode> value =
                                    alone
                                            ? Optional.of(values.getFirst().getValue())
                                            : named(values, name);
                            return value.map(v ->
                                            found.group(1)
                                                    + name
                                                    + found.group(3)
                                                    + quoted(words(v)))
                                    .orElse(found.whole());
                        });
        return scene.change(
                text,
                Mistake.INPUT,
                "The program asks for input, and there is nobody to answer",
                "Use the values that the task names",
                0.85);
    }

    private static List<Change> called(Scene scene) {
        List<Map.Entry<String, JsonNode>> values = values(scene);
        Pattern argument = scene.isPython() ? ARGUMENT : NODE_ARGUMENT;
        int first = scene.isPython() ? 1 : 2;
        int most =
                scene.source().find(argument).stream()
                        .mapToInt(found -> Integer.parseInt(found.group(1)))
                        .max()
                        .orElse(0);
        int wanted = most - first + 1;
        if (wanted < 1 || values.size() != wanted) {
            return List.of();
        }
        CodeArtifact old = scene.artifact();
        List<String> arguments = new ArrayList<>();
        values.forEach(value -> arguments.add(words(value.getValue())));
        return scene.change(
                new CodeArtifact(
                        old.language(), old.files(), old.entry(), old.dependencies(), arguments),
                Mistake.INPUT,
                "The program wants arguments, and was called without",
                "Call it with the values that the task names",
                0.85);
    }

    private static List<Map.Entry<String, JsonNode>> values(Scene scene) {
        return List.copyOf(scene.inputs().properties());
    }

    private static Optional<JsonNode> named(List<Map.Entry<String, JsonNode>> values, String name) {
        return values.stream()
                .filter(value -> value.getKey().equalsIgnoreCase(name))
                .map(Map.Entry::getValue)
                .findFirst();
    }

    private static String words(JsonNode value) {
        if (value.isArray()) {
            List<String> words = new ArrayList<>();
            value.forEach(element -> words.add(element.asText()));
            return String.join(" ", words);
        }
        return value.isValueNode() ? value.asText() : value.toString();
    }

    private static String quoted(String text) {
        Matcher plain = Pattern.compile("[^\\x20-\\x7e]|[\"\\\\]").matcher(text);
        return "\""
                + plain.replaceAll(m -> Matcher.quoteReplacement(escape(m.group().charAt(0))))
                + "\"";
    }

    private static String escape(char c) {
        return c == '"' || c == '\\' ? "\\" + c : "\\u%04x".formatted((int) c);
    }
}
