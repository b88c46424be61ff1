package dev.glovebox.run;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Names the records that can be sent.
 *
 * <p>A message is encoded (JSON, by Jackson) when it is sent and decoded for each receiver, in one
 * process as well. So no object is ever shared, and no agent can tell a local receiver from a
 * distant one. The name travels, not the class: what is not named here is never made.
 */
public final class MessageTypes {

    private static final MessageTypes NONE = new MessageTypes(Map.of(), Map.of());

    private final Map<String, Class<? extends Record>> byName;
    private final Map<Class<?>, String> byClass;

    private MessageTypes(
            Map<String, Class<? extends Record>> byName, Map<Class<?>, String> byClass) {
        this.byName = byName;
        this.byClass = byClass;
    }

    /** No types. */
    public static MessageTypes none() {
        return NONE;
    }

    /**
     * These, and one more.
     *
     * @throws IllegalArgumentException if the name or the type is there already
     */
    public MessageTypes with(String name, Class<? extends Record> type) {
        AgentNames.name("message type", name);
        if (byName.containsKey(name) || byClass.containsKey(type)) {
            throw new IllegalArgumentException(
                    "%s or %s is registered already".formatted(name, type.getName()));
        }
        Map<String, Class<? extends Record>> names = new HashMap<>(byName);
        Map<Class<?>, String> classes = new HashMap<>(byClass);
        names.put(name, type);
        classes.put(type, name);
        return new MessageTypes(Map.copyOf(names), Map.copyOf(classes));
    }

    /** Its name, or if it has none that of its class. */
    String nameOf(Record message) {
        return byClass.getOrDefault(message.getClass(), message.getClass().getSimpleName());
    }

    /** Encodes it, and tries whether it can be decoded: the sender must know, not the receiver. */
    EncodedMessage encode(Record message, int limit) {
        @Nullable String name = byClass.get(message.getClass());
        if (name == null) {
            throw notAMessage(nameOf(message), "its type is not registered in MessageTypes");
        }
        MessageBytes bytes = new MessageBytes(limit);
        try {
            MessageMapper.JSON.writeValue(bytes, message);
        } catch (IOException | StackOverflowError e) {
            throw bytes.exceeded()
                    ? new MessageException(new MessageFailure.TooBig(name, limit))
                    : notAMessage(name, MessageMapper.reason(e));
        }
        EncodedMessage encoded = new EncodedMessage(name, bytes.written());
        decode(encoded);
        return encoded;
    }

    Record decode(EncodedMessage message) {
        @Nullable Class<? extends Record> type = byName.get(message.type());
        if (type == null) {
            throw notAMessage(message.type(), "its type is not registered in MessageTypes");
        }
        try {
            return MessageMapper.JSON.readValue(message.content(), type);
        } catch (IOException | StackOverflowError e) {
            throw notAMessage(message.type(), MessageMapper.reason(e));
        }
    }

    private static MessageException notAMessage(String type, String reason) {
        return new MessageException(new MessageFailure.NotAMessage(type, reason));
    }
}
