package dev.glovebox.agent;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.TextNode;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Map;

/**
 * Numbers in one form, whichever way they were written.
 *
 * <p>JSON has many ways to write a number: 5e7 and 50000000.0 are as whole as 50000000, and a tool
 * that takes whole numbers gets the same from each of them. A rule that looks for five digits must
 * not be passed by a model that writes fewer.
 */
final class PlainNumbers {

    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    private PlainNumbers() {}

    /**
     * A number that was written with a point or an exponent, as a whole one if it is one, and with
     * all its digits; 0 if it is nearer to it than any double.
     *
     * @return a double that is infinite if the number is too large for one
     */
    static JsonNode read(String written) {
        double nearest = Double.parseDouble(written);
        if (nearest == 0) {
            return NODES.numberNode(0);
        }
        // Only now is it sure that the exponent is not one that takes all memory to write out.
        if (!Double.isFinite(nearest)) {
            return NODES.numberNode(nearest);
        }
        BigDecimal exact = new BigDecimal(written).stripTrailingZeros();
        if (exact.scale() <= 0) {
            return whole(exact.toBigIntegerExact());
        }
        return BigDecimal.valueOf(nearest).compareTo(exact) == 0
                ? NODES.numberNode(nearest)
                : NODES.numberNode(exact);
    }

    private static JsonNode whole(BigInteger number) {
        if (number.bitLength() < Integer.SIZE) {
            return NODES.numberNode(number.intValueExact());
        }
        return number.bitLength() < Long.SIZE
                ? NODES.numberNode(number.longValueExact())
                : NODES.numberNode(number);
    }

    /** A value as JSON in which all numbers are plain digits. */
    static String json(JsonNode value) {
        StringBuilder json = new StringBuilder();
        write(value, json);
        return json.toString();
    }

    private static void write(JsonNode value, StringBuilder json) {
        if (value.isObject()) {
            String between = "{";
            for (Map.Entry<String, JsonNode> member : value.properties()) {
                json.append(between).append(TextNode.valueOf(member.getKey())).append(':');
                write(member.getValue(), json);
                between = ",";
            }
            json.append(value.isEmpty() ? "{}" : "}");
        } else if (value.isArray()) {
            String between = "[";
            for (JsonNode element : value) {
                json.append(between);
                write(element, json);
                between = ",";
            }
            json.append(value.isEmpty() ? "[]" : "]");
        } else {
            json.append(value.isFloatingPointNumber() ? digits(value) : value.toString());
        }
    }

    private static String digits(JsonNode number) {
        return Double.isFinite(number.doubleValue())
                ? number.decimalValue().stripTrailingZeros().toPlainString()
                : number.asText();
    }
}
