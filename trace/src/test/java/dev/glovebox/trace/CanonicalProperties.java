package dev.glovebox.trace;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

class CanonicalProperties {

    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

    private static final String LETTERS =
            "ab\"\\/\b\n\u0000\u001f\u007f\u0080\u00e9\u20ac\ufb33\uffff";
    private static final int DEEPEST = 5;

    private static JsonNode value(Random random, int depth) {
        return switch (random.nextInt(depth < DEEPEST ? 6 : 4)) {
            case 0 -> JSON.nullNode();
            case 1 -> JSON.booleanNode(random.nextBoolean());
            case 2 ->
                    JSON.numberNode(
                            random.nextLong(
                                    -CanonicalScanner.LARGEST_INTEGER,
                                    CanonicalScanner.LARGEST_INTEGER + 1));
            case 3 -> JSON.textNode(text(random));
            case 4 -> {
                ArrayNode array = JSON.arrayNode();
                for (int i = random.nextInt(4); i > 0; i--) {
                    array.add(value(random, depth + 1));
                }
                yield array;
            }
            default -> {
                ObjectNode object = JSON.objectNode();
                for (int i = random.nextInt(4); i > 0; i--) {
                    object.set(text(random), value(random, depth + 1));
                }
                yield object;
            }
        };
    }

    private static String text(Random random) {
        StringBuilder text = new StringBuilder();
        for (int i = random.nextInt(6); i > 0; i--) {
            int letter = random.nextInt(LETTERS.length() + 1);
            text.append(letter == LETTERS.length() ? "\ud83d\ude00" : LETTERS.charAt(letter));
        }
        return text.toString();
    }

    @Property
    void whatIsWrittenIsAcceptedAndMeansTheSame(@ForAll long seed) {
        JsonNode value = value(new Random(seed), 0);
        byte[] bytes = CanonicalJson.bytes(value);

        assertThat(CanonicalJson.bytes(CanonicalScanner.read(bytes))).isEqualTo(bytes);
    }

    /** So no two texts that mean the same are both accepted. */
    @Property
    void whatIsAcceptedIsWhatWouldBeWritten(
            @ForAll long seed, @ForAll @IntRange(max = 10_000) int where, @ForAll byte other) {
        byte[] changed = CanonicalJson.bytes(value(new Random(seed), 0));
        changed[where % changed.length] = other;
        JsonNode read;
        try {
            read = CanonicalScanner.read(changed);
        } catch (Malformed e) {
            return;
        }
        assertThat(CanonicalJson.bytes(read)).isEqualTo(changed);
    }
}
