package dev.glovebox.agent;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.cfg.CoercionAction;
import com.fasterxml.jackson.databind.cfg.CoercionInputShape;
import com.fasterxml.jackson.databind.cfg.MapperConfig;
import com.fasterxml.jackson.databind.introspect.Annotated;
import com.fasterxml.jackson.databind.introspect.JacksonAnnotationIntrospector;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.jsontype.NamedType;
import com.fasterxml.jackson.datatype.jdk8.Jdk8Module;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;
import java.io.Serial;
import java.lang.reflect.Type;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Arguments as Java objects, and results of tools as texts. */
final class ToolJson {

    /** The member that tells which one of the records of a sealed interface it is. */
    static final String TYPE = "type";

    static final JsonMapper MAPPER =
            JsonMapper.builder()
                    .addModule(new Jdk8Module())
                    .addModule(new JavaTimeModule())
                    .disable(SerializationFeature.WRITE_DATES_AS_TIMESTAMPS)
                    .disable(SerializationFeature.WRITE_DURATIONS_AS_TIMESTAMPS)
                    .disable(SerializationFeature.FAIL_ON_EMPTY_BEANS)
                    // The offset is a part of what was written, and approved.
                    .disable(DeserializationFeature.ADJUST_DATES_TO_CONTEXT_TIME_ZONE)
                    // It would be null, also where that cannot be.
                    .withCoercionConfigDefaults(coercion ->
                            coercion.setCoercion(
                                    CoercionInputShape.EmptyString, CoercionAction.Fail))
                    .annotationIntrospector(new Sealed())
                    .build();

    private ToolJson() {}

    /**
     * Reads arguments that follow the schema of a type.
     *
     * @throws IllegalArgumentException if its constructor does not want them, or a number is too
     *     large for it
     */
    static @Nullable Object read(JsonNode arguments, Type type, String field) {
        return read(arguments, MAPPER.constructType(type), field);
    }

    /** The same for a type that is known better. */
    static @Nullable Object read(JsonNode arguments, JavaType type, String field) {
        Object plain = plain(arguments, type.getRawClass());
        if (plain != null) {
            return plain;
        }
        try {
            return arguments.isMissingNode()
                    ? MAPPER.convertValue(null, type)
                    : MAPPER.treeToValue(arguments, type);
        } catch (JsonMappingException e) {
            String path =
                    e.getPath().stream()
                            .map(step ->
                                    step.getFieldName() == null
                                            ? String.valueOf(step.getIndex())
                                            : step.getFieldName())
                            .collect(Collectors.joining("/"));
            throw unreadable(Stream.of(field, path), e);
        } catch (JsonProcessingException e) {
            throw unreadable(Stream.of(field), e);
        }
    }

    /** What needs no mapper; null if it does. */
    private static @Nullable Object plain(JsonNode value, Class<?> type) {
        if (value.isInt() && (type == int.class || type == Integer.class)) {
            return value.intValue();
        }
        return value.isTextual() && type == String.class ? value.textValue() : null;
    }

    private static IllegalArgumentException unreadable(
            Stream<String> at, JsonProcessingException e) {
        Throwable cause = e;
        while (cause.getCause() != null) {
            cause = cause.getCause();
        }
        String said =
                cause instanceof JsonProcessingException json
                        ? json.getOriginalMessage()
                        : cause.getMessage();
        String why = said == null ? cause.getClass().getSimpleName() : said;
        String place = at.filter(one -> !one.isEmpty()).collect(Collectors.joining("/"));
        return new IllegalArgumentException((place.isEmpty() ? "" : "/" + place + ": ") + why, e);
    }

    /** What a model reads of a result. */
    static ToolOutput output(@Nullable Object result) throws JsonProcessingException {
        return switch (result) {
            case null -> ToolOutput.error("The tool failed: it gave nothing back");
            case ToolOutput output -> output;
            case CharSequence text -> ToolOutput.of(text.toString());
            case Integer number -> ToolOutput.of(number.toString());
            case Long number -> ToolOutput.of(number.toString());
            case Boolean truth -> ToolOutput.of(truth.toString());
            default -> ToolOutput.of(MAPPER.writeValueAsString(result));
        };
    }

    /** Sealed interfaces tell their records apart by their names, without annotations. */
    private static final class Sealed extends JacksonAnnotationIntrospector {

        @Serial private static final long serialVersionUID = 1L;

        @Override
        public JsonTypeInfo.@Nullable Value findPolymorphicTypeInfo(
                MapperConfig<?> config, Annotated annotated) {
            JsonTypeInfo.Value known = super.findPolymorphicTypeInfo(config, annotated);
            return known == null && isSealed(annotated.getRawType())
                    ? JsonTypeInfo.Value.construct(
                            JsonTypeInfo.Id.NAME,
                            JsonTypeInfo.As.PROPERTY,
                            TYPE,
                            null,
                            false,
                            true,
                            true)
                    : known;
        }

        @Override
        public @Nullable List<NamedType> findSubtypes(Annotated annotated) {
            List<NamedType> known = super.findSubtypes(annotated);
            return known == null && isSealed(annotated.getRawType())
                    ? Stream.of(annotated.getRawType().getPermittedSubclasses())
                            .map(type -> new NamedType(type, type.getSimpleName()))
                            .toList()
                    : known;
        }

        private static boolean isSealed(Class<?> type) {
            return type.isSealed() && type.isInterface();
        }
    }
}
