package dev.glovebox.coder;

import dev.glovebox.sandbox.Language;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The last lines of a test, which print a word that nobody can guess: so it is known that the test
 * came to its end, and was not ended by the code that it tests.
 */
enum TestEnd {
    // Not with print, which a test may have replaced, as it may have replaced sys.stdout.
    PYTHON(
            """
            import sys
            sys.__stdout__.write("\\n%s\\n")
            sys.__stdout__.flush()
            """,
            "\\bunittest\\.main\\s*\\("
                    + "|\\braise\\s+SystemExit\\b(?!\\s*\\(\\s*(?:[1-9]|f?['\"]))"
                    + "|(?:\\bsys\\.exit|\\bos\\._exit|(?<![\\w.])(?:exit|quit))\\s*\\((?!\\s*(?:[1-9]|f?['\"]))"),

    // What a test waits for comes after its last line, and before this; process.exit does not.
    JAVASCRIPT(
            """
            ;((end) => process.once ? process.once('beforeExit', end) : end())(() => {
              const out = process.stdout;
              (Object.getPrototypeOf(out).write ?? out.write).call(out, '\\n%s\\n');
            });
            """,
            "\\bprocess\\.exit\\s*\\((?!\\s*[1-9])"),

    // The last command of a test says whether it has passed.
    BASH(
            """
            set -- "$?"; printf '\\n%%s\\n' '%s'; exit "$1"
            """,
            "(?m)(?:^|[;&|{(]|\\b(?:then|else|do))\\s*exit\\b(?!\\s+[1-9])");

    private final String lines;
    private final Pattern early;

    TestEnd(String lines, String early) {
        this.lines = lines;
        this.early = Pattern.compile(early);
    }

    static TestEnd of(Language language) {
        return switch (language) {
            case PYTHON -> PYTHON;
            case JAVASCRIPT -> JAVASCRIPT;
            case BASH -> BASH;
        };
    }

    /** A test that prints a word when it has come to its end. */
    Check.Passes addedTo(Check.Passes test, String word) {
        return new Check.Passes(
                test.filename(), test.source() + "\n" + lines.formatted(word), "", word);
    }

    /** Why a test would never come to its end, for the model that wrote it; empty: it would. */
    Optional<String> problem(String source) {
        return early.matcher(source).find()
                ? Optional.of(
                        "A program of PASSES must come to its last line if all is right: it may exit with another number than 0, and not with 0 or by unittest.main()")
                : Optional.empty();
    }
}
