package dev.glovebox.run;

import com.fasterxml.jackson.annotation.JacksonAnnotation;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonTypeName;
import com.fasterxml.jackson.databind.ObjectWriter;
import dev.glovebox.trace.Appended;
import java.lang.annotation.Annotation;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * How the values of a type are made: whether one of them can ever change, and whether it comes back
 * from JSON as it was. Then it needs no copies, and what makes it different from another one is
 * seen without writing both.
 *
 * <p>These are records of texts, numbers, times, enums, records, and of lists and options of such;
 * of interfaces that say in their JSON which record it is.
 */
sealed interface Shape {

    /** Whether a value of the type is so, in all its parts. */
    boolean holds(@Nullable Object value);

    /** The shape of a type. */
    static Shape of(Class<?> type) {
        return Known.SHAPES.get(type);
    }

    /** Types that were looked at. */
    final class Known {

        private static final Set<Class<?>> PLAIN =
                Set.of(
                        String.class,
                        Boolean.class,
                        Integer.class,
                        Long.class,
                        Short.class,
                        Byte.class,
                        Double.class,
                        Instant.class,
                        Duration.class);

        private static final ClassValue<Shape> SHAPES =
                new ClassValue<>() {
                    @Override
                    protected Shape computeValue(Class<?> type) {
                        return shape(type);
                    }
                };

        private Known() {}

        private static Shape shape(Class<?> type) {
            if (PLAIN.contains(type) || (type.isPrimitive() && type != char.class)) {
                return new Plain();
            }
            if (!isPlainlyWritten(type)) {
                return new Open();
            }
            if (type.isEnum()) {
                return new Plain();
            }
            if (type.isRecord() && type.getTypeParameters().length == 0) {
                return OfRecord.of(type);
            }
            boolean isNamed = type.isAnnotationPresent(JsonTypeInfo.class);
            return type.isSealed() && type.isInterface() && isNamed ? new OneOf(type) : new Open();
        }

        private static Shape shape(Type type) {
            if (type instanceof Class<?> plain) {
                return new Later(plain);
            }
            if (type instanceof ParameterizedType of) {
                Type inner = of.getActualTypeArguments()[0];
                if (of.getRawType() == List.class) {
                    return new OfList(shape(inner));
                }
                if (of.getRawType() == Optional.class) {
                    return new Perhaps(shape(inner));
                }
            }
            return new Open();
        }

        /** Whoever has a say in how it is written may also lose something. */
        private static boolean isPlainlyWritten(AnnotatedElement element) {
            return Stream.of(element.getAnnotations())
                    .map(Annotation::annotationType)
                    .filter(type -> type.isAnnotationPresent(JacksonAnnotation.class))
                    .allMatch(
                            Set.of(JsonTypeInfo.class, JsonSubTypes.class, JsonTypeName.class)
                                    ::contains);
        }
    }

    /** It cannot change. */
    record Plain() implements Shape {
        @Override
        public boolean holds(@Nullable Object value) {
            return true;
        }
    }

    /** Nobody knows. */
    record Open() implements Shape {
        @Override
        public boolean holds(@Nullable Object value) {
            return value == null;
        }
    }

    /** A type within others, perhaps within itself. */
    record Later(Class<?> type) implements Shape {
        @Override
        public boolean holds(@Nullable Object value) {
            return value == null || of(type).holds(value);
        }
    }

    /** What may not be there. */
    record Perhaps(Shape of) implements Shape {
        @Override
        public boolean holds(@Nullable Object value) {
            // Nothing at all would come back as an empty one.
            return value instanceof Optional<?> option
                    && (option.isEmpty() || of.holds(option.get()));
        }
    }

    /** One of several records. */
    record OneOf(Class<?> type) implements Shape {
        @Override
        public boolean holds(@Nullable Object value) {
            return value == null
                    || (value.getClass().isRecord() && of(value.getClass()).holds(value));
        }
    }

    /** A list that nobody can change. */
    record OfList(Shape element) implements Shape {

        // Those of the library, and our own.
        private static final Set<Class<?>> FIXED =
                Set.of(List.of().getClass(), List.of("").getClass(), Appended.class);

        @Override
        public boolean holds(@Nullable Object value) {
            return value == null || (value instanceof List<?> list && holds(list, 0));
        }

        boolean holds(List<?> list, int from) {
            if (!FIXED.contains(list.getClass())) {
                return false;
            }
            for (int i = from; i < list.size(); i++) {
                if (!element.holds(list.get(i))) {
                    return false;
                }
            }
            return true;
        }
    }

    /** A record, by its parts. */
    final class OfRecord implements Shape {

        private static final MethodHandles.Lookup LOOKUP = MethodHandles.lookup();
        private static final MethodType READ = MethodType.methodType(Object.class, Object.class);

        private final List<Part> parts;

        private OfRecord(List<Part> parts) {
            this.parts = parts;
        }

        /** One of them. */
        record Part(String name, ObjectWriter writer, Shape shape, MethodHandle accessor) {

            byte[] json(@Nullable Object value) {
                return Json.bytes(writer, value);
            }

            @Nullable Object of(Object whole) {
                try {
                    return accessor.invokeExact(whole);
                } catch (RuntimeException | Error e) {
                    throw e;
                } catch (Throwable e) {
                    throw new IllegalStateException("A record that cannot be read: " + name, e);
                }
            }
        }

        private static Shape of(Class<?> type) {
            List<Part> parts = new ArrayList<>();
            for (RecordComponent component : type.getRecordComponents()) {
                Method accessor = component.getAccessor();
                boolean plain =
                        Known.isPlainlyWritten(component)
                                && Known.isPlainlyWritten(accessor)
                                && Arrays.stream(type.getDeclaredFields())
                                        .filter(field ->
                                                field.getName().equals(component.getName()))
                                        .allMatch(Known::isPlainlyWritten);
                if (!plain || !accessor.trySetAccessible()) {
                    return new Open();
                }
                Type declared = component.getGenericType();
                try {
                    MethodHandle read = LOOKUP.unreflect(accessor).asType(READ);
                    parts.add(
                            new Part(
                                    component.getName(),
                                    Json.writer(declared),
                                    Known.shape(declared),
                                    read));
                } catch (IllegalAccessException e) {
                    return new Open();
                }
            }
            return new OfRecord(List.copyOf(parts));
        }

        List<Part> parts() {
            return parts;
        }

        @Override
        public boolean holds(@Nullable Object value) {
            if (value == null) {
                return false;
            }
            for (Part part : parts) {
                if (!part.shape().holds(part.of(value))) {
                    return false;
                }
            }
            return true;
        }

        /**
         * What makes a value out of another one, as {@link Snapshot} writes it.
         *
         * @param before a value that holds
         * @return empty: this cannot be said of the two
         */
        @SuppressWarnings("ReferenceEquality") // What is the same cannot have changed.
        Optional<byte[]> change(Object before, Object after) {
            Snapshot.Change change = new Snapshot.Change();
            for (Part part : parts) {
                Object was = part.of(before);
                Object is = part.of(after);
                if (was != is && !add(part, was, is, change)) {
                    return Optional.empty();
                }
            }
            return Optional.of(change.json());
        }

        private static boolean add(
                Part part, @Nullable Object was, @Nullable Object is, Snapshot.Change change) {
            if (was instanceof List<?> shorter
                    && is instanceof List<?> list
                    && part.shape() instanceof OfList shape
                    && continues(shorter, list, shape.element())) {
                List<?> more = list.subList(shorter.size(), list.size());
                byte[] json =
                        shape.holds(list, shorter.size()) ? Json.exact(part.writer(), more) : null;
                if (json != null) {
                    change.append(part.name(), json);
                }
                return json != null;
            }
            if (!part.shape().holds(is)) {
                return false;
            }
            if (Objects.equals(was, is)) {
                return true;
            }
            byte[] json = Json.exact(part.writer(), is);
            if (json != null) {
                change.set(part.name(), json);
            }
            return json != null;
        }

        @SuppressWarnings("ReferenceEquality") // Quicker, and mostly so.
        private static boolean continues(List<?> shorter, List<?> list, Shape element) {
            if (list.size() <= shorter.size()) {
                return false;
            }
            if (list instanceof Appended<?> longer && longer.continues(shorter)) {
                return true;
            }
            for (int i = 0; i < shorter.size(); i++) {
                Object one = shorter.get(i);
                Object other = list.get(i);
                if (one != other && !(Objects.equals(one, other) && element.holds(other))) {
                    return false;
                }
            }
            return true;
        }
    }
}
