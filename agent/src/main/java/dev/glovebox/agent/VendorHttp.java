package dev.glovebox.agent;

import dev.langchain4j.http.client.HttpClientBuilder;
import dev.langchain4j.http.client.jdk.JdkHttpClientBuilder;
import java.io.IOException;
import java.net.Authenticator;
import java.net.CookieHandler;
import java.net.ProxySelector;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodySubscriber;
import java.net.http.HttpResponse.BodySubscribers;
import java.net.http.HttpResponse.PushPromiseHandler;
import java.net.http.HttpResponse.ResponseInfo;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import org.jspecify.annotations.Nullable;

/**
 * A client that tells when a vendor wants to be asked again: LangChain4j's exceptions have the
 * status and the body of a refusal, but not its headers.
 */
final class VendorHttp extends HttpClient {

    private static final Duration CONNECT_WITHIN = Duration.ofSeconds(15);
    private static final int FIRST_REFUSAL = 400;
    private static final long LONGEST_REFUSAL = 1 << 20;

    private final HttpClient client;

    private VendorHttp(HttpClient client) {
        this.client = client;
    }

    /** For the clients of LangChain4j. */
    static HttpClientBuilder builder() {
        HttpClient client = HttpClient.newBuilder().connectTimeout(CONNECT_WITHIN).build();
        return new JdkHttpClientBuilder()
                .httpClientBuilder(HttpClients.only(new VendorHttp(client)));
    }

    private static <T> BodyHandler<T> telling(BodyHandler<T> handler) {
        return answer -> {
            Optional<Duration> after =
                    answer.statusCode() < FIRST_REFUSAL
                            ? Optional.empty()
                            : Busy.after(answer.headers(), Instant.now());
            return after.isEmpty() ? handler.apply(answer) : refusal(answer, after.get());
        };
    }

    private static <T> BodySubscriber<T> refusal(ResponseInfo answer, Duration after) {
        return BodySubscribers.mapping(
                BodySubscribers.limiting(
                        BodySubscribers.ofString(StandardCharsets.UTF_8), LONGEST_REFUSAL),
                body -> {
                    throw new Busy(answer.statusCode(), body, after);
                });
    }

    @Override
    public <T> HttpResponse<T> send(HttpRequest request, BodyHandler<T> handler)
            throws IOException, InterruptedException {
        return client.send(request, telling(handler));
    }

    @Override
    public <T> CompletableFuture<HttpResponse<T>> sendAsync(
            HttpRequest request, BodyHandler<T> handler) {
        return client.sendAsync(request, telling(handler));
    }

    @Override
    public <T> CompletableFuture<HttpResponse<T>> sendAsync(
            HttpRequest request, BodyHandler<T> handler, @Nullable PushPromiseHandler<T> pushed) {
        return client.sendAsync(request, telling(handler), pushed);
    }

    @Override
    public Optional<CookieHandler> cookieHandler() {
        return client.cookieHandler();
    }

    @Override
    public Optional<Duration> connectTimeout() {
        return client.connectTimeout();
    }

    @Override
    public Redirect followRedirects() {
        return client.followRedirects();
    }

    @Override
    public Optional<ProxySelector> proxy() {
        return client.proxy();
    }

    @Override
    public SSLContext sslContext() {
        return client.sslContext();
    }

    @Override
    public SSLParameters sslParameters() {
        return client.sslParameters();
    }

    @Override
    public Optional<Authenticator> authenticator() {
        return client.authenticator();
    }

    @Override
    public Version version() {
        return client.version();
    }

    @Override
    public Optional<Executor> executor() {
        return client.executor();
    }
}
