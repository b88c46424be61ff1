package dev.glovebox.cli;

import dev.glovebox.coder.Eval;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Locale;

/** Shows how far an evaluation is: as a bar on a terminal, as lines elsewhere. */
final class EvalProgress implements Eval.Watcher {

    private static final int BAR = 30;

    private final Shell shell;
    private final boolean watched;
    private final int before;
    private final int all;
    private final long start = System.nanoTime();
    private int tried;
    private int solved;

    /**
     * Begins.
     *
     * @param before how many were tried before
     */
    EvalProgress(Shell shell, int before, int all) {
        this.shell = shell;
        this.watched = shell.watched();
        this.before = before;
        this.all = all;
    }

    @Override
    public synchronized void tried(String task, boolean good, int attempts) {
        tried++;
        solved += good ? 1 : 0;
        int done = before + tried;
        if (!watched) {
            shell.say(
                    "%d/%d %s %s, attempts: %d"
                            .formatted(done, all, task, good ? "solved" : "not solved", attempts));
            return;
        }
        int filled = all == 0 ? BAR : done * BAR / all;
        write(
                Terminal.line(
                        String.format(
                                Locale.ROOT,
                                "[%s%s] %d/%d  solved %d of %d  %s left",
                                "█".repeat(filled),
                                "·".repeat(BAR - filled),
                                done,
                                all,
                                solved,
                                tried,
                                left(all - done))));
    }

    private String left(int tasks) {
        Duration each = Duration.ofNanos((System.nanoTime() - start) / Math.max(1, tried));
        Duration left = each.multipliedBy(tasks);
        return String.format(Locale.ROOT, "%d:%02d", left.toMinutes(), left.toSecondsPart());
    }

    /** Takes the bar away. */
    synchronized void end() {
        if (watched) {
            write(Terminal.CLEAR);
        }
    }

    private void write(String text) {
        try {
            shell.err().write(text.getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            return; // nobody looks
        }
    }
}
