package dev.glovebox.sandbox.internal;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Asks the host's resolver, on a thread of its own: a name server that does not answer would hold
 * up the few threads that carry all virtual ones.
 */
final class Lookup {

    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private Lookup() {}

    static InetAddress[] of(String name) throws UnknownHostException {
        FutureTask<InetAddress[]> task = new FutureTask<>(() -> InetAddress.getAllByName(name));
        Thread.ofPlatform().daemon().name("glovebox-lookup").start(task);
        try {
            return task.get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException | TimeoutException e) {
            throw unknown(name, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw unknown(name, e);
        }
    }

    private static UnknownHostException unknown(String name, Exception cause) {
        UnknownHostException unknown = new UnknownHostException(name);
        unknown.initCause(cause);
        return unknown;
    }
}
