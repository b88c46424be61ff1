package dev.glovebox.run;

/** Somebody else was quicker: a question is answered once. */
public final class AlreadyAnswered extends RunException {

    AlreadyAnswered(String run, String question) {
        super("The question " + question + " of the run " + run + " is answered already");
    }
}
