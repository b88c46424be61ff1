package dev.glovebox.agent;

import dev.glovebox.run.Cost;
import dev.glovebox.run.Failure;
import dev.langchain4j.exception.AuthenticationException;
import dev.langchain4j.exception.ContentFilteredException;
import dev.langchain4j.exception.HttpException;
import dev.langchain4j.exception.InternalServerException;
import dev.langchain4j.exception.InvalidRequestException;
import dev.langchain4j.exception.ModelNotFoundException;
import dev.langchain4j.exception.RateLimitException;
import dev.langchain4j.exception.TimeoutException;
import dev.langchain4j.exception.UnresolvedModelServerException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.http.HttpConnectTimeoutException;
import java.time.Duration;
import java.util.regex.Pattern;
import javax.net.ssl.SSLHandshakeException;

/** The ways in which a model does not answer, by their codes; only the passing ones are retried. */
public final class ModelProblem {

    /** Passing: too many questions at once; lasting if the vendor names a time that is too far. */
    public static final String RATE_LIMIT = "rate-limit";

    /** Passing, or lasting as before: the vendor has too much to do, or something broke there. */
    public static final String OVERLOADED = "overloaded";

    /** Passing: no answer in time. */
    public static final String TIME_OUT = "time-out";

    /** Passing: the connection could not be made, or was cut. */
    public static final String UNREACHABLE = "unreachable";

    /** Passing: an answer that cannot be read. */
    public static final String MALFORMED = "malformed-answer";

    public static final String INVALID_KEY = "invalid-key";
    public static final String NO_SUCH_MODEL = "no-such-model";
    public static final String TOO_LONG = "context-too-long";

    /** The vendor does not want to answer that. */
    public static final String REFUSED = "refused";

    /** The vendor does not understand the question. */
    public static final String INVALID_REQUEST = "invalid-request";

    // Shorter ones are words for none, which may be in any message.
    private static final int SHORTEST_KEY = 8;

    private static final int OVERLOAD = 529;
    private static final int TOO_LARGE = 413;
    private static final String NOBODY_THERE =
            ": nobody answers there. Is the server running, and the address right?";
    private static final String NO_TRUST =
            ": no encryption was agreed on. Is its certificate one that this Java trusts?";
    private static final Duration LONGEST_WAIT = Duration.ofMinutes(1);
    private static final Pattern LENGTH =
            Pattern.compile(
                    "context.?(length|window)|too long|maximum.{0,20}tokens|exceed.{0,30}(token|context)",
                    Pattern.CASE_INSENSITIVE);

    private static final Pattern FILTER =
            Pattern.compile(
                    "content.filter|content.(management.)?policy|violat\\w+ our usage polic",
                    Pattern.CASE_INSENSITIVE);

    // Nobody pays any more, or not before tomorrow, so that no wait helps.
    private static final Pattern USED_UP = Pattern.compile("insufficient_quota|PerDay");

    private ModelProblem() {}

    /**
     * What the client of a vendor has thrown, as what it means.
     *
     * @param key that nobody is told, though some servers do
     */
    static Failure of(String model, String key, Throwable cause) {
        String told = told(cause);
        String message =
                model
                        + ": "
                        + (key.length() < SHORTEST_KEY ? told : told.replace(key, "[the key]"));
        return switch (cause) {
            case Failure known -> known(known, message);
            case RateLimitException e when USED_UP.matcher(message).find() ->
                    Failure.lasting(RATE_LIMIT, message);
            // More than OpenAI allows in a minute: so it would be in the next one.
            case RateLimitException e when message.contains("Request too large") ->
                    Failure.lasting(TOO_LONG, message);
            case RateLimitException e -> later(RATE_LIMIT, message, e);
            case AuthenticationException e -> Failure.lasting(INVALID_KEY, message);
            case ModelNotFoundException e -> Failure.lasting(NO_SUCH_MODEL, message);
            case ContentFilteredException e -> Failure.lasting(REFUSED, message);
            case InvalidRequestException e when isTooLarge(e) -> Failure.lasting(TOO_LONG, message);
            case InvalidRequestException e -> Failure.lasting(invalid(message), message);
            case InternalServerException e -> later(OVERLOADED, message, e);
            case TimeoutException e when e.getCause() instanceof HttpConnectTimeoutException ->
                    nobody(model);
            case TimeoutException e -> Failure.passing(TIME_OUT, message);
            case UnresolvedModelServerException e -> nobody(model);
            case HttpException e when e.statusCode() == OVERLOAD -> later(OVERLOADED, message, e);
            default -> other(model, cause, message);
        };
    }

    private static Failure known(Failure known, String message) {
        Failure named =
                known.isPassing()
                        ? Failure.passing(known.code(), message)
                        : Failure.lasting(known.code(), message);
        return Begun.told(known).map(told -> Begun.in(named, told)).orElse(named);
    }

    /** Passing, unless the vendor wants to be left alone for longer than anybody would wait. */
    private static Failure later(String code, String message, Throwable cause) {
        return Busy.after(cause)
                .map(after ->
                        after.compareTo(LONGEST_WAIT) > 0
                                ? Failure.lasting(code, message + ", not before " + after)
                                : Failure.passing(code, message, after))
                .orElseGet(() -> Failure.passing(code, message));
    }

    private static boolean isTooLarge(InvalidRequestException problem) {
        return problem.getCause() instanceof HttpException http && http.statusCode() == TOO_LARGE;
    }

    /** The code of a question that the vendor does not take, by what it says. */
    static String invalid(String message) {
        // So says Google of a key that is none.
        if (message.contains("API_KEY_INVALID") || message.contains("API key not valid")) {
            return INVALID_KEY;
        }
        if (FILTER.matcher(message).find()) {
            return REFUSED;
        }
        return LENGTH.matcher(message).find() ? TOO_LONG : INVALID_REQUEST;
    }

    /** Whoever was not asked is not paid. */
    private static Failure unasked(String message) {
        return Failure.passing(UNREACHABLE, message).used(Cost.NONE.modelCalls(1));
    }

    private static Failure nobody(String message) {
        return unasked(message + NOBODY_THERE);
    }

    private static Failure other(String model, Throwable cause, String message) {
        for (Throwable inner = cause; inner != null; inner = inner.getCause()) {
            if (inner instanceof ConnectException) {
                return nobody(model);
            }
            if (inner instanceof SSLHandshakeException) {
                return unasked(message + NO_TRUST);
            }
            if (inner instanceof com.fasterxml.jackson.core.JsonProcessingException) {
                return Failure.passing(MALFORMED, message);
            }
            if (inner instanceof IOException) {
                return Failure.passing(UNREACHABLE, message);
            }
        }
        return Failure.passing(MALFORMED, message);
    }

    private static String told(Throwable cause) {
        return cause.getMessage() == null ? cause.getClass().getSimpleName() : cause.getMessage();
    }
}
