package dev.glovebox.cli;

import java.io.Console;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Finds out whether a stream is a terminal, and has a line on it that changes. */
final class Terminal {

    /** Takes away what stands in the line. */
    static final String CLEAR = "\r\033[K";

    private Terminal() {}

    /** Takes the place of what stands in the line; what wrapped could not be taken away again. */
    static String line(String text) {
        return CLEAR + "\033[?7l" + text + "\033[?7h";
    }

    static boolean isStandardOutput() {
        return is(1);
    }

    static boolean isStandardError() {
        return is(2);
    }

    @SuppressWarnings(
            "SystemConsoleNull") // it is null again since Java 25, where there is no terminal
    private static boolean is(int descriptor) {
        try {
            // System.console() also wants standard input to be one, which `echo … | glovebox` is
            // not.
            String target =
                    Files.readSymbolicLink(Path.of("/proc/self/fd/" + descriptor)).toString();
            return target.startsWith("/dev/pts/")
                    || target.startsWith("/dev/tty")
                    || target.equals("/dev/console");
        } catch (IOException | UnsupportedOperationException e) {
            Console console = System.console();
            return console != null && console.isTerminal();
        }
    }
}
