package dev.glovebox.agent;

/**
 * Looks at text on its way to or from a model or a tool, and lets it pass, changes or blocks it.
 *
 * <p>It must follow from the text alone, quickly, and is used by many threads at once.
 */
public interface Guardrail {

    /** By which its verdicts are known. */
    String name();

    Verdict check(Passage passage);

    /**
     * Text on its way.
     *
     * @param agent whose it is
     * @param what the tool, where there is one
     */
    record Passage(Point point, String agent, String what, String text) {}

    /** Where texts are looked at, before they are recorded. */
    enum Point {
        /** What an agent is given to do. */
        TASK,
        /** What a model said, also when it failed. */
        REPLY,
        /** The arguments that a model gave for a tool. */
        TOOL_ARGUMENTS,
        /**
         * What a tool gave back, also when it failed; what came like that: from a delegate, a
         * memory, a validator.
         */
        TOOL_RESULT,
        /** What one agent says to another. */
        MESSAGE
    }

    /** What becomes of a text. The reasons are recorded: nothing of the text may be in them. */
    sealed interface Verdict {

        record Pass() implements Verdict {}

        record Changed(String text, String reason) implements Verdict {}

        record Blocked(String reason) implements Verdict {}
    }
}
