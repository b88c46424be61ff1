package dev.glovebox.sandbox.internal;

import dev.glovebox.sandbox.Connection.Fate;
import dev.glovebox.sandbox.HostPort;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.Socket;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * One connection of a program to the gate: hears what it wants, decides, connects, moves bytes.
 *
 * <p>It serves one request. What a client sends behind that is never looked at, so that nothing
 * passes unchecked behind something that was allowed.
 */
final class GateConnection implements Runnable {

    private static final Duration HEAD_TIME = Duration.ofSeconds(10);
    private static final Duration CONNECT_TIME = Duration.ofSeconds(10);
    private static final Duration HALF_OPEN_TIME = Duration.ofSeconds(60);
    private static final Duration GOODBYE_TIME = Duration.ofSeconds(2);
    private static final int BUFFER = 16 * 1024;
    private static final Pattern STATUS = Pattern.compile("HTTP/1\\.[01] ([1-5][0-9]{2})( .*)?");
    private static final int NO_CONTENT = 204;
    private static final int NOT_MODIFIED = 304;
    private static final int SWITCHING = 101;
    private static final int FIRST_FINAL = 200;

    private final BoxSocket box;
    private final Destinations destinations;
    private final ConnectionLog.Entry entry;
    private final Executor threads;
    private volatile @Nullable Socket outside;
    private volatile boolean over;

    GateConnection(
            BoxSocket box, Destinations destinations, ConnectionLog.Entry entry, Executor threads) {
        this.box = box;
        this.destinations = destinations;
        this.entry = entry;
        this.threads = threads;
    }

    @Override
    public void run() {
        try (box) {
            try {
                serve(new BufferedInputStream(box.input(), BUFFER));
            } finally {
                entry.end();
                sayGoodbye();
            }
        } catch (IOException e) {
            hangUp(); // one of the two sides is gone, and nobody is left to be told
        }
    }

    /** Ends it on both sides. */
    void hangUp() {
        over = true;
        box.hangUp();
        Socket socket = outside;
        if (socket != null) {
            close(socket);
        }
    }

    private void serve(InputStream in) throws IOException {
        String host = "";
        int port = 0;
        try {
            box.hurry(HEAD_TIME);
            Optional<HttpHead> head = HttpHead.read(in);
            if (head.isEmpty()) {
                return;
            }
            box.relax();
            host = GateRequest.target(head.get());
            GateRequest request = GateRequest.of(head.get());
            HostPort place = request.place();
            host = place.host();
            port = place.port();
            if (!destinations.names(place)) {
                throw Refused.forbidden("the policy does not name " + place);
            }
            try (Socket socket = connect(destinations.addresses(place), port)) {
                String address = socket.getInetAddress().getHostAddress();
                entry.decided(host, port, Fate.ALLOWED, address);
                pass(request, in, socket);
            }
        } catch (Refused e) {
            entry.decided(host, port, Fate.DENIED, e.reason());
            answer(e.status(), e.reason());
        } catch (Unreachable e) {
            entry.decided(host, port, Fate.FAILED, e.reason());
            answer("502 Bad Gateway", e.reason());
        } catch (UnknownHostException e) {
            entry.decided(host, port, Fate.FAILED, "its name is not known");
            answer("502 Bad Gateway", "the name " + host + " is not known");
        }
    }

    private Socket connect(List<InetAddress> addresses, int port) throws Unreachable {
        String problem = "";
        for (InetAddress address : addresses) {
            // Whatever proxies this JVM has are not for a box. The address is the one that was
            // checked; nobody is asked for it again.
            Socket socket = new Socket(Proxy.NO_PROXY);
            outside = socket;
            try {
                if (over) {
                    throw new IOException("the box has ended");
                }
                socket.connect(new InetSocketAddress(address, port), (int) CONNECT_TIME.toMillis());
                socket.setTcpNoDelay(true);
                return socket;
            } catch (IOException e) {
                close(socket);
                problem = address.getHostAddress() + ": " + e.getMessage();
            }
        }
        throw new Unreachable(problem);
    }

    private void pass(GateRequest request, InputStream in, Socket socket)
            throws IOException, Refused {
        InputStream from = new Counted.Input(socket.getInputStream(), entry.received());
        OutputStream to = new Counted.Output(socket.getOutputStream(), entry.sent());
        switch (request) {
            case GateRequest.Tunnel tunnel -> {
                write("HTTP/1.1 200 Connection established\r\n\r\n");
                together(
                        () -> {
                            in.transferTo(to);
                            socket.shutdownOutput();
                        },
                        () -> {
                            from.transferTo(box.output());
                            box.endOutput();
                        });
            }
            case GateRequest.Single single -> {
                to.write(single.head().bytes());
                together(
                        () -> single.body().move(in, to),
                        () -> passBack(single, new BufferedInputStream(from, BUFFER)));
            }
        }
    }

    /** Moves bytes in both directions at once, until both have ended or one of them has failed. */
    private void together(Moving out, Moving back) throws IOException, Refused {
        CompletableFuture<Void> outward = start(out);
        CompletableFuture<Void> inward = start(back);
        CompletableFuture<Void> both = CompletableFuture.allOf(outward, inward);
        try {
            CompletableFuture.anyOf(outward, inward).join();
            both.get(HALF_OPEN_TIME.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException | CompletionException e) {
            if (e.getCause() instanceof Refused refused) {
                throw refused;
            }
            throw new IOException("one side has ended", e);
        } catch (TimeoutException e) {
            throw new IOException("one side has ended, and the other says nothing", e);
        } catch (InterruptedException e) {
            throw new IOException("the gate is closed", e);
        } finally {
            if (!both.isDone() || both.isCompletedExceptionally()) {
                hangUp();
            }
            both.exceptionally(problem -> null).join();
        }
    }

    @FunctionalInterface
    private interface Moving {
        void move() throws IOException, Refused;
    }

    private CompletableFuture<Void> start(Moving moving) {
        CompletableFuture<Void> done = new CompletableFuture<>();
        Runnable task =
                () -> {
                    try {
                        moving.move();
                        done.complete(null);
                    } catch (IOException | Refused | RuntimeException e) {
                        done.completeExceptionally(e);
                    }
                };
        try {
            threads.execute(task);
        } catch (RejectedExecutionException e) {
            done.completeExceptionally(e); // the gate is closed
        }
        return done;
    }

    /** Passes on the answer: those that are only preliminary, the final one, its body. */
    private void passBack(GateRequest.Single request, InputStream from) throws IOException {
        try {
            while (true) {
                HttpHead head =
                        HttpHead.read(from)
                                .orElseThrow(() -> new IOException("the host did not answer"));
                Matcher status = STATUS.matcher(head.first());
                if (!status.matches()) {
                    throw new IOException("the host does not speak HTTP/1");
                }
                int code = Integer.parseInt(status.group(1));
                if (code == SWITCHING) {
                    throw new IOException("the host wants to speak something else than HTTP/1");
                }
                HttpBody body = body(request.method(), code, head);
                HttpHead.Field close = new HttpHead.Field("Connection", "close");
                List<HttpHead.Field> length = head.body().fields();
                HttpHead passed =
                        head.passedOn(
                                head.first(),
                                Set.of(),
                                code < FIRST_FINAL || length.isEmpty()
                                        ? new HttpHead.Field[] {close}
                                        : new HttpHead.Field[] {length.getFirst(), close});
                box.output().write(passed.bytes());
                if (code < FIRST_FINAL) {
                    continue;
                }
                if (body instanceof HttpBody.Unsaid) {
                    from.transferTo(box.output());
                } else {
                    body.move(from, box.output());
                }
                box.endOutput();
                return;
            }
        } catch (Refused e) {
            throw new IOException("the answer is not well-formed: " + e.reason(), e);
        }
    }

    private static HttpBody body(String method, int code, HttpHead head) throws Refused {
        boolean none =
                method.equals("HEAD")
                        || code < FIRST_FINAL
                        || code == NO_CONTENT
                        || code == NOT_MODIFIED;
        return none ? new HttpBody.None() : head.body();
    }

    private void answer(String status, String reason) throws IOException {
        String text = "glovebox: " + reason + "\n";
        byte[] body = text.getBytes(StandardCharsets.UTF_8);
        write(
                "HTTP/1.1 "
                        + status
                        + "\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: "
                        + body.length
                        + "\r\nConnection: close\r\n\r\n"
                        + text);
    }

    private void write(String text) throws IOException {
        box.output().write(text.getBytes(StandardCharsets.UTF_8));
    }

    /** Who closes while the client still sends takes away the answer that it has not read. */
    private void sayGoodbye() throws IOException {
        if (!over) {
            box.endOutput();
            box.hurry(GOODBYE_TIME);
            box.input().transferTo(OutputStream.nullOutputStream());
        }
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            // Closed is all that it has to be.
        }
    }

    private static final class Unreachable extends Exception {

        private static final long serialVersionUID = 1L;

        Unreachable(String problem) {
            super("it cannot be reached: " + problem);
        }

        String reason() {
            return String.valueOf(getMessage());
        }
    }
}
