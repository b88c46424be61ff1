package dev.glovebox.sandbox.opensandbox;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Requests to one address that is not trusted: no redirect is followed, every answer is bounded in
 * size and in time, and what does not parse is an error.
 */
final class Wire {

    private static final long MOST_TOKENS = 1 << 20;
    private static final int DEEPEST = 50;

    /**
     * What an answer becomes in memory is bounded by its pieces: each costs many times its text.
     */
    static final JsonMapper JSON =
            JsonMapper.builder(
                            JsonFactory.builder()
                                    .streamReadConstraints(
                                            StreamReadConstraints.builder()
                                                    .maxTokenCount(MOST_TOKENS)
                                                    .maxNestingDepth(DEEPEST)
                                                    .build())
                                    .build())
                    .build();

    private static final int LARGEST_JSON = 1 << 20;
    private static final int LARGEST_COMPLAINT = 64 << 10;
    private static final int SHORTEST_SECRET = 4;
    // How the JDK says it; it has no type for it.
    private static final String TOO_LARGE = "body exceeds capacity";
    private static final HttpClient CLIENT =
            HttpClient.newBuilder()
                    .version(HttpClient.Version.HTTP_1_1)
                    .followRedirects(HttpClient.Redirect.NEVER)
                    .connectTimeout(Duration.ofSeconds(5))
                    .executor(Executors.newVirtualThreadPerTaskExecutor())
                    .build();

    private final String base;
    private final Map<String, String> headers;
    private final Duration patience;

    /**
     * An address.
     *
     * @param headers sent with every request
     */
    Wire(URI base, Map<String, String> headers) {
        this(base, headers, Duration.ofSeconds(10));
    }

    Wire(URI base, Map<String, String> headers, Duration patience) {
        this.patience = patience;
        this.base = base.toString().replaceFirst("/+$", "");
        this.headers = Map.copyOf(headers);
    }

    static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    JsonNode get(String path) throws IOException {
        return get(path, LARGEST_JSON);
    }

    JsonNode get(String path, int most) throws IOException {
        return json(exchange(request("GET", path, null, ""), most, patience));
    }

    JsonNode post(String path, JsonNode body) throws IOException {
        return json(post(path, JSON.writeValueAsBytes(body), "application/json", patience));
    }

    byte[] post(String path, byte[] body, String type, Duration longest) throws IOException {
        return exchange(request("POST", path, body, type), LARGEST_JSON, longest);
    }

    void delete(String path) throws IOException {
        exchange(request("DELETE", path, null, ""), LARGEST_COMPLAINT, patience);
    }

    /** Reads an answer whole; one that is larger is an error, before it is taken into memory. */
    byte[] download(String path, long most) throws IOException {
        return exchange(request("GET", path, null, ""), most, patience);
    }

    /** Starts an answer that goes on; whoever gets it closes it. */
    InputStream stream(String path, JsonNode body) throws IOException {
        HttpRequest request =
                request("POST", path, JSON.writeValueAsBytes(body), "application/json");
        HttpResponse<InputStream> answer = await(request, BodyHandlers.ofInputStream(), patience);
        if (answer.statusCode() != 200) {
            answer.body().close();
            throw ServerTrouble.refused(answer.statusCode(), "");
        }
        return answer.body();
    }

    private HttpRequest request(String method, String path, byte @Nullable [] body, String type) {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(URI.create(base + path))
                        .method(
                                method,
                                body == null
                                        ? HttpRequest.BodyPublishers.noBody()
                                        : HttpRequest.BodyPublishers.ofByteArray(body));
        headers.forEach(request::setHeader);
        if (body != null) {
            request.setHeader("Content-Type", type);
        }
        return request.build();
    }

    private byte[] exchange(HttpRequest request, long most, Duration longest) throws IOException {
        HttpResponse<byte[]> answer =
                await(request, BodyHandlers.limiting(BodyHandlers.ofByteArray(), most), longest);
        int status = answer.statusCode();
        if (status < 200 || status > 299) {
            throw ServerTrouble.refused(status, withoutSecrets(complaint(answer.body())));
        }
        return answer.body();
    }

    /** Servers like to repeat the key that they do not know. */
    private String withoutSecrets(String text) {
        String hidden = text;
        for (String secret : headers.values()) {
            hidden = secret.length() < SHORTEST_SECRET ? hidden : hidden.replace(secret, "…");
        }
        return hidden;
    }

    private static <T> HttpResponse<T> await(
            HttpRequest request, BodyHandler<T> handler, Duration longest) throws IOException {
        CompletableFuture<HttpResponse<T>> future = CLIENT.sendAsync(request, handler);
        boolean interrupted = false;
        long deadline = System.nanoTime() + longest.toNanos();
        try {
            while (true) {
                try {
                    return future.get(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
                } catch (InterruptedException e) {
                    interrupted = true; // the answer comes, or its time is over
                }
            }
        } catch (TimeoutException e) {
            future.cancel(true);
            throw ServerTrouble.gone("no whole answer within " + longest.toMillis() + " ms");
        } catch (ExecutionException e) {
            throw trouble(request.uri(), e.getCause() == null ? e : e.getCause());
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static ServerTrouble trouble(URI asked, Throwable cause) {
        String what = String.valueOf(cause.getMessage());
        if (what.startsWith(TOO_LARGE)) {
            return ServerTrouble.nonsense("its answer is too large");
        }
        if (cause instanceof ConnectException || cause instanceof HttpConnectTimeoutException) {
            // Of a name that nobody knows, the JDK says nothing.
            return ServerTrouble.unreachable(
                    asked.getAuthority()
                            + (cause.getMessage() == null ? ", is the name right?" : ", " + what));
        }
        return ServerTrouble.gone(what);
    }

    private static String complaint(byte[] body) {
        if (body.length > LARGEST_COMPLAINT) {
            return "";
        }
        try {
            JsonNode told = json(body);
            return told.path("code").asText() + " " + told.path("message").asText();
        } catch (ServerTrouble e) {
            return "";
        }
    }

    private static JsonNode json(byte[] body) throws ServerTrouble {
        try {
            JsonNode node = JSON.readTree(body);
            return node == null ? JSON.createObjectNode() : node;
        } catch (JacksonException e) {
            throw ServerTrouble.nonsense("no JSON");
        } catch (IOException e) {
            throw ServerTrouble.nonsense("no text");
        }
    }
}
