package dev.glovebox.cli;

import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** One of the words behind {@code glovebox}. */
interface Subcommand {

    /** Its options and its help. */
    CommandSpec spec();

    /** Does it, and gives the exit code. */
    int run(ParseResult parsed);

    /** The exit code when nothing could be done: bad usage, or an error of ours. */
    int failed();
}
