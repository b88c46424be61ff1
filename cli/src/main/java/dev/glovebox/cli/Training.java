package dev.glovebox.cli;

import java.util.ArrayList;
import java.util.List;

/**
 * Runs several commands in one process, for the start-up cache, which is made of what they load.
 *
 * <p>How they end does not matter, but for the last.
 */
final class Training {

    /** Stands between two commands. */
    private static final String NEXT = "+";

    private Training() {}

    public static void main(String[] arguments) {
        ServiceIndex.install();
        Main main = new Main(Shell.ofThisProcess());
        List<String> command = new ArrayList<>();
        for (String word : arguments) {
            if (word.equals(NEXT)) {
                main.run(command.toArray(String[]::new));
                command.clear();
            } else {
                command.add(word);
            }
        }
        Main.main(command.toArray(String[]::new));
    }
}
