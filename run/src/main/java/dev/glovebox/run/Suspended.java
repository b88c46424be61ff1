package dev.glovebox.run;

/** The engine was closed while it worked on a run; the run can be resumed. */
public final class Suspended extends RunException {

    Suspended(String run) {
        super("The run " + run + " was suspended. Resume it to go on");
    }
}
