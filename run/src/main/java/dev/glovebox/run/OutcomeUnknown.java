package dev.glovebox.run;

/** Nobody knows whether an effect was done: something ended in the middle of it. */
public final class OutcomeUnknown extends RunException {

    private final String key;

    OutcomeUnknown(String kind, String name, String key) {
        super(
                "Nobody knows whether this was done: %s %s (%s). Ask the other side by its key"
                        .formatted(kind, name, key));
        this.key = key;
    }

    /** By which the other side may know it. */
    public String key() {
        return key;
    }
}
