package dev.glovebox.agent;

import java.lang.reflect.Proxy;
import java.net.http.HttpClient;

/** Hands a client to whoever wants to build one, and would not give it out to be closed. */
final class HttpClients {

    private HttpClients() {}

    /** A builder that has built already: whatever it is told. */
    static HttpClient.Builder only(HttpClient client) {
        return (HttpClient.Builder)
                Proxy.newProxyInstance(
                        HttpClients.class.getClassLoader(),
                        new Class<?>[] {HttpClient.Builder.class},
                        (builder, method, given) ->
                                method.getReturnType() == HttpClient.class ? client : builder);
    }
}
