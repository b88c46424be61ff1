package dev.glovebox.agent;

import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;

/** Something that answers prompts. Used by many threads at once. */
public interface Model {

    /** Its name with its vendor, such as {@code openai:gpt-4o}; without keys or addresses. */
    String name();

    /**
     * Asks it, and waits for the whole answer; interrupting the thread takes the question back.
     *
     * @param words gets the text of the answer as it comes
     * @throws dev.glovebox.run.Failure if there is no answer, with one of the codes of {@link
     *     ModelProblem}
     */
    Reply ask(Prompt prompt, Duration within, Consumer<String> words) throws InterruptedException;

    /** Which server it asks; empty if there is none, or it is not known. */
    default Optional<Server> server() {
        return Optional.empty();
    }

    /** A server, without what its address may have besides: it goes into records. */
    record Server(String host, int port) {}
}
