package dev.glovebox.agent;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A schema of the simplest kind, as most tools have it, which is checked at once.
 *
 * <p>It only ever says that a value certainly fits: whatever else, {@link SchemaCheck} finds out.
 */
sealed interface PlainSchema {

    /** Whether a value certainly fits. */
    boolean fits(JsonNode value);

    /** Reads a schema; empty if it says anything that is not of the simplest kind. */
    static Optional<PlainSchema> of(JsonNode schema) {
        Set<String> says = new HashSet<>();
        schema.fieldNames().forEachRemaining(says::add);
        says.removeAll(Set.of("description", "default", "title"));
        return switch (schema.path("type").asText()) {
            case "string" ->
                    says.equals(Set.of("type", "enum"))
                            ? Words.of(schema.path("enum"))
                            : plain(says, new Text());
            case "integer" ->
                    says.equals(Set.of("type", "minimum", "maximum"))
                            ? Between.of(schema.path("minimum"), schema.path("maximum"))
                            : plain(says, new Whole());
            case "number" -> plain(says, new Numeric());
            case "boolean" -> plain(says, new Truth());
            case "array" ->
                    says.equals(Set.of("type", "items"))
                            ? of(schema.path("items")).map(Several::new)
                            : Optional.empty();
            case "object" -> Members.of(schema, says);
            default -> Optional.empty();
        };
    }

    private static Optional<PlainSchema> plain(Set<String> says, PlainSchema schema) {
        return says.equals(Set.of("type")) ? Optional.of(schema) : Optional.empty();
    }

    /** A text. */
    record Text() implements PlainSchema {
        @Override
        public boolean fits(JsonNode value) {
            return value.isTextual();
        }
    }

    /** A whole number, written as one. */
    record Whole() implements PlainSchema {
        @Override
        public boolean fits(JsonNode value) {
            return value.isIntegralNumber();
        }
    }

    /** A whole number that is not too large. */
    record Between(long least, long most) implements PlainSchema {

        private static Optional<PlainSchema> of(JsonNode least, JsonNode most) {
            return isLong(least) && isLong(most)
                    ? Optional.of(new Between(least.longValue(), most.longValue()))
                    : Optional.empty();
        }

        private static boolean isLong(JsonNode value) {
            return value.isIntegralNumber() && value.canConvertToLong();
        }

        @Override
        public boolean fits(JsonNode value) {
            return isLong(value) && least <= value.longValue() && value.longValue() <= most;
        }
    }

    /** A number. */
    record Numeric() implements PlainSchema {
        @Override
        public boolean fits(JsonNode value) {
            return value.isNumber();
        }
    }

    /** True or false. */
    record Truth() implements PlainSchema {
        @Override
        public boolean fits(JsonNode value) {
            return value.isBoolean();
        }
    }

    /** One of some words. */
    record Words(Set<String> words) implements PlainSchema {

        private static Optional<PlainSchema> of(JsonNode words) {
            Set<String> known = new HashSet<>();
            for (JsonNode word : words) {
                if (!word.isTextual()) {
                    return Optional.empty();
                }
                known.add(word.textValue());
            }
            return Optional.of(new Words(known));
        }

        @Override
        public boolean fits(JsonNode value) {
            return value.isTextual() && words.contains(value.textValue());
        }
    }

    /** Any number of them. */
    record Several(PlainSchema element) implements PlainSchema {
        @Override
        public boolean fits(JsonNode value) {
            if (!value.isArray()) {
                return false;
            }
            for (JsonNode one : value) {
                if (!element.fits(one)) {
                    return false;
                }
            }
            return true;
        }
    }

    /** An object that has these members, and no others. */
    record Members(Map<String, Member> known, int required) implements PlainSchema {

        /** One of them, which may have to be there. */
        record Member(PlainSchema schema, boolean isRequired) {}

        private static Optional<PlainSchema> of(JsonNode schema, Set<String> says) {
            says.removeAll(Set.of("type", "properties", "required", "additionalProperties"));
            boolean closed =
                    !schema.has("additionalProperties")
                            || schema.path("additionalProperties").isBoolean();
            boolean named = schema.path("required").valueStream().allMatch(JsonNode::isTextual);
            if (!says.isEmpty() || !closed || !named) {
                return Optional.empty();
            }
            Set<String> required =
                    schema.path("required")
                            .valueStream()
                            .map(JsonNode::asText)
                            .collect(Collectors.toSet());
            Map<String, Member> known = new HashMap<>();
            for (Map.Entry<String, JsonNode> member : schema.path("properties").properties()) {
                Optional<PlainSchema> plain = PlainSchema.of(member.getValue());
                if (plain.isEmpty()) {
                    return Optional.empty();
                }
                known.put(
                        member.getKey(),
                        new Member(plain.get(), required.contains(member.getKey())));
            }
            return Optional.of(new Members(known, required.size()));
        }

        @Override
        public boolean fits(JsonNode value) {
            if (!value.isObject()) {
                return false;
            }
            int missing = required;
            for (Map.Entry<String, JsonNode> entry : value.properties()) {
                Member member = known.get(entry.getKey());
                if (member == null || !member.schema().fits(entry.getValue())) {
                    return false;
                }
                if (member.isRequired()) {
                    missing--;
                }
            }
            return missing == 0;
        }
    }
}
