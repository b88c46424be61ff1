package dev.glovebox.agent;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.glovebox.run.Effect;
import dev.glovebox.run.Failure;
import dev.glovebox.run.Retry;
import dev.glovebox.trace.NotKept;
import java.util.function.Supplier;

/**
 * What is done with a memory. It is private, since what can be forgotten must be possible to redact
 * as well.
 */
sealed interface MemoryEffect<A, R> extends Effect<A, R> permits Recall, Remember {

    /** The code of what failed since the store did not answer. */
    String NOT_KEPT = "memory-not-kept";

    @Override
    default String kind() {
        return "memory";
    }

    @Override
    default boolean isPrivate() {
        return true;
    }

    @Override
    default Retry retry() {
        return Retry.standard();
    }

    @Override
    default IfUnknown ifUnknown() {
        return IfUnknown.REPEAT;
    }

    static <T> T kept(Supplier<T> work) {
        try {
            return work.get();
        } catch (NotKept e) {
            throw Failure.passing(NOT_KEPT, e.getMessage());
        }
    }

    /** Which of the two layers it is about. */
    static JsonNode store(boolean episodes) {
        return JsonNodeFactory.instance.objectNode().put("store", episodes ? "episodes" : "facts");
    }
}
