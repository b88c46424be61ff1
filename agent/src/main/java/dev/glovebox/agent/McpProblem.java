package dev.glovebox.agent;

import com.fasterxml.jackson.core.JacksonException;
import dev.glovebox.run.Failure;
import io.modelcontextprotocol.client.transport.McpHttpClientTransportAuthorizationException;
import io.modelcontextprotocol.spec.McpError;
import io.modelcontextprotocol.spec.McpSchema;
import io.modelcontextprotocol.spec.McpTransportException;
import java.io.IOException;
import java.net.ConnectException;
import org.jspecify.annotations.Nullable;

/** The ways in which an MCP server fails, by their codes. */
public final class McpProblem {

    /** The program of the server could not be started. */
    public static final String NOT_STARTED = "not-started";

    /** Passing: there was no connection, so nothing was done. */
    public static final String UNREACHABLE = "unreachable";

    /** Passing: no answer in time. */
    public static final String TIME_OUT = "time-out";

    /** The server ended, or forgot the session: it has to be opened again. */
    public static final String GONE = "server-gone";

    /** What the server says cannot be understood. */
    public static final String MALFORMED = "malformed-answer";

    /** The server says more than anybody could want to read. */
    public static final String TOO_MUCH = "too-much";

    /** The server wants another key. */
    public static final String INVALID_KEY = "invalid-key";

    /** The server understood, and does not want to. */
    public static final String REFUSED = "refused";

    /** The server broke off: perhaps it has done what it should. */
    public static final String FAILED = "server-failed";

    private static final int MOST_WORDS = 300;

    private McpProblem() {}

    /** An answer that is none. */
    static Failure unclear(String server) {
        return Failure.lasting(MALFORMED, server + ": what it answers cannot be understood");
    }

    /** What the SDK has thrown, as what it means. */
    static Failure of(String server, Throwable thrown) {
        Throwable cause = thrown;
        while (!isTelling(cause) && cause.getCause() != null) {
            cause = cause.getCause();
        }
        String message = server + ": " + told(cause);
        return switch (cause) {
            case Failure known -> known;
            // No server can send one: it is from here.
            case McpError e when data(e) instanceof Failure known -> known;
            case McpError e when isInternal(e) -> Failure.lasting(FAILED, message);
            case McpError e -> Failure.lasting(REFUSED, message);
            case McpHttpClientTransportAuthorizationException e ->
                    Failure.lasting(INVALID_KEY, server + ": it wants another key");
            case ConnectException e -> Failure.passing(UNREACHABLE, server + ": no connection");
            case JacksonException e -> Failure.lasting(MALFORMED, message);
            case McpTransportException e when message.contains("maximum allowed size") ->
                    Failure.lasting(TOO_MUCH, message);
            case IOException e -> Failure.lasting(GONE, message);
            default -> Failure.lasting(MALFORMED, message);
        };
    }

    private static boolean isInternal(McpError error) {
        return error.getJsonRpcError() != null
                && error.getJsonRpcError().code() == McpSchema.ErrorCodes.INTERNAL_ERROR;
    }

    private static @Nullable Object data(McpError error) {
        return error.getJsonRpcError() == null ? null : error.getJsonRpcError().data();
    }

    private static boolean isTelling(Throwable cause) {
        return cause instanceof Failure
                || cause instanceof McpError
                || cause instanceof McpHttpClientTransportAuthorizationException
                || cause instanceof ConnectException
                || cause instanceof JacksonException;
    }

    private static String told(Throwable cause) {
        String words = cause.getMessage();
        return words == null ? cause.getClass().getSimpleName() : Excerpt.seen(words, MOST_WORDS);
    }
}
