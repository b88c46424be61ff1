package dev.glovebox.agent;

import dev.glovebox.agent.ModelSpec.Vendor;
import dev.glovebox.run.Failure;
import dev.langchain4j.exception.HttpException;
import dev.langchain4j.exception.TimeoutException;
import dev.langchain4j.http.client.HttpClient;
import dev.langchain4j.http.client.HttpClientBuilder;
import dev.langchain4j.http.client.HttpRequest;
import dev.langchain4j.http.client.SuccessfulHttpResponse;
import dev.langchain4j.http.client.sse.ServerSentEventListener;
import dev.langchain4j.http.client.sse.ServerSentEventParser;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * The HTTP under the clients of LangChain4j, in place of its own, which leaves out when a vendor
 * wants to be asked again, and goes on reading what nobody waits for.
 *
 * <p>An answer is read on the thread that asks: when the client's call is back, all that there is
 * has come, and whoever interrupts the thread closes the connection. How much is read has a limit.
 */
final class VendorHttp implements HttpClient {

    /** With what encryption needs; who needs longer once is asked again. */
    private static final Duration CONNECT_WITHIN = Duration.ofSeconds(5);

    private static final int FIRST_SUCCESS = 200;
    private static final int FIRST_OTHER = 300;
    private static final int LONGEST_REFUSAL = 1 << 20;
    private static final int LONGEST_ADDRESS = 200;

    private final java.net.http.HttpClient client;
    private final Vendor vendor;
    private final Duration within;

    private VendorHttp(java.net.http.HttpClient client, Vendor vendor, Duration within) {
        this.client = client;
        this.vendor = vendor;
        this.within = within;
    }

    /**
     * For the clients of LangChain4j.
     *
     * @param within how long the beginning of an answer may take, whatever they say
     */
    static HttpClientBuilder builder(Vendor vendor, Duration within) {
        return new Builder(vendor, within);
    }

    private record Builder(Vendor vendor, Duration readTimeout) implements HttpClientBuilder {

        @Override
        public Duration connectTimeout() {
            return CONNECT_WITHIN;
        }

        @Override
        public HttpClientBuilder connectTimeout(Duration timeout) {
            return this;
        }

        @Override
        public HttpClientBuilder readTimeout(Duration timeout) {
            return this;
        }

        @Override
        public HttpClient build() {
            return new VendorHttp(HttpClients.connecting(CONNECT_WITHIN), vendor, readTimeout);
        }
    }

    @Override
    public SuccessfulHttpResponse execute(HttpRequest request) {
        try {
            HttpResponse<InputStream> answer = send(request);
            try (InputStream body = new BoundedAnswer(answer.body())) {
                if (isRefusal(answer)) {
                    throw refusal(answer, body);
                }
                return success(answer, body.readAllBytes());
            }
        } catch (HttpTimeoutException e) {
            throw new TimeoutException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new TimeoutException(e);
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    @Override
    public void execute(
            HttpRequest request, ServerSentEventParser parser, ServerSentEventListener listener) {
        try {
            HttpResponse<InputStream> answer = send(request);
            try (InputStream body = new BoundedAnswer(answer.body())) {
                if (isRefusal(answer)) {
                    listener.onError(refusal(answer, body));
                    return;
                }
                listener.onOpen(success(answer, new byte[0]));
                VendorStream stream = new VendorStream(listener);
                parser.parse(body, stream);
                stream.onClose();
            }
        } catch (HttpTimeoutException e) {
            listener.onError(new TimeoutException(e));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            listener.onError(e);
        } catch (IOException | Failure e) {
            listener.onError(e);
        }
    }

    private HttpResponse<InputStream> send(HttpRequest request)
            throws IOException, InterruptedException {
        java.net.http.HttpRequest.Builder builder =
                java.net.http.HttpRequest.newBuilder(URI.create(request.url()))
                        .timeout(within)
                        .method(
                                request.method().name(),
                                request.body() == null
                                        ? BodyPublishers.noBody()
                                        : BodyPublishers.ofString(
                                                VendorQuestion.of(vendor, request.body())));
        request.headers()
                .forEach((name, values) -> values.forEach(value -> builder.header(name, value)));
        try {
            return client.send(builder.build(), BodyHandlers.ofInputStream());
        } catch (IOException e) {
            Optional<Failure> wrong = Scheme.wrong(URI.create(request.url()), e);
            if (wrong.isPresent()) {
                throw wrong.get();
            }
            throw e;
        }
    }

    private static boolean isRefusal(HttpResponse<?> answer) {
        return answer.statusCode() < FIRST_SUCCESS || answer.statusCode() >= FIRST_OTHER;
    }

    private static RuntimeException refusal(HttpResponse<?> answer, InputStream body)
            throws IOException {
        Optional<String> elsewhere = answer.headers().firstValue("location");
        if (elsewhere.isPresent()) {
            // A key does not follow to wherever a server says.
            return Failure.lasting(
                    ModelProblem.NO_SUCH_MODEL,
                    "it is not at this address, but at "
                            + Excerpt.line(elsewhere.get(), LONGEST_ADDRESS));
        }
        String said = new String(body.readNBytes(LONGEST_REFUSAL), StandardCharsets.UTF_8);
        String text = said.isBlank() ? "HTTP status " + answer.statusCode() : said;
        return Busy.after(answer.headers(), Instant.now())
                .or(() -> Busy.after(said))
                .<RuntimeException>map(after -> new Busy(answer.statusCode(), text, after))
                .orElseGet(() -> new HttpException(answer.statusCode(), text));
    }

    private static SuccessfulHttpResponse success(HttpResponse<?> answer, byte[] body) {
        return SuccessfulHttpResponse.builder()
                .statusCode(answer.statusCode())
                .headers(answer.headers().map())
                .body(body)
                .build();
    }
}
