package dev.glovebox.telemetry;

import com.fasterxml.jackson.databind.JsonNode;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.common.AttributesBuilder;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.StreamSupport;

/**
 * A member of an effect's details, and the attribute that it becomes.
 *
 * <p>A member that is missing, or not of its type, is no attribute; that is never an error.
 */
record Member<T>(String name, AttributeKey<T> attribute, Function<JsonNode, Optional<T>> reading) {

    static Member<String> text(String name, AttributeKey<String> attribute) {
        return new Member<>(name, attribute, Member::textOf);
    }

    static Member<List<String>> texts(String name, AttributeKey<List<String>> attribute) {
        return new Member<>(name, attribute, Member::textsOf);
    }

    static Member<Long> number(String name, AttributeKey<Long> attribute) {
        return new Member<>(name, attribute, Member::numberOf);
    }

    /** How many times the unit fits into the number. */
    static Member<Long> whole(String name, AttributeKey<Long> attribute, long unit) {
        return new Member<>(name, attribute, value -> numberOf(value).map(n -> n / unit));
    }

    /** The number in a larger unit, such as milliseconds in seconds. */
    static Member<Double> ratio(String name, AttributeKey<Double> attribute, double unit) {
        return new Member<>(name, attribute, value -> numberOf(value).map(n -> n / unit));
    }

    /** An attribute only if it is true. */
    static Member<Boolean> flag(String name, AttributeKey<Boolean> attribute) {
        return new Member<>(
                name,
                attribute,
                value -> value.booleanValue() ? Optional.of(true) : Optional.empty());
    }

    static Attributes read(List<Member<?>> members, JsonNode details) {
        AttributesBuilder attributes = Attributes.builder();
        members.forEach(member -> member.copy(details, attributes));
        return attributes.build();
    }

    void copy(JsonNode details, AttributesBuilder to) {
        reading.apply(details.path(name)).ifPresent(value -> to.put(attribute, value));
    }

    static Optional<String> textOf(JsonNode value) {
        return value.isTextual() ? Optional.of(value.textValue()) : Optional.empty();
    }

    private static Optional<Long> numberOf(JsonNode value) {
        return value.isIntegralNumber() ? Optional.of(value.longValue()) : Optional.empty();
    }

    private static Optional<List<String>> textsOf(JsonNode value) {
        return value.isArray()
                ? Optional.of(
                        StreamSupport.stream(value.spliterator(), false)
                                .flatMap(element -> textOf(element).stream())
                                .toList())
                : Optional.empty();
    }
}
