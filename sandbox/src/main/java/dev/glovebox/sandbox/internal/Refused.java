package dev.glovebox.sandbox.internal;

/** A request that the gate does not serve; the message says which rule it broke. */
final class Refused extends Exception {

    private static final long serialVersionUID = 1L;

    private final String status;

    private Refused(String status, String reason) {
        super(reason);
        this.status = status;
    }

    /** The policy is against it. */
    static Refused forbidden(String reason) {
        return new Refused("403 Forbidden", reason);
    }

    /** It cannot be read in one way only, or is not for a gate. */
    static Refused unclear(String reason) {
        return new Refused("400 Bad Request", reason);
    }

    /** The status of the answer, number and words. */
    String status() {
        return status;
    }

    String reason() {
        return String.valueOf(getMessage());
    }
}
