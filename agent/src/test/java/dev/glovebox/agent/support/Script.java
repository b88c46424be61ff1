package dev.glovebox.agent.support;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.function.Function;

/** What a model does when it is asked. */
public final class Script {

    private final Function<String, Turn> turn;
    private final Deque<Turn> left;

    private Script(Function<String, Turn> turn, Deque<Turn> left) {
        this.turn = turn;
        this.left = left;
    }

    /** Turn by turn. Whoever asks once more than that is told so. */
    public static Script of(Turn... turns) {
        Deque<Turn> left = new ArrayDeque<>(List.of(turns));
        return new Script(
                asked -> {
                    Turn turn = left.poll();
                    if (turn == null) {
                        throw new AssertionError(
                                "The script has only " + turns.length + " turns. Asked: " + asked);
                    }
                    return turn;
                },
                left);
    }

    /**
     * By what is asked: for many at once.
     *
     * @param turn gets all that was asked, as text
     */
    public static Script answering(Function<String, Turn> turn) {
        return new Script(turn, new ArrayDeque<>());
    }

    /**
     * The next turn.
     *
     * @throws AssertionError if there is none
     */
    synchronized Turn next(String asked) {
        return turn.apply(asked);
    }

    /** How many turns were not taken. */
    public synchronized int left() {
        return left.size();
    }
}
