package dev.glovebox.run;

/** An effect was not done; what its node gets, at first and in every replay. */
public final class EffectFailed extends RunException {

    private final String kind;
    private final String name;
    private final String code;

    EffectFailed(String kind, String name, String code, String message) {
        super(message);
        this.kind = kind;
        this.name = name;
        this.code = code;
    }

    /** The kind of effect. */
    public String kind() {
        return kind;
    }

    public String name() {
        return name;
    }

    /** What went wrong, for programs. */
    public String code() {
        return code;
    }
}
