package dev.glovebox.run;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Finds an agent that does the same again and again: one thing, or a few in turn.
 *
 * <p>What was done last is remembered, no more than a pattern needs; one step costs a few
 * comparisons.
 */
public final class Loops {

    /** Doing one thing so often in a row is a loop. */
    public static final int ROUNDS = 5;

    /** So many things in turn, at most, are looked for. */
    public static final int LONGEST_PATTERN = 4;

    private final int rounds;
    private final int longest;
    private final Map<Object, List<Object>> lanes = new HashMap<>();

    public Loops() {
        this(ROUNDS, LONGEST_PATTERN);
    }

    /**
     * Looks for other loops.
     *
     * @param rounds how often a pattern must come, one behind the other
     * @param longest how many things a pattern has at most
     */
    public Loops(int rounds, int longest) {
        if (rounds < 2 || longest < 1) {
            throw new IllegalArgumentException("A loop has two rounds or more");
        }
        this.rounds = rounds;
        this.longest = longest;
    }

    /**
     * Takes the next thing that somebody does.
     *
     * @param lane who, and where
     * @param what tells one thing from another: name and arguments; must not be changed any more
     * @return how long the pattern is that was repeated now, if one was
     */
    public synchronized Optional<Integer> next(Object lane, Object what) {
        List<Object> last = lanes.computeIfAbsent(lane, any -> new ArrayList<>());
        last.add(what);
        if (last.size() > rounds * longest) {
            last.removeFirst();
        }
        for (int pattern = 1; pattern <= longest; pattern++) {
            if (repeats(last, pattern)) {
                return Optional.of(pattern);
            }
        }
        return Optional.empty();
    }

    private boolean repeats(List<Object> last, int pattern) {
        int length = rounds * pattern;
        if (last.size() < length) {
            return false;
        }
        // Mostly the newest one is another already.
        for (int i = last.size() - 1; i >= last.size() - length + pattern; i--) {
            if (!last.get(i).equals(last.get(i - pattern))) {
                return false;
            }
        }
        return true;
    }
}
