package dev.glovebox.run;

import com.fasterxml.jackson.databind.JsonNode;
import dev.glovebox.trace.Event;
import java.util.Objects;
import java.util.function.Supplier;

/**
 * What came of an effect.
 *
 * @param used what it has really cost
 * @param details what else goes into its record, in integers and texts; asked for where there is a
 *     record
 */
public record Done<R>(R result, Cost used, Supplier<? extends JsonNode> details) {

    public Done {
        Objects.requireNonNull(result, "An effect has a result");
    }

    public static <R> Done<R> of(R result) {
        return of(result, Cost.NONE);
    }

    public static <R> Done<R> of(R result, Cost used) {
        return new Done<>(result, used, () -> Event.NONE);
    }
}
