package dev.glovebox.sandbox.opensandbox;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Base64;
import java.util.Objects;

/**
 * The command that the server is given: always the same one, with our agent in it, so that nothing
 * of a program is ever read by a shell, and no program can change the agent of the next.
 */
final class Agent {

    private static final String SCRIPT = encoded();

    private Agent() {}

    private static String encoded() {
        try (InputStream in = Agent.class.getResourceAsStream("agent.py")) {
            return Base64.getEncoder()
                    .encodeToString(Objects.requireNonNull(in, "agent.py").readAllBytes());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * The command for a job.
     *
     * @param folder where the job lies; made by us, of plain characters
     */
    static String command(String folder) {
        return "exec python3 -I -S -c \"import base64;exec(base64.b64decode('"
                + SCRIPT
                + "'))\" "
                + folder;
    }
}
