package dev.glovebox.coder;

import com.fasterxml.jackson.databind.JsonNode;
import dev.glovebox.sandbox.Language;
import java.util.Map;

/**
 * Values as literals of a language.
 *
 * <p>Whatever a text holds, it cannot end the literal that it stands in: quotes, backslashes, ends
 * of lines and all that cannot be seen are escaped.
 */
final class Literals {

    private final Language language;

    private Literals(Language language) {
        this.language = language;
    }

    static String of(JsonNode value, Language language) {
        StringBuilder out = new StringBuilder();
        new Literals(language).write(value, out);
        return out.toString();
    }

    private void write(JsonNode value, StringBuilder out) {
        switch (value.getNodeType()) {
            case STRING -> text(value.asText(), out);
            case NUMBER -> out.append(value.decimalValue().toPlainString());
            case BOOLEAN -> out.append(word(value.asBoolean()));
            case ARRAY -> {
                String between = "[";
                for (JsonNode item : value) {
                    out.append(between);
                    write(item, out);
                    between = ", ";
                }
                out.append(value.isEmpty() ? "[]" : "]");
            }
            case OBJECT -> {
                String between = "{";
                for (Map.Entry<String, JsonNode> field : value.properties()) {
                    out.append(between);
                    text(field.getKey(), out);
                    out.append(": ");
                    write(field.getValue(), out);
                    between = ", ";
                }
                out.append(value.isEmpty() ? "{}" : "}");
            }
            case NULL, MISSING -> out.append(language == Language.PYTHON ? "None" : "null");
            case BINARY, POJO ->
                    throw new IllegalArgumentException("No literal for " + value.getNodeType());
        }
    }

    private String word(boolean value) {
        return language == Language.PYTHON ? (value ? "True" : "False") : String.valueOf(value);
    }

    private void text(String text, StringBuilder out) {
        out.append('"');
        text.codePoints()
                .forEach(point -> {
                    if (point == '"' || point == '\\') {
                        out.append('\\').appendCodePoint(point);
                    } else if (point == '\n') {
                        out.append("\\n");
                    } else if (isPlain(point)) {
                        out.appendCodePoint(point);
                    } else {
                        out.append(escape(point));
                    }
                });
        out.append('"');
    }

    private static boolean isPlain(int point) {
        return switch (Character.getType(point)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.SURROGATE,
                    Character.PRIVATE_USE,
                    Character.UNASSIGNED,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR ->
                    false;
            case Character.SPACE_SEPARATOR -> point == ' ';
            default -> true;
        };
    }

    private String escape(int point) {
        if (point <= 0xFFFF) {
            return "\\u%04x".formatted(point);
        }
        return language == Language.PYTHON
                ? "\\U%08x".formatted(point)
                : "\\u{%x}".formatted(point);
    }
}
