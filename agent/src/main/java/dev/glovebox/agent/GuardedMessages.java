package dev.glovebox.agent;

import dev.glovebox.agent.Guardrail.Passage;
import dev.glovebox.agent.Guardrail.Point;
import dev.glovebox.run.spi.MessageInterceptor;
import java.lang.reflect.Constructor;
import java.lang.reflect.RecordComponent;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Guardrails for the messages between the agents of a runtime: each text in a record is looked at,
 * also in records, lists, sets, maps and optionals within it, and bytes as if they were a text.
 *
 * <p>A message with anything else in it that could hold text is dropped.
 */
public final class GuardedMessages implements MessageInterceptor {

    private final Guardrails guardrails;
    private final Consumer<Finding> told;

    private GuardedMessages(Guardrails guardrails, Consumer<Finding> told) {
        this.guardrails = guardrails;
        this.told = told;
    }

    public static GuardedMessages by(Guardrails guardrails) {
        return new GuardedMessages(guardrails, _ -> {});
    }

    /** The same, and somebody is told of each verdict. */
    public GuardedMessages telling(Consumer<Finding> somebody) {
        return new GuardedMessages(guardrails, somebody);
    }

    @Override
    public Decision intercept(Passing message) {
        try {
            Walk walk = new Walk(message.from().toString());
            Record guarded = walk.record(message.content());
            return walk.changed ? new Change(guarded) : new Pass();
        } catch (NotPassed e) {
            return new Drop(e.reason);
        }
    }

    private static final class NotPassed extends RuntimeException {

        private final String reason;

        NotPassed(String reason) {
            super(reason, null, false, false);
            this.reason = reason;
        }
    }

    private final class Walk {

        private final String agent;
        private boolean changed;

        Walk(String agent) {
            this.agent = agent;
        }

        Record record(Record record) {
            RecordComponent[] components = record.getClass().getRecordComponents();
            Class<?>[] types = new Class<?>[components.length];
            @Nullable Object[] values = new @Nullable Object[components.length];
            try {
                for (int i = 0; i < components.length; i++) {
                    types[i] = components[i].getType();
                    components[i].getAccessor().setAccessible(true);
                    values[i] = value(components[i].getAccessor().invoke(record));
                }
                if (!changed) {
                    return record;
                }
                Constructor<? extends Record> constructor =
                        record.getClass().getDeclaredConstructor(types);
                constructor.setAccessible(true);
                return constructor.newInstance(values);
            } catch (ReflectiveOperationException | IllegalArgumentException e) {
                throw new NotPassed("its texts cannot be looked at, or not be changed");
            }
        }

        private @Nullable Object value(@Nullable Object value) {
            return switch (value) {
                case null -> null;
                case String text -> text(text);
                case Record record -> record(record);
                case Optional<?> optional -> optional.map(this::value);
                case List<?> list -> elements(list, new ArrayList<>());
                case Set<?> set -> elements(set, new LinkedHashSet<>());
                case Map<?, ?> map -> entries(map);
                case Enum<?> constant -> constant;
                case byte[] bytes -> bytes(bytes);
                case Object other when isPlain(other) -> other;
                default -> throw new NotPassed("it holds what guardrails cannot look at");
            };
        }

        private static boolean isPlain(Object value) {
            String name = value.getClass().getName();
            return value instanceof Number
                    || value instanceof Boolean
                    || value instanceof Character
                    || value instanceof java.util.UUID
                    || name.startsWith("java.time.");
        }

        private Collection<@Nullable Object> elements(
                Collection<?> from, Collection<@Nullable Object> to) {
            from.forEach(element -> to.add(value(element)));
            return to;
        }

        private Map<@Nullable Object, @Nullable Object> entries(Map<?, ?> map) {
            Map<@Nullable Object, @Nullable Object> entries = new LinkedHashMap<>();
            map.forEach((key, value) -> entries.put(value(key), value(value)));
            return entries;
        }

        /** A secret is one as well where it is written as bytes; a picture stays what it is. */
        private byte[] bytes(byte[] bytes) {
            String text = new String(bytes, StandardCharsets.UTF_8);
            String guarded = text(text);
            if (guarded.equals(text)) {
                return bytes;
            }
            if (!Arrays.equals(text.getBytes(StandardCharsets.UTF_8), bytes)) {
                throw new NotPassed("it holds bytes that are no text, and that must be changed");
            }
            return guarded.getBytes(StandardCharsets.UTF_8);
        }

        private String text(String text) {
            Guarded guarded = guardrails.check(new Passage(Point.MESSAGE, agent, "", text));
            guarded.findings().forEach(told);
            guarded.blocked()
                    .ifPresent(reason -> {
                        throw new NotPassed(reason);
                    });
            changed |= !guarded.text().equals(text);
            return guarded.text();
        }
    }
}
