package dev.glovebox.agent;

import java.io.IOException;
import java.net.Authenticator;
import java.net.CookieHandler;
import java.net.ProxySelector;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodySubscribers;
import java.net.http.HttpResponse.PushPromiseHandler;
import java.net.http.HttpResponse.ResponseInfo;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;

/**
 * A client for HTTP that fails when a server takes a message and gives nothing back.
 *
 * <p>That is right for what needs no answer. What is a request would wait for one until its time is
 * over: the SDK takes both as delivered.
 */
final class McpHttpClient extends HttpClient {

    /** The server has the message, and gives nothing back. */
    static final class NoAnswer extends RuntimeException {

        private static final long serialVersionUID = 1;

        private NoAnswer(int status) {
            super("it took the request (HTTP status %d) and gave no answer".formatted(status));
        }
    }

    private static final int ACCEPTED = 202;

    private final HttpClient inner;

    McpHttpClient(HttpClient inner) {
        this.inner = inner;
    }

    @Override
    public <T> CompletableFuture<HttpResponse<T>> sendAsync(
            HttpRequest request, BodyHandler<T> body) {
        return inner.sendAsync(request, request.method().equals("POST") ? answered(body) : body);
    }

    private static <T> BodyHandler<T> answered(BodyHandler<T> body) {
        return info ->
                isEmpty(info)
                        ? BodySubscribers.mapping(
                                BodySubscribers.discarding(),
                                nothing -> {
                                    throw new NoAnswer(info.statusCode());
                                })
                        : body.apply(info);
    }

    private static boolean isEmpty(ResponseInfo info) {
        return info.statusCode() / 100 == 2
                && (info.statusCode() == ACCEPTED
                        || info.headers().firstValue("Content-Type").orElse("").isBlank()
                        || info.headers().firstValue("Content-Length").orElse("").equals("0"));
    }

    @Override
    public <T> CompletableFuture<HttpResponse<T>> sendAsync(
            HttpRequest request, BodyHandler<T> body, PushPromiseHandler<T> pushed) {
        return inner.sendAsync(request, body, pushed);
    }

    @Override
    public <T> HttpResponse<T> send(HttpRequest request, BodyHandler<T> body)
            throws IOException, InterruptedException {
        return inner.send(request, body);
    }

    @Override
    public Optional<CookieHandler> cookieHandler() {
        return inner.cookieHandler();
    }

    @Override
    public Optional<Duration> connectTimeout() {
        return inner.connectTimeout();
    }

    @Override
    public Redirect followRedirects() {
        return inner.followRedirects();
    }

    @Override
    public Optional<ProxySelector> proxy() {
        return inner.proxy();
    }

    @Override
    public SSLContext sslContext() {
        return inner.sslContext();
    }

    @Override
    public SSLParameters sslParameters() {
        return inner.sslParameters();
    }

    @Override
    public Optional<Authenticator> authenticator() {
        return inner.authenticator();
    }

    @Override
    public Version version() {
        return inner.version();
    }

    @Override
    public Optional<Executor> executor() {
        return inner.executor();
    }
}
