package dev.glovebox.run;

import com.fasterxml.jackson.annotation.JacksonAnnotation;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonTypeName;
import dev.glovebox.trace.Appended;
import dev.glovebox.trace.ByteText;
import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.time.Duration;
import java.time.Instant;
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
sealed interface Shape
        permits Shape.Plain,
                Shape.Open,
                Shape.Later,
                Shape.Perhaps,
                Shape.OneOf,
                Shape.OfList,
                RecordShape {

    /** Deeper values are for Jackson, which says when they are too deep to be read. */
    int MOST_DEPTH = 100;

    /** Whether a value of the type is so, in all its parts. */
    boolean holds(@Nullable Object value);

    /**
     * Whether two values are written alike. What a record says of itself does not count: some are
     * equal when only their ids are.
     */
    boolean alike(@Nullable Object one, @Nullable Object other);

    /**
     * Writes a value as {@link Json} would.
     *
     * @param depth how deep the value may be
     * @return whether it holds, and can be written so that it comes back as it is; if not, what was
     *     written is void
     */
    boolean write(@Nullable Object value, ByteText out, int depth);

    /** The JSON of a value; nothing if it does not hold, or would not come back as it is. */
    default byte @Nullable [] json(@Nullable Object value) {
        ByteText out = new ByteText();
        return write(value, out, MOST_DEPTH) ? out.bytes() : null;
    }

    private static boolean writeNull(ByteText out) {
        out.ascii("null");
        return true;
    }

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
                return RecordShape.of(type);
            }
            boolean isNamed = type.isAnnotationPresent(JsonTypeInfo.class);
            return type.isSealed() && type.isInterface() && isNamed ? new OneOf(type) : new Open();
        }

        static Shape shape(Type type) {
            if (type instanceof Class<?> plain) {
                return new Later(plain);
            }
            if (type instanceof ParameterizedType of) {
                Type inner = of.getActualTypeArguments()[0];
                if (of.getRawType() == List.class) {
                    return new OfList(shape(inner));
                }
                if (of.getRawType() == Optional.class) {
                    Shape perhaps = shape(inner);
                    // Nothing within something comes back as nothing.
                    return perhaps instanceof Perhaps ? new Open() : new Perhaps(perhaps);
                }
            }
            return new Open();
        }

        /** Whoever has a say in how it is written may also lose something. */
        static boolean isPlainlyWritten(Class<?> type) {
            return annotations(type)
                    .allMatch(
                            Set.of(JsonTypeInfo.class, JsonSubTypes.class, JsonTypeName.class)
                                    ::contains);
        }

        /** Those that tell Jackson something. */
        static Stream<Class<? extends Annotation>> annotations(AnnotatedElement element) {
            return Stream.of(element.getAnnotations())
                    .<Class<? extends Annotation>>map(Annotation::annotationType)
                    .filter(type -> type.isAnnotationPresent(JacksonAnnotation.class));
        }
    }

    /** It cannot change. */
    record Plain() implements Shape {
        @Override
        public boolean holds(@Nullable Object value) {
            return true;
        }

        @Override
        public boolean alike(@Nullable Object one, @Nullable Object other) {
            return Objects.equals(one, other);
        }

        @Override
        public boolean write(@Nullable Object value, ByteText out, int depth) {
            if (value instanceof String text && out.quoted(text)) {
                return true;
            }
            if (value instanceof Boolean || value == null) {
                out.ascii(String.valueOf(value));
                return true;
            }
            if (value instanceof Integer || value instanceof Long) {
                out.number(((Number) value).longValue());
                return true;
            }
            return Json.writeExact(value, out);
        }
    }

    /** Nobody knows. */
    record Open() implements Shape {
        @Override
        public boolean holds(@Nullable Object value) {
            return value == null;
        }

        @Override
        public boolean alike(@Nullable Object one, @Nullable Object other) {
            return one == null && other == null;
        }

        @Override
        public boolean write(@Nullable Object value, ByteText out, int depth) {
            return value == null && writeNull(out);
        }
    }

    /** A type within others, perhaps within itself: it is looked at when it is needed. */
    final class Later implements Shape {
        private final Class<?> type;
        private @Nullable Shape known;

        Later(Class<?> type) {
            this.type = type;
        }

        // Whoever comes first, or at the same time, finds the same.
        private Shape shape() {
            Shape shape = known;
            if (shape == null) {
                shape = of(type);
                known = shape;
            }
            return shape;
        }

        @Override
        public boolean holds(@Nullable Object value) {
            return value == null || shape().holds(value);
        }

        @Override
        public boolean alike(@Nullable Object one, @Nullable Object other) {
            return one == null ? other == null : other != null && shape().alike(one, other);
        }

        @Override
        public boolean write(@Nullable Object value, ByteText out, int depth) {
            return value == null ? writeNull(out) : shape().write(value, out, depth);
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

        @Override
        public boolean alike(@Nullable Object one, @Nullable Object other) {
            return one instanceof Optional<?> a
                    && other instanceof Optional<?> b
                    && a.isPresent() == b.isPresent()
                    && (a.isEmpty() || of.alike(a.get(), b.get()));
        }

        @Override
        public boolean write(@Nullable Object value, ByteText out, int depth) {
            return value instanceof Optional<?> option
                    && (option.isEmpty() ? writeNull(out) : of.write(option.get(), out, depth));
        }
    }

    /** One of several records. */
    record OneOf(Class<?> type) implements Shape {
        @Override
        public boolean holds(@Nullable Object value) {
            return value == null
                    || (value.getClass().isRecord() && of(value.getClass()).holds(value));
        }

        @Override
        public boolean alike(@Nullable Object one, @Nullable Object other) {
            return one == null
                    ? other == null
                    : other != null
                            && one.getClass() == other.getClass()
                            && of(one.getClass()).alike(one, other);
        }

        @Override
        public boolean write(@Nullable Object value, ByteText out, int depth) {
            return value == null
                    ? writeNull(out)
                    : value.getClass().isRecord() && of(value.getClass()).write(value, out, depth);
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

        private boolean holds(List<?> list, int from) {
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

        @Override
        public boolean write(@Nullable Object value, ByteText out, int depth) {
            return value == null
                    ? writeNull(out)
                    : value instanceof List<?> list && write(list, 0, out, depth);
        }

        @Override
        public boolean alike(@Nullable Object one, @Nullable Object other) {
            if (one instanceof List<?> a && other instanceof List<?> b) {
                return a.size() == b.size() && begins(a, b);
            }
            return one == null && other == null;
        }

        /** Whether the first elements of a list are those of a shorter one, and hold. */
        @SuppressWarnings("ReferenceEquality") // Quicker, and mostly so.
        boolean begins(List<?> shorter, List<?> list) {
            for (int i = 0; i < shorter.size(); i++) {
                Object one = shorter.get(i);
                Object other = list.get(i);
                if (one != other && !(element.alike(one, other) && element.holds(other))) {
                    return false;
                }
            }
            return true;
        }

        /** Writes a list of the elements from one on. */
        boolean write(List<?> list, int from, ByteText out, int depth) {
            if (depth == 0 || !FIXED.contains(list.getClass())) {
                return false;
            }
            out.add('[');
            for (int i = from; i < list.size(); i++) {
                if (i > from) {
                    out.add(',');
                }
                if (!element.write(list.get(i), out, depth - 1)) {
                    return false;
                }
            }
            out.add(']');
            return true;
        }
    }
}
