package dev.glovebox.agent;

import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.DoubleNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.LongNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.langchain4j.agent.tool.P;
import dev.langchain4j.model.output.structured.Description;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Constructor;
import java.lang.reflect.Parameter;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * JSON schemas of Java types: records, and what they are made of.
 *
 * <p>Descriptions come from {@code @P} and {@code @Description}; what is {@link Optional},
 * nullable, {@code @P(required = false)} or has a default need not be there.
 */
final class ParameterSchema {

    /** {@link Float#MAX_VALUE} as it is written. */
    static final double MOST_FLOAT = 3.4028235e38;

    private static final String FORMAT = "format";

    private static final Map<Class<?>, String> SIMPLE =
            Map.ofEntries(
                    Map.entry(String.class, "string"),
                    Map.entry(CharSequence.class, "string"),
                    Map.entry(boolean.class, "boolean"),
                    Map.entry(Boolean.class, "boolean"),
                    Map.entry(byte.class, "integer"),
                    Map.entry(Byte.class, "integer"),
                    Map.entry(short.class, "integer"),
                    Map.entry(Short.class, "integer"),
                    Map.entry(int.class, "integer"),
                    Map.entry(Integer.class, "integer"),
                    Map.entry(OptionalInt.class, "integer"),
                    Map.entry(long.class, "integer"),
                    Map.entry(Long.class, "integer"),
                    Map.entry(OptionalLong.class, "integer"),
                    Map.entry(BigInteger.class, "integer"),
                    Map.entry(float.class, "number"),
                    Map.entry(Float.class, "number"),
                    Map.entry(double.class, "number"),
                    Map.entry(Double.class, "number"),
                    Map.entry(OptionalDouble.class, "number"),
                    Map.entry(BigDecimal.class, "number"));

    /** The numbers that a type has room for. */
    private record Range(JsonNode least, JsonNode most) {

        private static Range of(int least, int most) {
            return new Range(IntNode.valueOf(least), IntNode.valueOf(most));
        }
    }

    private static final Range BYTE = Range.of(Byte.MIN_VALUE, Byte.MAX_VALUE);
    private static final Range SHORT = Range.of(Short.MIN_VALUE, Short.MAX_VALUE);
    private static final Range INT = Range.of(Integer.MIN_VALUE, Integer.MAX_VALUE);
    private static final Range LONG =
            new Range(LongNode.valueOf(Long.MIN_VALUE), LongNode.valueOf(Long.MAX_VALUE));

    private static final Range FLOAT =
            new Range(DoubleNode.valueOf(-MOST_FLOAT), DoubleNode.valueOf(MOST_FLOAT));

    private static final Map<Class<?>, Range> RANGES =
            Map.ofEntries(
                    Map.entry(byte.class, BYTE),
                    Map.entry(Byte.class, BYTE),
                    Map.entry(short.class, SHORT),
                    Map.entry(Short.class, SHORT),
                    Map.entry(int.class, INT),
                    Map.entry(Integer.class, INT),
                    Map.entry(OptionalInt.class, INT),
                    Map.entry(long.class, LONG),
                    Map.entry(Long.class, LONG),
                    Map.entry(OptionalLong.class, LONG),
                    Map.entry(float.class, FLOAT),
                    Map.entry(Float.class, FLOAT));

    private static final Map<Class<?>, TextFormat> FORMATS =
            Map.of(
                    LocalDate.class, TextFormat.DATE,
                    LocalTime.class, TextFormat.TIME,
                    LocalDateTime.class, TextFormat.LOCAL,
                    OffsetDateTime.class, TextFormat.MOMENT,
                    Instant.class, TextFormat.MOMENT,
                    Duration.class, TextFormat.DURATION,
                    UUID.class, TextFormat.ID,
                    URI.class, TextFormat.ADDRESS);

    private static final Set<Class<?>> MAYBE =
            Set.of(Optional.class, OptionalInt.class, OptionalLong.class, OptionalDouble.class);

    private final List<Class<?>> around = new ArrayList<>();

    private ParameterSchema() {}

    /** The schema of a record. */
    static ObjectNode of(Class<? extends Record> type) {
        return new ParameterSchema().record(type);
    }

    /** The schema of an object with a member for each parameter of a method. */
    static ObjectNode of(List<Parameter> parameters) {
        return new ParameterSchema()
                .object(parameters.stream().map(ParameterSchema::member).toList());
    }

    /** The name that a parameter has for a model. */
    static String name(Parameter parameter) {
        P about = parameter.getAnnotation(P.class);
        if (about != null && !about.name().isBlank()) {
            return about.name();
        }
        if (!parameter.isNamePresent()) {
            throw new IllegalArgumentException(
                    "A parameter of "
                            + parameter.getDeclaringExecutable()
                            + " has no name: compile with -parameters, or use @P(name = ...)");
        }
        return parameter.getName();
    }

    private record Member(
            String name,
            Type type,
            Class<?> raw,
            @Nullable P about,
            @Nullable Description description,
            boolean nullable,
            boolean isWrittenAnotherWay) {

        boolean isRequired() {
            return !nullable
                    && !MAYBE.contains(raw)
                    && (about == null || about.required())
                    && fallback().isEmpty();
        }

        Optional<String> fallback() {
            return Optional.ofNullable(about)
                    .map(P::defaultValue)
                    .filter(value -> !value.equals(P.NO_DEFAULT));
        }

        String text() {
            if (about != null) {
                return about.description().isBlank() ? about.value() : about.description();
            }
            return description == null ? "" : String.join("\n", description.value());
        }
    }

    private static Member member(Parameter parameter) {
        return new Member(
                name(parameter),
                parameter.getParameterizedType(),
                parameter.getType(),
                parameter.getAnnotation(P.class),
                null,
                isNullable(parameter, parameter.getAnnotatedType()),
                false);
    }

    private static Member member(String name, RecordComponent component, Parameter parameter) {
        AnnotatedElement field = field(component);
        return new Member(
                name,
                component.getGenericType(),
                component.getType(),
                parameter.getAnnotation(P.class),
                field.getAnnotation(Description.class),
                isNullable(component, component.getAnnotatedType()),
                field.isAnnotationPresent(JsonFormat.class));
    }

    private static boolean isNullable(AnnotatedElement... places) {
        return Stream.of(places)
                .flatMap(place -> Arrays.stream(place.getAnnotations()))
                .anyMatch(one -> one.annotationType().getSimpleName().equals("Nullable"));
    }

    private ObjectNode record(Class<?> type) {
        if (around.contains(type)) {
            throw new IllegalArgumentException(
                    type.getName() + " contains itself, which no model's tools can have");
        }
        around.add(type);
        RecordComponent[] components = type.getRecordComponents();
        Parameter[] parameters = canonical(type, components).getParameters();
        ComponentNames names = new ComponentNames(type);
        List<Member> members = new ArrayList<>();
        for (int i = 0; i < components.length; i++) {
            Optional<String> name = names.of(components[i].getName());
            if (name.isPresent()) {
                members.add(member(name.get(), components[i], parameters[i]));
            }
        }
        ObjectNode schema = object(members);
        Description description = type.getAnnotation(Description.class);
        if (description != null) {
            schema.put("description", String.join("\n", description.value()));
        }
        around.removeLast();
        return schema;
    }

    private static Constructor<?> canonical(Class<?> type, RecordComponent[] components) {
        try {
            return type.getDeclaredConstructor(
                    Stream.of(components).map(RecordComponent::getType).toArray(Class<?>[]::new));
        } catch (NoSuchMethodException e) {
            throw new IllegalStateException(e); // every record has one
        }
    }

    private static AnnotatedElement field(RecordComponent component) {
        try {
            return component.getDeclaringRecord().getDeclaredField(component.getName());
        } catch (NoSuchFieldException e) {
            throw new IllegalStateException(e); // every component has one
        }
    }

    private ObjectNode object(List<Member> members) {
        ObjectNode schema = typed("object");
        ObjectNode properties = schema.putObject("properties");
        ArrayNode required = JsonNodeFactory.instance.arrayNode();
        for (Member member : members) {
            ObjectNode property = schema(member.type(), member.name());
            if (member.isWrittenAnotherWay()) {
                property.remove(FORMAT);
            }
            if (!member.text().isBlank()) {
                property.put("description", member.text());
            }
            member.fallback()
                    .ifPresent(text -> property.set("default", fallback(member, text, property)));
            properties.set(member.name(), property);
            if (member.isRequired()) {
                required.add(member.name());
            }
        }
        if (!required.isEmpty()) {
            schema.set("required", required);
        }
        return schema.put("additionalProperties", false);
    }

    private static JsonNode fallback(Member member, String text, ObjectNode schema) {
        JsonNode value = TextNode.valueOf(text);
        if (!schema.path("type").asText().equals("string")) {
            try {
                value = ToolJson.MAPPER.readTree(text);
            } catch (JsonProcessingException e) {
                throw noDefault(member, text, e);
            }
        }
        if (!SchemaCheck.ofTypes(schema).problems(value).isEmpty()) {
            throw noDefault(member, text, null);
        }
        return value;
    }

    private static IllegalArgumentException noDefault(
            Member member, String text, @Nullable Exception cause) {
        return new IllegalArgumentException(
                "'%s' is not a %s, so it cannot be the default of '%s'"
                        .formatted(text, member.raw().getSimpleName(), member.name()),
                cause);
    }

    private ObjectNode schema(Type type, String where) {
        if (type instanceof ParameterizedType generic
                && generic.getRawType() instanceof Class<?> raw) {
            return parameterized(raw, generic.getActualTypeArguments(), where);
        }
        if (!(type instanceof Class<?> plain)) {
            throw unsuitable(type, where);
        }
        if (SIMPLE.containsKey(plain)) {
            return bounded(plain, typed(SIMPLE.get(plain)));
        }
        if (FORMATS.containsKey(plain)) {
            return typed("string").put(FORMAT, FORMATS.get(plain).word());
        }
        if (plain.isEnum()) {
            return choice(plain);
        }
        if (plain.isRecord()) {
            return record(plain);
        }
        if (plain.isArray() && plain != byte[].class) {
            return list(plain.componentType(), where);
        }
        if (plain.isSealed() && plain.isInterface()) {
            return oneOf(plain);
        }
        if (plain == Object.class || JsonNode.class.isAssignableFrom(plain)) {
            return plain == ObjectNode.class
                    ? typed("object")
                    : JsonNodeFactory.instance.objectNode();
        }
        throw unsuitable(type, where);
    }

    private static ObjectNode bounded(Class<?> type, ObjectNode schema) {
        Range range = RANGES.get(type);
        if (range != null) {
            schema.set("minimum", range.least());
            schema.set("maximum", range.most());
        }
        return schema;
    }

    private ObjectNode parameterized(Class<?> raw, Type[] types, String where) {
        if (raw == Optional.class) {
            return schema(types[0], where);
        }
        if (Collection.class.isAssignableFrom(raw)) {
            ObjectNode list = list(types[0], where);
            return Set.class.isAssignableFrom(raw) ? list.put("uniqueItems", true) : list;
        }
        if (Map.class.isAssignableFrom(raw) && types[0] == String.class) {
            ObjectNode map = typed("object");
            map.set("additionalProperties", schema(types[1], where));
            return map;
        }
        throw unsuitable(raw, where);
    }

    private ObjectNode list(Type element, String where) {
        ObjectNode list = typed("array");
        list.set("items", schema(element, where));
        return list;
    }

    private static ObjectNode choice(Class<?> type) {
        List<JsonNode> words =
                Stream.of(type.getEnumConstants())
                        .map(ToolJson.MAPPER::<JsonNode>valueToTree)
                        .toList();
        // By @JsonValue they may be numbers.
        boolean isText = words.stream().allMatch(JsonNode::isTextual);
        ObjectNode schema = typed(isText ? "string" : "number");
        schema.putArray("enum").addAll(words);
        return schema;
    }

    /** One of several records; which one is told by a member of its own. */
    private ObjectNode oneOf(Class<?> type) {
        ObjectNode schema = JsonNodeFactory.instance.objectNode();
        ArrayNode choices = schema.putArray("oneOf");
        for (Class<?> one : type.getPermittedSubclasses()) {
            if (!one.isRecord()) {
                throw unsuitable(one, type.getSimpleName());
            }
            ObjectNode choice = record(one);
            if (choice.path("properties").has(ToolJson.TYPE)) {
                throw new IllegalArgumentException(
                        "%s has a member '%s' of its own, which tells the records of %s apart: give it another name"
                                .formatted(one.getName(), ToolJson.TYPE, type.getSimpleName()));
            }
            ObjectNode properties = JsonNodeFactory.instance.objectNode();
            properties.putObject(ToolJson.TYPE).put("const", one.getSimpleName());
            properties.setAll((ObjectNode) choice.path("properties"));
            choice.set("properties", properties);
            choice.withArray("/required").insert(0, ToolJson.TYPE);
            choices.add(choice);
        }
        return schema;
    }

    private static ObjectNode typed(String type) {
        return JsonNodeFactory.instance.objectNode().put("type", type);
    }

    private static IllegalArgumentException unsuitable(Type type, String where) {
        return new IllegalArgumentException(
                "The parameter '%s' has the type %s: use records, enums, texts, numbers, lists or maps by text"
                        .formatted(where, type.getTypeName()));
    }
}
