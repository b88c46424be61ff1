package dev.glovebox.trace;

import com.fasterxml.jackson.databind.JsonNode;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * JSON in the one form of RFC 8785, in which equal values are equal bytes.
 *
 * <p>Traces use a narrower form without fractions, see {@link CanonicalScanner}.
 */
public final class CanonicalJson {

    // From here on ECMAScript writes a number with an exponent.
    private static final int LARGEST_PLAIN = 21;
    private static final int SMALLEST_PLAIN = -6;

    private CanonicalJson() {}

    /**
     * Writes a value.
     *
     * @throws Malformed if it has no canonical form: not a number, or half a surrogate pair
     */
    public static byte[] bytes(JsonNode value) {
        ByteText out = new ByteText();
        write(value, out);
        return out.bytes();
    }

    static void write(JsonNode value, ByteText out) {
        switch (value.getNodeType()) {
            case OBJECT -> object(value, out);
            case ARRAY -> {
                out.add('[');
                boolean first = true;
                for (JsonNode element : value) {
                    if (!first) {
                        out.add(',');
                    }
                    first = false;
                    write(element, out);
                }
                out.add(']');
            }
            case STRING -> string(value.textValue(), out);
            case NUMBER -> number(value, out);
            case BOOLEAN -> out.ascii(value.booleanValue() ? "true" : "false");
            case NULL, MISSING -> out.ascii("null");
            case BINARY, POJO -> throw new Malformed("Not a JSON value: " + value.getNodeType());
        }
    }

    private static void object(JsonNode value, ByteText out) {
        Set<Map.Entry<String, JsonNode>> members = value.properties();
        if (!inOrder(members)) {
            Map<String, JsonNode> sorted = new TreeMap<>();
            members.forEach(member -> sorted.put(member.getKey(), member.getValue()));
            members = sorted.entrySet();
        }
        out.add('{');
        boolean first = true;
        for (Map.Entry<String, JsonNode> member : members) {
            if (!first) {
                out.add(',');
            }
            first = false;
            string(member.getKey(), out);
            out.add(':');
            write(member.getValue(), out);
        }
        out.add('}');
    }

    // Strings compare by UTF-16 code units, which is the order that the RFC wants.
    private static boolean inOrder(Set<Map.Entry<String, JsonNode>> members) {
        String last = "";
        for (Map.Entry<String, JsonNode> member : members) {
            if (member.getKey().compareTo(last) < 0) {
                return false;
            }
            last = member.getKey();
        }
        return true;
    }

    static void string(String text, ByteText out) {
        if (out.quoted(text)) {
            return;
        }
        out.add('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            char escape = ByteText.escape(c);
            if (escape != 0) {
                out.add('\\');
                out.add(escape);
            } else if (c < ' ') {
                out.ascii(String.format("\\u%04x", (int) c));
            } else if (c < 0x80) {
                out.add(c);
            } else if (Character.isHighSurrogate(c)
                    && i + 1 < text.length()
                    && Character.isLowSurrogate(text.charAt(i + 1))) {
                out.codePoint(text.codePointAt(i));
                i++;
            } else if (Character.isSurrogate(c)) {
                throw new Malformed("Half a surrogate pair has no canonical form");
            } else {
                out.codePoint(c);
            }
        }
        out.add('"');
    }

    private static void number(JsonNode value, ByteText out) {
        if (value.isIntegralNumber()
                && value.canConvertToLong()
                && Math.abs(value.longValue()) <= CanonicalScanner.LARGEST_INTEGER) {
            out.number(value.longValue());
        } else {
            out.ascii(ecmaScript(value.doubleValue()));
        }
    }

    /** The shortest form, as ECMAScript's Number::toString writes it. */
    static String ecmaScript(double value) {
        if (Double.isNaN(value) || Double.isInfinite(value)) {
            throw new Malformed("JSON has no " + value);
        }
        if (value == 0) {
            return "0";
        }
        // Java finds the same shortest digits, but never fewer than two.
        BigDecimal shortest = new BigDecimal(Double.toString(Math.abs(value)));
        BigDecimal shorter = shortest.round(new MathContext(1));
        if (shorter.doubleValue() == Math.abs(value)) {
            shortest = shorter;
        }
        shortest = shortest.stripTrailingZeros();
        String digits = shortest.unscaledValue().toString();
        return (value < 0 ? "-" : "") + placed(digits, digits.length() - shortest.scale());
    }

    /** Digits with the decimal point behind so many of them. */
    private static String placed(String digits, int before) {
        int count = digits.length();
        if (before > LARGEST_PLAIN || before - 1 < SMALLEST_PLAIN) {
            int exponent = before - 1;
            return digits.charAt(0)
                    + (count > 1 ? "." + digits.substring(1) : "")
                    + "e"
                    + (exponent < 0 ? "-" : "+")
                    + Math.abs(exponent);
        }
        if (before >= count) {
            return digits + "0".repeat(before - count);
        }
        return before > 0
                ? digits.substring(0, before) + "." + digits.substring(before)
                : "0." + "0".repeat(-before) + digits;
    }
}
