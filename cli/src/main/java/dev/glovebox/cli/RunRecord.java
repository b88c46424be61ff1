package dev.glovebox.cli;

import java.util.Optional;

/**
 * What was written down of a run.
 *
 * @param run its name
 * @param problem why it is not sealed; empty if it is
 */
record RunRecord(String run, State state, Optional<String> problem) {

    /** How far the record came. */
    enum State {
        SEALED("sealed"),
        /** All of it is there; whoever records next seals it, once that is possible again. */
        NOT_SEALED("not-sealed"),
        /** It begins, and does not say what became of the run. */
        NOT_FINISHED("not-finished");

        private final String word;

        State(String word) {
            this.word = word;
        }

        /** For programs. */
        @Override
        public String toString() {
            return word;
        }
    }

    static RunRecord sealed(String run) {
        return new RunRecord(run, State.SEALED, Optional.empty());
    }

    /**
     * Of a run that has ended.
     *
     * @param unsealed why it is not sealed, if it is not
     */
    static RunRecord of(String run, Optional<String> unsealed) {
        return new RunRecord(run, unsealed.isPresent() ? State.NOT_SEALED : State.SEALED, unsealed);
    }

    boolean isSealed() {
        return state == State.SEALED;
    }

    /** Whether all of the run is in it. */
    boolean isWhole() {
        return state != State.NOT_FINISHED;
    }
}
