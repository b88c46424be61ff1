package dev.glovebox.agent;

import java.lang.reflect.Proxy;
import java.net.http.HttpClient;
import java.time.Duration;

/** Clients for HTTP. */
final class HttpClients {

    private HttpClients() {}

    /**
     * One that follows no redirects, and speaks HTTP/1.1.
     *
     * <p>Without encryption the JDK would offer with each request to go on in HTTP/2. Some servers
     * refuse such a request (uvicorn: 400), and others never answer it (LM Studio).
     */
    static HttpClient connecting(Duration within) {
        return HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .followRedirects(HttpClient.Redirect.NEVER)
                .connectTimeout(within)
                .build();
    }

    /**
     * A builder that has built already, whatever it is told: for whoever wants to build one, and
     * would not give it out to be closed.
     */
    static HttpClient.Builder only(HttpClient client) {
        return (HttpClient.Builder)
                Proxy.newProxyInstance(
                        HttpClients.class.getClassLoader(),
                        new Class<?>[] {HttpClient.Builder.class},
                        (builder, method, given) ->
                                method.getReturnType() == HttpClient.class ? client : builder);
    }
}
