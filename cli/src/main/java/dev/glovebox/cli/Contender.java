package dev.glovebox.cli;

/** Something that runs the one-line program; every run is checked for its output. */
interface Contender {

    /** The program that all of them run, and what it prints. */
    String PROGRAM = "print(42)";

    /** The same for walls that have no Python. */
    String JAVASCRIPT = "console.log(42)";

    String EXPECTED = "42\n";

    String name();

    void run();

    /** A contender that fails says so instead of being measured. */
    static void check(String name, String output) {
        if (!output.equals(EXPECTED)) {
            throw new IllegalStateException(
                    name + " printed '" + output.strip() + "' instead of 42");
        }
    }
}
