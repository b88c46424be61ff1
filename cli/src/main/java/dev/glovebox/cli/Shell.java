package dev.glovebox.cli;

import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;

/**
 * What surrounds a command: its streams, its directory and its environment.
 *
 * @param out raw bytes, nothing buffered and no charset between a program and its reader
 * @param terminal whether a person looks at {@code out}; asked only where that matters, since
 *     finding out takes time
 * @param errTerminal the same of {@code err}
 */
record Shell(
        InputStream in,
        OutputStream out,
        OutputStream err,
        Path directory,
        Map<String, String> env,
        BooleanSupplier terminal,
        BooleanSupplier errTerminal) {

    private static final String LOG = "GLOVEBOX_LOG";
    private static final Set<String> LEVELS =
            Set.of("ERROR", "WARN", "INFO", "DEBUG", "TRACE", "OFF");
    private static final int ZERO_WIDTH_NON_JOINER = 0x200c;
    private static final int ZERO_WIDTH_JOINER = 0x200d;

    /** The shell that this process was started from. */
    static Shell ofThisProcess() {
        return new Shell(
                new FileInputStream(FileDescriptor.in),
                new FileOutputStream(FileDescriptor.out),
                new FileOutputStream(FileDescriptor.err),
                Path.of("").toAbsolutePath(),
                System.getenv(),
                Terminal::isStandardOutput,
                Terminal::isStandardError);
    }

    /** A path as written on the command line. */
    Path path(String text) {
        if (text.isEmpty()) {
            throw new BadInput("A file name is empty");
        }
        try {
            return directory.resolve(text);
        } catch (InvalidPathException e) {
            throw new BadInput("'" + text + "' is not a file name here: " + e.getReason(), e);
        }
    }

    /** Whether these words are the name of a file, whatever else they may be. */
    boolean hasFile(String words) {
        try {
            return Files.isRegularFile(directory.resolve(words));
        } catch (InvalidPathException e) {
            return false;
        }
    }

    /**
     * Puts lines on standard output.
     *
     * @throws OutputLost if nobody takes them
     */
    void print(String lines) {
        try {
            out.write((lines + "\n").getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw OutputLost.writing("The answer", e);
        }
    }

    /** Says one line on standard error. */
    void say(String sentence) {
        writeError("glovebox: " + oneLine(sentence) + "\n");
    }

    /** Ends a line on standard error that a program left open. */
    void endLine() {
        writeError("\n");
    }

    private void writeError(String text) {
        try {
            err.write(text.getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            return; // who has closed it does not want to know
        }
    }

    /**
     * Names of files and what interpreters say end up in messages, and must not drive the terminal.
     */
    static String oneLine(String text) {
        return printable(text).strip();
    }

    /**
     * Without anything that a terminal would obey, and nothing that shows text in another order.
     */
    static String printable(String text) {
        StringBuilder line = new StringBuilder(text.length());
        text.codePoints().forEach(c -> line.appendCodePoint(isPrintable(c) ? c : ' '));
        return line.toString();
    }

    private static boolean isPrintable(int c) {
        return switch (Character.getType(c)) {
            case Character.CONTROL,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR,
                    Character.SURROGATE ->
                    false;
            // Marks of direction are among them; the two joiners only hold letters and emoji.
            case Character.FORMAT -> c == ZERO_WIDTH_NON_JOINER || c == ZERO_WIDTH_JOINER;
            default -> true;
        };
    }

    /** Refuses a level that there is not: the log would leave out what somebody waits for. */
    void checkLog() {
        String level = env.getOrDefault(LOG, "");
        if (!level.isEmpty() && !LEVELS.contains(level.toUpperCase(Locale.ROOT))) {
            throw new BadInput(
                    LOG + " is ERROR, WARN, INFO, DEBUG, TRACE or OFF, not '" + level + "'");
        }
    }

    boolean debugging() {
        return "1".equals(env.get("GLOVEBOX_DEBUG"));
    }

    /** Whether output may be coloured: for a person who did not ask for none (no-color.org). */
    boolean coloured() {
        return env.getOrDefault("NO_COLOR", "").isEmpty() && obeys() && terminal.getAsBoolean();
    }

    /**
     * Whether somebody sees a line change on standard error, and has nothing else on the screen.
     */
    boolean watched() {
        return obeys() && terminal.getAsBoolean() && errTerminal.getAsBoolean();
    }

    private boolean obeys() {
        return !"dumb".equals(env.get("TERM"));
    }
}
