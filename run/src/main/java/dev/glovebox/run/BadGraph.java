package dev.glovebox.run;

/** A graph that cannot be run as it was built. */
public final class BadGraph extends RunException {

    BadGraph(String message) {
        super(message);
    }
}
