package dev.glovebox.sandbox.internal;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What a command of the process tier would execute.
 *
 * @param problem why it cannot be executed; empty if nothing speaks against it
 */
record Executable(String problem) {

    private static final byte[] ELF = {0x7f, 'E', 'L', 'F'};
    private static final int BEGINNING = 256;

    /**
     * Looks a command up as a shell would.
     *
     * @param folder where relative paths start
     */
    static Executable find(String name, String path, Path folder) {
        Optional<Path> file =
                candidates(name, path, folder)
                        .filter(one -> Files.isRegularFile(one) && Files.isExecutable(one))
                        .findFirst();
        if (file.isEmpty()) {
            return new Executable("there is no command '" + name + "'");
        }
        return new Executable(runs(file.get()) ? "" : "'" + name + "' cannot be executed");
    }

    private static Stream<Path> candidates(String name, String path, Path folder) {
        if (name.isEmpty()) {
            return Stream.empty();
        }
        return name.contains("/")
                ? Stream.of(folder.resolve(name))
                : Arrays.stream(path.split(":")).map(one -> folder.resolve(one).resolve(name));
    }

    /** A program, a script whose interpreter is there, or text that the shell takes for its own. */
    private static boolean runs(Path file) {
        byte[] beginning;
        try (InputStream in = Files.newInputStream(file)) {
            beginning = in.readNBytes(BEGINNING);
        } catch (IOException e) {
            return true; // executable, but not readable for us
        }
        String text = new String(beginning, StandardCharsets.ISO_8859_1);
        if (text.startsWith("#!")) {
            String interpreter = text.substring(2).strip().split("\\s")[0];
            return Files.isExecutable(Path.of(interpreter.replace("\0", "")));
        }
        boolean elf = Arrays.equals(Arrays.copyOf(beginning, ELF.length), ELF);
        return elf ? beginning.length == BEGINNING : text.indexOf('\0') < 0;
    }
}
