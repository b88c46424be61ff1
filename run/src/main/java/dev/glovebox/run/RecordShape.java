package dev.glovebox.run;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonTypeName;
import com.fasterxml.jackson.databind.ObjectWriter;
import dev.glovebox.trace.Appended;
import dev.glovebox.trace.ByteText;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Field;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The shape of a record, by its parts. */
final class RecordShape implements Shape {

    private static final MethodHandles.Lookup LOOKUP = MethodHandles.lookup();
    private static final MethodType READ = MethodType.methodType(Object.class, Object.class);

    private final List<Part> parts;
    private final byte[] opening;

    /**
     * Makes one.
     *
     * @param opening what its JSON begins with
     */
    private RecordShape(List<Part> parts, byte[] opening) {
        this.parts = parts;
        this.opening = opening;
    }

    /**
     * One of them.
     *
     * @param label its name in JSON, with quotes and a colon
     */
    record Part(
            String name, byte[] label, ObjectWriter writer, Shape shape, MethodHandle accessor) {

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

    static Shape of(Class<?> type) {
        List<Part> parts = new ArrayList<>();
        for (RecordComponent component : type.getRecordComponents()) {
            Type declared = component.getGenericType();
            try {
                String name = component.getName();
                // As Jackson does: whoever wrote the accessor may have made it say something else.
                Field field = type.getDeclaredField(name);
                if (!field.trySetAccessible()) {
                    return new Open();
                }
                parts.add(
                        new Part(
                                name,
                                utf8("\"" + name + "\":"),
                                Json.writer(declared),
                                Known.shape(declared),
                                LOOKUP.unreflectGetter(field).asType(READ)));
            } catch (ReflectiveOperationException e) {
                return new Open();
            }
        }
        List<String> names = parts.stream().map(Part::name).toList();
        if (!isPlain(type) || !Json.members(type).filter(names::equals).isPresent()) {
            return new Open();
        }
        return opening(type, parts.isEmpty())
                .<Shape>map(opening -> new RecordShape(List.copyOf(parts), opening))
                .orElseGet(Open::new);
    }

    /** Whether nobody has a say in how it is written, but in which record it is. */
    private static boolean isPlain(Class<?> type) {
        Stream<AnnotatedElement> own =
                Stream.of(
                                Stream.of(type.getRecordComponents()),
                                Stream.of(type.getDeclaredFields()),
                                Stream.of(type.getDeclaredConstructors()),
                                Stream.of(type.getDeclaredConstructors())
                                        .flatMap(one -> Stream.of(one.getParameters())))
                        .flatMap(elements -> elements);
        Stream<AnnotatedElement> methods =
                Stream.concat(Stream.of(type), interfaces(type))
                        .flatMap(one -> Stream.of(one.getDeclaredMethods()));
        return interfaces(type).allMatch(Known::isPlainlyWritten)
                && Stream.concat(own, methods).flatMap(Known::annotations).findAny().isEmpty();
    }

    /**
     * What its JSON begins with: which record it is, where an interface of it says so in the usual
     * way; nothing if it is said in another way.
     */
    private static Optional<byte[]> opening(Class<?> type, boolean empty) {
        ByteText text = new ByteText();
        text.add('{');
        List<Class<?>> named =
                interfaces(type)
                        .filter(known -> known.isAnnotationPresent(JsonTypeInfo.class))
                        .distinct()
                        .toList();
        if (type.isAnnotationPresent(JsonTypeInfo.class) || named.size() > 1) {
            return Optional.empty();
        }
        if (named.isEmpty()) {
            return Optional.of(text.bytes());
        }
        JsonTypeInfo info = named.getFirst().getAnnotation(JsonTypeInfo.class);
        JsonTypeName name = type.getAnnotation(JsonTypeName.class);
        JsonSubTypes all = named.getFirst().getAnnotation(JsonSubTypes.class);
        boolean usual =
                name != null
                        && !name.value().isEmpty()
                        && all != null
                        && info.use() == JsonTypeInfo.Id.NAME
                        && info.include() == JsonTypeInfo.As.PROPERTY
                        && !info.property().isEmpty()
                        && Stream.of(all.value())
                                .anyMatch(one -> one.value() == type && one.name().isEmpty());
        if (!usual || !text.quoted(info.property())) {
            return Optional.empty();
        }
        text.add(':');
        if (!text.quoted(name.value())) {
            return Optional.empty();
        }
        if (!empty) {
            text.add(',');
        }
        return Optional.of(text.bytes());
    }

    private static Stream<Class<?>> interfaces(Class<?> type) {
        return Stream.of(type.getInterfaces())
                .flatMap(one -> Stream.concat(Stream.of(one), interfaces(one)));
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
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

    @Override
    @SuppressWarnings("ReferenceEquality") // Quicker, and mostly so.
    public boolean alike(@Nullable Object one, @Nullable Object other) {
        if (one == null || other == null) {
            return one == null && other == null;
        }
        for (Part part : parts) {
            Object a = part.of(one);
            Object b = part.of(other);
            if (a != b && !part.shape().alike(a, b)) {
                return false;
            }
        }
        return true;
    }

    @Override
    public boolean write(@Nullable Object value, ByteText out, int depth) {
        if (value == null || depth == 0) {
            return false;
        }
        out.add(opening);
        for (int i = 0; i < parts.size(); i++) {
            if (i > 0) {
                out.add(',');
            }
            Part part = parts.get(i);
            out.add(part.label());
            if (!part.shape().write(part.of(value), out, depth - 1)) {
                return false;
            }
        }
        out.add('}');
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
                && continues(shorter, list, shape)) {
            return shape.write(list, shorter.size(), change.append(part.label()), MOST_DEPTH);
        }
        if (part.shape().alike(was, is)) {
            return part.shape().holds(is);
        }
        return part.shape().write(is, change.set(part.label()), MOST_DEPTH);
    }

    private static boolean continues(List<?> shorter, List<?> list, OfList shape) {
        return list.size() > shorter.size()
                && ((list instanceof Appended<?> longer && longer.continues(shorter))
                        || shape.begins(shorter, list));
    }
}
