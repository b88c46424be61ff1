package dev.glovebox.coder;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonTypeName;
import dev.glovebox.sandbox.Outcome;
import java.util.Objects;

/** What must be true of what a program did. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
@JsonSubTypes({
    @JsonSubTypes.Type(Check.Exits.class),
    @JsonSubTypes.Type(Check.Matches.class),
    @JsonSubTypes.Type(Check.Prints.class),
    @JsonSubTypes.Type(Check.Passes.class)
})
public sealed interface Check {

    /** It ends by itself, with this code. */
    @JsonTypeName("exits")
    record Exits(int code) implements Check {}

    /**
     * Somewhere in what it prints.
     *
     * @param expression a regular expression
     */
    @JsonTypeName("matches")
    record Matches(String expression) implements Check {}

    /** It prints just that; white space at the ends does not count. */
    @JsonTypeName("prints")
    record Prints(String text) implements Check {}

    /**
     * A program of the same language, run instead of the entry and beside all files of the
     * artifact, ends with 0.
     *
     * <p>That is not enough: code under test can end a program. So it must also print a proof, on a
     * line of its own. A test without one gets lines at its end that do that. One that brings its
     * own is a judge: it is told the proof on its standard input, which nobody else is, and the
     * name of the artifact's entry as its argument.
     *
     * @param input what it reads; not for those who write the code to see
     * @param proof a word that cannot be guessed
     */
    @JsonTypeName("passes")
    record Passes(String filename, String source, String input, String proof) implements Check {

        public Passes {
            // Plans from before there were proofs have neither.
            input = Objects.requireNonNullElse(input, "");
            proof = Objects.requireNonNullElse(proof, "");
        }

        public Passes(String filename, String source) {
            this(filename, source, "", "");
        }

        boolean isJudge() {
            return !input.isEmpty();
        }

        /**
         * Whether a test that ended so, and printed that, has passed. What other threads or
         * handlers of the end print after the proof does not matter.
         */
        boolean isPassed(Outcome outcome, String stdout) {
            return outcome.success() && stdout.lines().anyMatch(line -> line.strip().equals(proof));
        }
    }
}
