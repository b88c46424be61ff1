package dev.glovebox.agent;

/**
 * Something that a model can have done.
 *
 * <p>Used by many threads at once, and by any number of agents.
 */
public interface Tool {

    /** What a model is told of it. */
    ToolOffer offer();

    /**
     * Does it. The thread is interrupted when nobody waits any more.
     *
     * @param input with arguments that follow the schema of the offer
     * @return what the model reads of it
     * @throws dev.glovebox.run.Failure if it was not done, and should perhaps be tried again; any
     *     other exception becomes an error that the model reads
     */
    ToolOutput call(ToolInput input) throws Exception;

    default ToolTraits traits() {
        return ToolTraits.standard();
    }
}
