package dev.glovebox.run;

/** A message did not arrive, or a call got no reply; {@link #failure} says why. */
public final class MessageException extends RuntimeException {

    private final MessageFailure failure;

    MessageException(MessageFailure failure) {
        super(failure.sentence());
        this.failure = failure;
    }

    /** Why; a sealed type, for a {@code switch}. */
    public MessageFailure failure() {
        return failure;
    }
}
