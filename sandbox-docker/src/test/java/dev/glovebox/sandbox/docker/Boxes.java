package dev.glovebox.sandbox.docker;

/** How many boxes are started and killed in a row: an engine takes its time for each. */
final class Boxes {

    static final int MANY = Boolean.getBoolean("glovebox.soak") ? 200 : 5;

    private Boxes() {}
}
