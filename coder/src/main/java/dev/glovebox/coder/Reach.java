package dev.glovebox.coder;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Looks whether a host is there, and not for long: where there is no network, its name alone may
 * take minutes.
 */
final class Reach {

    private static final Duration LONGEST = Duration.ofSeconds(3);

    private Reach() {}

    /** The addresses of a host; none: nobody knows it, or nobody says so in time. */
    static List<InetAddress> addresses(String host) {
        try {
            return within(() -> List.of(InetAddress.getAllByName(host)));
        } catch (IOException e) {
            return List.of();
        }
    }

    /** Why a host does not answer; empty: it does. */
    static Optional<String> problem(String host, int port) {
        try {
            return within(() -> connected(host, port));
        } catch (IOException e) {
            return Optional.of(String.valueOf(e.getMessage()));
        }
    }

    private static Optional<String> connected(String host, int port) throws IOException {
        IOException last = new IOException("it has no address");
        for (InetAddress address : InetAddress.getAllByName(host)) {
            try (Socket socket = new Socket()) {
                socket.connect(
                        new InetSocketAddress(address, port), Math.toIntExact(LONGEST.toMillis()));
                return Optional.empty();
            } catch (IOException e) {
                last = e;
            }
        }
        throw last;
    }

    // Not a virtual thread: it would take the place of others while it waits for a name.
    private static <T> T within(Callable<T> work) throws IOException {
        FutureTask<T> task = new FutureTask<>(work);
        Thread.ofPlatform().daemon().name("glovebox reach").start(task);
        try {
            return task.get(LONGEST.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            throw new IOException("no answer within %d s".formatted(LONGEST.toSeconds()), e);
        } catch (ExecutionException e) {
            throw new IOException(said(e), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    private static String said(ExecutionException problem) {
        return problem.getCause() instanceof UnknownHostException
                ? "its name is not known here"
                : Optional.ofNullable(problem.getCause())
                        .map(Throwable::getMessage)
                        .orElse("it does not answer");
    }
}
