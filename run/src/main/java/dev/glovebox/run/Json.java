package dev.glovebox.run;

import com.fasterxml.jackson.annotation.JsonAutoDetect;
import com.fasterxml.jackson.annotation.PropertyAccessor;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerationException;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.util.JsonRecyclerPools;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.JsonSerializer;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.datatype.jdk8.Jdk8Module;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.SequencedCollection;
import java.util.Set;
import java.util.TreeMap;

/** Values as JSON: the same bytes for the same value, in every process. */
final class Json {

    private static final JsonMapper MAPPER =
            // Not the default pool, which keeps buffers for each thread: there are very many.
            JsonMapper.builder(
                            JsonFactory.builder()
                                    .recyclerPool(JsonRecyclerPools.sharedConcurrentDequePool())
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
                    .build();

    private Json() {}

    static byte[] bytes(Object value) {
        try {
            return MAPPER.writeValueAsBytes(value);
        } catch (JsonGenerationException e) {
            return scrubbed(value);
        } catch (JsonProcessingException e) {
            throw unwritable(value, e);
        }
    }

    /** Half a surrogate pair, which models do send, has no UTF-8: it becomes a replacement. */
    private static byte[] scrubbed(Object value) {
        try {
            StringBuilder text = new StringBuilder(MAPPER.writeValueAsString(value));
            for (int i = 0; i < text.length(); i++) {
                char c = text.charAt(i);
                if (Character.isHighSurrogate(c)
                        && i + 1 < text.length()
                        && Character.isLowSurrogate(text.charAt(i + 1))) {
                    i++;
                } else if (Character.isSurrogate(c)) {
                    text.setCharAt(i, '\uFFFD');
                }
            }
            return text.toString().getBytes(StandardCharsets.UTF_8);
        } catch (JsonProcessingException e) {
            throw unwritable(value, e);
        }
    }

    private static IllegalArgumentException unwritable(Object value, Exception cause) {
        return new IllegalArgumentException(
                "Cannot be written as JSON: " + value.getClass().getName() + ". Use a record",
                cause);
    }

    static <T> T value(byte[] json, Class<T> type) {
        try {
            return MAPPER.readValue(json, type);
        } catch (IOException e) {
            throw new IllegalArgumentException("Cannot be read as a " + type.getName(), e);
        }
    }

    static JsonNode tree(Object value) {
        return tree(bytes(value));
    }

    static JsonNode tree(byte[] json) {
        try {
            return MAPPER.readTree(json);
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
