package dev.glovebox.sandbox.docker;

import com.github.dockerjava.api.DockerClient;
import com.github.dockerjava.api.async.ResultCallback;
import com.github.dockerjava.api.model.Frame;
import com.github.dockerjava.api.model.StreamType;
import java.io.Closeable;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** The standard streams of a container, on one connection to the engine. */
final class DockerLine implements Line {

    private static final Duration OPENING = Duration.ofSeconds(5);
    private static final int MOST_COMPLAINTS = 4096;

    private final Outbox outbox = new Outbox();
    private final Outbox inbox = new Outbox();
    private final StringBuilder complaints = new StringBuilder();
    private final CountDownLatch open = new CountDownLatch(1);
    private final Streams streams = new Streams();

    private DockerLine() {}

    /** Opens the streams, so that nothing is lost of what comes when the container starts. */
    static DockerLine open(DockerClient client, String container)
            throws IOException, InterruptedException {
        DockerLine line = new DockerLine();
        client.attachContainerCmd(container)
                .withStdIn(new Quiet(line.outbox.reader()))
                .withStdOut(true)
                .withStdErr(true)
                .withFollowStream(true)
                .exec(line.streams);
        if (!line.open.await(OPENING.toMillis(), TimeUnit.MILLISECONDS)) {
            line.close();
            throw new IOException("The engine does not open the streams of a container");
        }
        return line;
    }

    @Override
    public InputStream input() {
        return inbox.reader();
    }

    @Override
    public OutputStream output() {
        return outbox;
    }

    @Override
    public String complaints() {
        synchronized (complaints) {
            return complaints.toString();
        }
    }

    @Override
    public void close() {
        outbox.close();
        inbox.close();
        Thread.ofVirtual().start(streams::hangUp);
    }

    /**
     * The library reads this on a thread of its own, which would print to the terminal that the
     * engine is gone: we are told of that by the other direction.
     */
    private static final class Quiet extends FilterInputStream {

        Quiet(InputStream in) {
            super(in);
        }

        @Override
        public int read(byte[] bytes, int offset, int length) throws IOException {
            Thread.currentThread().setUncaughtExceptionHandler((thread, problem) -> {});
            return super.read(bytes, offset, length);
        }
    }

    private final class Streams extends ResultCallback.Adapter<Frame> {

        @Override
        public void onStart(Closeable stream) {
            super.onStart(stream);
            open.countDown();
        }

        @Override
        public void onNext(Frame frame) {
            if (frame.getStreamType() == StreamType.STDOUT) {
                inbox.write(frame.getPayload(), 0, frame.getPayload().length);
                return;
            }
            synchronized (complaints) {
                if (complaints.length() < MOST_COMPLAINTS) {
                    complaints.append(new String(frame.getPayload(), StandardCharsets.ISO_8859_1));
                }
            }
        }

        @Override
        public void onError(Throwable problem) {
            super.onError(problem);
            inbox.close();
        }

        @Override
        public void onComplete() {
            super.onComplete();
            inbox.close();
        }

        private void hangUp() {
            try {
                close();
            } catch (IOException e) {
                // Then it is closed.
            }
        }
    }
}
