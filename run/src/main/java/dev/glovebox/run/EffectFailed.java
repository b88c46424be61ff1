package dev.glovebox.run;

/** An effect was not done; what its node gets, at first and in every replay. */
public final class EffectFailed extends RunException {

    private final String kind;
    private final String name;
    private final String code;
    private final boolean hidden;

    EffectFailed(Effect<?, ?> effect, String code, String message) {
        super(message);
        this.kind = effect.kind();
        this.name = effect.name();
        this.code = code;
        this.hidden = effect.isPrivate();
    }

    /** Whether the message tells of something private. */
    boolean isHidden() {
        return hidden;
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
