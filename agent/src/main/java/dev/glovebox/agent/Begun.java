package dev.glovebox.agent;

import dev.glovebox.run.Failure;
import java.io.Serial;
import java.util.Optional;

/** The cause of a failure that came when the answer had begun: what there was of it is paid for. */
final class Begun extends RuntimeException {

    @Serial private static final long serialVersionUID = 1L;

    private final transient Usage told;

    private Begun(Usage told) {
        super("the answer had begun", null, false, false);
        this.told = told;
    }

    /** Marks a failure of an answer of which nobody knows how much there was. */
    static Failure in(Failure failure) {
        return in(failure, Usage.NONE);
    }

    /**
     * Marks a failure that has no cause yet.
     *
     * @param told what the vendor counted; nothing if it did not say
     */
    static Failure in(Failure failure, Usage told) {
        failure.initCause(new Begun(told));
        return failure;
    }

    /** What the vendor counted, if the answer had begun; nothing if it did not say. */
    static Optional<Usage> told(Failure failure) {
        return failure.getCause() instanceof Begun begun
                ? Optional.of(begun.told)
                : Optional.empty();
    }
}
