package dev.glovebox.cli;

import java.io.Console;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Finds out whether standard output is a terminal. */
final class Terminal {

    private Terminal() {}

    @SuppressWarnings(
            "SystemConsoleNull") // it is null again since Java 25, where there is no terminal
    static boolean isStandardOutput() {
        try {
            // System.console() also wants standard input to be one, which `echo … | glovebox` is
            // not.
            String target = Files.readSymbolicLink(Path.of("/proc/self/fd/1")).toString();
            return target.startsWith("/dev/pts/")
                    || target.startsWith("/dev/tty")
                    || target.equals("/dev/console");
        } catch (IOException | UnsupportedOperationException e) {
            Console console = System.console();
            return console != null && console.isTerminal();
        }
    }
}
