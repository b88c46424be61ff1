package dev.glovebox.agent.support;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/** What a model does, turn by turn. Whoever asks it once more than that is told so. */
public final class Script {

    private final Deque<Turn> turns;
    private int asked;

    private Script(List<Turn> turns) {
        this.turns = new ArrayDeque<>(turns);
    }

    public static Script of(Turn... turns) {
        return new Script(List.of(turns));
    }

    /**
     * The next turn.
     *
     * @throws AssertionError if there is none
     */
    public synchronized Turn next() {
        asked++;
        Turn turn = turns.poll();
        if (turn == null) {
            throw new AssertionError("The script has no turn " + asked);
        }
        return turn;
    }

    /** How many turns were not taken. */
    public synchronized int left() {
        return turns.size();
    }
}
