package dev.glovebox.run;

import com.fasterxml.jackson.annotation.JsonAutoDetect.Visibility;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.BeanDescription;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonSerializer;
import com.fasterxml.jackson.databind.SerializationConfig;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.introspect.AnnotatedClass;
import com.fasterxml.jackson.databind.introspect.JacksonAnnotationIntrospector;
import com.fasterxml.jackson.databind.introspect.VisibilityChecker;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.ser.BeanSerializerModifier;
import com.fasterxml.jackson.databind.ser.impl.UnknownSerializer;
import com.fasterxml.jackson.databind.ser.std.StdSerializer;
import com.fasterxml.jackson.datatype.jdk8.Jdk8Module;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;
import dev.glovebox.trace.Buffers;
import java.io.IOException;

/** How messages are written: a record is its components, whatever other methods it has. */
final class MessageMapper {

    static final JsonMapper JSON =
            JsonMapper.builder(JsonFactory.builder().recyclerPool(Buffers.SHARED).build())
                    .addModules(new Jdk8Module(), new JavaTimeModule(), emptyRecords())
                    .annotationIntrospector(new ComponentsOnly())
                    .disable(
                            SerializationFeature.WRITE_DATES_AS_TIMESTAMPS,
                            SerializationFeature.WRITE_DURATIONS_AS_TIMESTAMPS)
                    .enable(SerializationFeature.WRITE_DATES_WITH_ZONE_ID)
                    .disable(DeserializationFeature.ADJUST_DATES_TO_CONTEXT_TIME_ZONE)
                    .enable(
                            DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES,
                            DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
                    .build();

    private MessageMapper() {}

    static String reason(Throwable e) {
        return switch (e) {
            case JsonMappingException m -> m.getOriginalMessage() + " at " + m.getPathReference();
            case JsonProcessingException p -> p.getOriginalMessage();
            case StackOverflowError _ -> "it is nested too deeply";
            default -> String.valueOf(e.getMessage());
        };
    }

    // From the fields, which are the components: otherwise isEmpty() of a record would be written,
    // and then not be known when it is read.
    private static final class ComponentsOnly extends JacksonAnnotationIntrospector {
        @Override
        public VisibilityChecker<?> findAutoDetectVisibility(
                AnnotatedClass type, VisibilityChecker<?> checker) {
            VisibilityChecker<?> found = super.findAutoDetectVisibility(type, checker);
            return type.getRawType().isRecord()
                    ? found.withFieldVisibility(Visibility.ANY)
                            .withGetterVisibility(Visibility.NONE)
                            .withIsGetterVisibility(Visibility.NONE)
                    : found;
        }
    }

    // A record without components says enough; any other object without properties would lose what
    // it has, and is refused.
    private static SimpleModule emptyRecords() {
        SimpleModule module = new SimpleModule("empty records");
        module.setSerializerModifier(
                new BeanSerializerModifier() {
                    @Override
                    public JsonSerializer<?> modifySerializer(
                            SerializationConfig config,
                            BeanDescription type,
                            JsonSerializer<?> serializer) {
                        return serializer instanceof UnknownSerializer
                                        && type.getBeanClass().isRecord()
                                ? new EmptyRecord()
                                : serializer;
                    }
                });
        return module;
    }

    private static final class EmptyRecord extends StdSerializer<Record> {
        private EmptyRecord() {
            super(Record.class);
        }

        @Override
        public void serialize(Record value, JsonGenerator json, SerializerProvider provider)
                throws IOException {
            json.writeStartObject();
            json.writeEndObject();
        }
    }
}
