package dev.glovebox.run;

import com.fasterxml.jackson.annotation.JsonAutoDetect;
import com.fasterxml.jackson.annotation.PropertyAccessor;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.JsonSerializer;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.introspect.AnnotatedField;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.ser.BeanPropertyWriter;
import com.fasterxml.jackson.databind.ser.PropertyWriter;
import com.fasterxml.jackson.databind.ser.impl.UnknownSerializer;
import com.fasterxml.jackson.databind.ser.std.BeanSerializerBase;
import com.fasterxml.jackson.datatype.jdk8.Jdk8Module;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;
import dev.glovebox.trace.Buffers;
import dev.glovebox.trace.ByteText;
import java.io.IOException;
import java.lang.reflect.Type;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.SequencedCollection;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Values as JSON: the same bytes for the same value, in every process. */
final class Json {

    // All that is read here was written here.
    private static final StreamReadConstraints UNBOUNDED =
            StreamReadConstraints.builder()
                    .maxStringLength(Integer.MAX_VALUE)
                    .maxNumberLength(Integer.MAX_VALUE)
                    .build();

    private static final JsonMapper MAPPER =
            JsonMapper.builder(
                            JsonFactory.builder()
                                    .recyclerPool(Buffers.SHARED)
                                    .streamReadConstraints(UNBOUNDED)
                                    .build())
                    .addModule(new Jdk8Module())
                    .addModule(new JavaTimeModule())
                    .addModule(new SimpleModule().addSerializer(Set.class, new OrderedSet()))
                    // What a record says of itself beside its components is not written.
                    .visibility(PropertyAccessor.GETTER, JsonAutoDetect.Visibility.NONE)
                    .visibility(PropertyAccessor.IS_GETTER, JsonAutoDetect.Visibility.NONE)
                    .visibility(PropertyAccessor.FIELD, JsonAutoDetect.Visibility.ANY)
                    .enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS)
                    .disable(SerializationFeature.WRITE_DATES_AS_TIMESTAMPS)
                    .disable(SerializationFeature.WRITE_DURATIONS_AS_TIMESTAMPS)
                    .disable(SerializationFeature.FAIL_ON_EMPTY_BEANS)
                    .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
                    .enable(JsonWriteFeature.COMBINE_UNICODE_SURROGATES_IN_UTF8)
                    .build();

    private static final ObjectWriter WRITER = MAPPER.writer();
    private static final ObjectWriter SORTED = WRITER.with(JsonNodeFeature.WRITE_PROPERTIES_SORTED);

    private static final ClassValue<ObjectReader> READERS =
            new ClassValue<>() {
                @Override
                protected ObjectReader computeValue(Class<?> type) {
                    return MAPPER.readerFor(type);
                }
            };

    // A tree is written again, and must not have lost digits then.
    private static final ObjectReader TREES =
            MAPPER.reader(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS);

    private static final Pattern ESCAPE = Pattern.compile("\\\\(?:(uD[89A-F]..)|.)");

    private Json() {}

    static byte[] bytes(Object value) {
        return bytes(WRITER, value);
    }

    /** Writes a value of a type. */
    static byte[] bytes(Object value, Class<?> type) {
        byte[] exact = Shape.of(type).json(value);
        return exact == null ? bytes(value) : exact;
    }

    /** The same bytes also for trees whose members came in another order. */
    static byte[] sorted(JsonNode tree) {
        return bytes(SORTED, tree);
    }

    /** The members that a type is written with, in their order; empty if it is no plain object. */
    static Optional<List<String>> members(Class<?> type) {
        try {
            JsonSerializer<Object> serializer =
                    MAPPER.getSerializerProviderInstance().findValueSerializer(type);
            if (serializer instanceof UnknownSerializer) {
                return Optional.of(List.of());
            }
            List<String> names = new ArrayList<>();
            serializer
                    .properties()
                    .forEachRemaining(
                            property -> names.add(isPlain(property) ? property.getName() : ""));
            return Optional.of(names)
                    .filter(all -> serializer instanceof BeanSerializerBase && !all.contains(""));
        } catch (JsonMappingException e) {
            return Optional.empty();
        }
    }

    private static boolean isPlain(PropertyWriter property) {
        return property.getClass() == BeanPropertyWriter.class
                && !((BeanPropertyWriter) property).willSuppressNulls()
                && property.getMember() instanceof AnnotatedField;
    }

    /** Writes what is declared to be of a type. */
    static ObjectWriter writer(Type declared) {
        return MAPPER.writerFor(MAPPER.constructType(declared));
    }

    /** Writes a value, unless it has half a surrogate pair in it: that would not come back. */
    @SuppressWarnings("ReferenceEquality") // Those that need no scrubbing stay the same.
    static boolean writeExact(Object value, ByteText out) {
        try {
            byte[] json = WRITER.writeValueAsBytes(value);
            out.add(json);
            return scrubbed(json) == json;
        } catch (JsonProcessingException e) {
            throw unwritable(value, e);
        }
    }

    static byte[] bytes(ObjectWriter writer, @Nullable Object value) {
        try {
            return scrubbed(writer.writeValueAsBytes(value));
        } catch (JsonProcessingException e) {
            throw unwritable(value, e);
        }
    }

    /** Half a surrogate pair, which models do send, has no UTF-8: it becomes a replacement. */
    private static byte[] scrubbed(byte[] json) {
        for (int i = 0; i + 2 < json.length; i++) {
            // Pairs are written as they are, so that only halves are escaped.
            if (json[i] == '\\' && json[i + 1] == 'u' && json[i + 2] == 'D') {
                String text = new String(json, StandardCharsets.UTF_8);
                return ESCAPE.matcher(text)
                        .replaceAll(escape -> escape.group(1) == null ? "$0" : "\uFFFD")
                        .getBytes(StandardCharsets.UTF_8);
            }
        }
        return json;
    }

    private static IllegalArgumentException unwritable(@Nullable Object value, Exception cause) {
        return new IllegalArgumentException(
                "Cannot be written as JSON: "
                        + Objects.requireNonNull(value).getClass().getName()
                        + ". Use a record",
                cause);
    }

    static <T> T value(byte[] json, Class<T> type) {
        try {
            return READERS.get(type).readValue(json, type);
        } catch (IOException e) {
            throw new IllegalArgumentException("Cannot be read as a " + type.getName(), e);
        }
    }

    /**
     * A value that was written.
     *
     * @param value as it is read again
     */
    record Written<T>(byte[] json, T value) {}

    /** Writes a value, and reads it again, unless it certainly comes back as it is. */
    static <T> Written<T> written(T value, Class<T> type) {
        byte[] exact = Shape.of(type).json(value);
        if (exact != null) {
            return new Written<>(exact, value);
        }
        byte[] json = bytes(value);
        return new Written<>(json, value(json, type));
    }

    static JsonNode tree(Object value) {
        return tree(bytes(value));
    }

    /** Half a surrogate pair becomes a replacement. */
    static String scrubbed(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (Character.isSurrogate(text.charAt(i))) {
                return tree((Object) text).textValue();
            }
        }
        return text;
    }

    /** A tree that has bytes as they are, and not as text. */
    static JsonNode binaryTree(Object value) {
        if (value instanceof JsonNode tree) {
            return tree;
        }
        try {
            return MAPPER.valueToTree(value);
        } catch (IllegalArgumentException e) {
            throw unwritable(value, e);
        }
    }

    static <T> T value(JsonNode tree, Class<T> type) {
        try {
            return MAPPER.treeToValue(tree, type);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("Cannot be read as a " + type.getName(), e);
        }
    }

    static JsonNode tree(byte[] json) {
        try {
            return TREES.readTree(json);
        } catch (IOException e) {
            throw new IllegalArgumentException("Not JSON", e);
        }
    }

    /** The sets of the JDK have another order in each process. */
    @SuppressWarnings("rawtypes") // Jackson knows the type of the elements no better.
    private static final class OrderedSet extends JsonSerializer<Set> {

        @Override
        public void serialize(Set set, JsonGenerator out, SerializerProvider provider)
                throws IOException {
            out.writeStartArray();
            for (Object element : set instanceof SequencedCollection<?> in ? in : sorted(set)) {
                provider.defaultSerializeValue(element, out);
            }
            out.writeEndArray();
        }

        private static Collection<Object> sorted(Set<?> set) {
            TreeMap<String, List<Object>> byText = new TreeMap<>();
            for (Object element : set) {
                String text = new String(bytes(element), StandardCharsets.UTF_8);
                byText.computeIfAbsent(text, any -> new ArrayList<>()).add(element);
            }
            return byText.values().stream().flatMap(List::stream).toList();
        }
    }
}
