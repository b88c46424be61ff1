package dev.glovebox.bench;

import dev.langchain4j.agent.tool.Tool;

/** The task of agents: a model has a tool called, again and again, and then answers. */
public final class Sums {

    static final int ROUNDS = 50;

    static final String INSTRUCTIONS = "You add numbers with a tool.";
    static final String TASK = "Add them all.";
    static final String TOOL = "add";
    static final String DESCRIPTION = "Adds two numbers";
    static final String ANSWER = "All are added.";

    private int calls;
    private Runnable before = () -> {};

    /** What the model wants in a round: other numbers each time, or it would be a loop. */
    static String arguments(int round) {
        return "{\"first\":" + round + ",\"second\":1}";
    }

    /** Has something happen before each answer and each sum. */
    void before(Runnable what) {
        before = what;
    }

    /** An answer or a sum is about to be given. */
    void before() {
        before.run();
    }

    /** The tool. */
    @Tool(DESCRIPTION)
    public int add(int first, int second) {
        before();
        calls++;
        return first + second;
    }

    /**
     * Makes sure that all was done.
     *
     * @throws IllegalStateException if not
     */
    String checked(String answer) {
        if (calls != ROUNDS || !answer.equals(ANSWER)) {
            throw new IllegalStateException(calls + " calls, and the answer was: " + answer);
        }
        calls = 0;
        return answer;
    }
}
