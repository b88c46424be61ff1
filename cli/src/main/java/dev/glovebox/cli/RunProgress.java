package dev.glovebox.cli;

import dev.glovebox.agent.Spectator;
import dev.glovebox.coder.PipelineLog;
import dev.glovebox.sandbox.Chunk;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Shows on standard error what a pipeline is at, and what its program prints meanwhile: on a
 * terminal in one line that changes, elsewhere line by line.
 */
final class RunProgress implements Consumer<PipelineLog.Line>, AutoCloseable {

    private static final Duration TURN = Duration.ofMillis(100);
    private static final String[] TURNS = {"⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"};

    private final Shell shell;
    private final Form form;
    private final Paint paint;
    private final long began = System.nanoTime();
    private final @Nullable Thread spinner;
    private Optional<PipelineLog.Line> last = Optional.empty();
    private boolean midLine;
    private boolean closed;

    private enum Form {
        NOTHING,
        SPINNER,
        TEXT,
        JSON
    }

    private RunProgress(Shell shell, Form form) {
        this.shell = shell;
        this.form = form;
        this.paint = new Paint(form == Form.SPINNER && shell.coloured());
        this.spinner =
                form == Form.SPINNER
                        ? Thread.ofVirtual().name("glovebox spinner").start(this::spin)
                        : null;
    }

    /**
     * For one run.
     *
     * @param silent whether nobody wants to see it
     * @param log the form of a log that somebody asked for
     */
    static RunProgress of(Shell shell, boolean silent, @Nullable String log) {
        if (log != null) {
            return new RunProgress(
                    shell,
                    switch (log) {
                        case "text" -> Form.TEXT;
                        case "json" -> Form.JSON;
                        default ->
                                throw new BadInput("--log knows text and json, not '" + log + "'");
                    });
        }
        if (silent) {
            return new RunProgress(shell, Form.NOTHING);
        }
        return new RunProgress(shell, shell.watched() ? Form.SPINNER : Form.TEXT);
    }

    @Override
    public synchronized void accept(PipelineLog.Line line) {
        last = Optional.of(line);
        switch (form) {
            case NOTHING -> {}
            case TEXT -> write(Shell.oneLine(line.toString()) + "\n");
            case JSON -> write(line.json() + "\n");
            case SPINNER -> {
                if (line.isProblem()) {
                    String words = Shell.oneLine(line.event());
                    write(begin() + paint.bad("✗ ") + who(line) + words + "\n");
                }
            }
        }
    }

    /** Who is told what the program prints. */
    Spectator spectator() {
        return this::print;
    }

    /** What the program prints, as it comes, set off from everything else. */
    private synchronized void print(Chunk chunk) {
        if (form != Form.SPINNER || closed) {
            return;
        }
        String text = new String(chunk.bytes(), StandardCharsets.UTF_8);
        for (String line : text.split("(?<=\n)")) {
            String words = Shell.printable(line.replace("\n", "").replace('\t', ' '));
            write((midLine ? "" : Terminal.CLEAR + paint.faint("│ ")) + paint.faint(words));
            midLine = !line.endsWith("\n");
            if (!midLine) {
                write("\n");
            }
        }
    }

    private String begin() {
        String end = midLine ? "\n" : Terminal.CLEAR;
        midLine = false;
        return end;
    }

    private static String who(PipelineLog.Line line) {
        String attempt =
                line.attempt() > 1 ? " %d/%d".formatted(line.attempt(), line.attempts()) : "";
        return line.role().map(role -> role + attempt + ": ").orElse("");
    }

    private void spin() {
        try {
            for (int turn = 0; ; turn++) {
                Thread.sleep(TURN);
                show(TURNS[turn % TURNS.length]);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private synchronized void show(String turn) {
        if (!closed && !midLine && last.isPresent()) {
            double seconds = (System.nanoTime() - began) / 1e9;
            write(
                    Terminal.line(
                            paint.act(turn)
                                    + " "
                                    + who(last.get())
                                    + Shell.oneLine(last.get().event())
                                    + paint.faint(String.format(Locale.ROOT, " %.1f s", seconds))));
        }
    }

    private void write(String text) {
        try {
            shell.err().write(text.getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            return; // who has closed it does not want to know
        }
    }

    @Override
    public void close() {
        end();
    }

    /** Clears the way for what comes next. */
    synchronized void end() {
        if (!closed && spinner != null) {
            spinner.interrupt();
            write(begin());
        }
        closed = true;
    }
}
