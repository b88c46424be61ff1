package dev.glovebox.sandbox;

/** A control that the policy asks for cannot be enforced here; nothing ran. */
public final class NotEnforceable extends SandboxException {

    private static final long serialVersionUID = 1L;

    private final String control;
    private final String reason;
    private final String remedy;

    /**
     * Names the control and why it cannot be had.
     *
     * @param control the control that cannot be had, such as {@code memory}
     * @param reason what is missing
     */
    public NotEnforceable(String control, String reason) {
        this(control, reason, "");
    }

    /**
     * Names the control, why it cannot be had, and what to do about it.
     *
     * @param remedy what to type or change; empty if nothing helps
     */
    public NotEnforceable(String control, String reason, String remedy) {
        super(remedy.isEmpty() ? reason : reason + ". " + remedy);
        this.control = control;
        this.reason = reason;
        this.remedy = remedy;
    }

    public NotEnforceable(String control, String reason, Throwable cause) {
        super(reason, cause);
        this.control = control;
        this.reason = reason;
        this.remedy = "";
    }

    /** The control that cannot be enforced. */
    public String control() {
        return control;
    }

    /** What is missing or in the way. */
    public String reason() {
        return reason;
    }

    /** What to type or change; empty if nothing helps. */
    public String remedy() {
        return remedy;
    }
}
