package dev.glovebox.sandbox.docker;

import java.io.ByteArrayOutputStream;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;

/** A short command of ours in a box, before any program of a user. */
final class Errand implements Holder.Ear {

    private static final int MOST = 4096;

    private final ByteArrayOutputStream output = new ByteArrayOutputStream();
    private final CountDownLatch over = new CountDownLatch(1);
    private volatile boolean succeeded;

    private Errand() {}

    /** What it says, or nothing if it fails or takes too long. */
    static Optional<byte[]> run(Holder holder, List<String> words, Duration patience) {
        Errand errand = new Errand();
        int number = holder.enter(errand);
        try {
            holder.say('r', number, Launch.order(words, Launch.environment()));
            holder.say('c', number, new byte[0]);
            Uninterrupted.await(errand.over, patience);
            synchronized (errand.output) {
                return errand.succeeded
                        ? Optional.of(errand.output.toByteArray())
                        : Optional.empty();
            }
        } finally {
            holder.leave(number);
        }
    }

    @Override
    public void hear(Frame frame) {
        switch (frame.kind()) {
            case 'o' -> {
                synchronized (output) {
                    int size = Math.min(frame.content().length, MOST - output.size());
                    output.write(frame.content(), 0, size);
                }
            }
            case 'x' -> {
                byte[] end = frame.content();
                succeeded =
                        end.length >= 4 && end[0] == 0 && end[1] == 0 && end[2] == 0 && end[3] == 0;
                over.countDown();
            }
            case 'n' -> over.countDown();
            default -> {
                // Of no interest.
            }
        }
    }

    @Override
    public void measured(Reading reading) {
        // Too short to be measured.
    }

    @Override
    public void lost(String reason) {
        over.countDown();
    }
}
