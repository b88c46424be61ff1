package dev.glovebox.coder;

import java.util.Locale;

/**
 * The kinds of mistakes that the offline debugger tells apart. Failures are counted by these words,
 * so a word means the same for ever.
 */
enum Mistake {
    MISSING_MODULE,
    MISSING_IMPORT,
    SYNTAX,
    INDENTATION,
    BRACKETS,
    ENCODING,
    TYPE,
    INDEX,
    KEY,
    NAME,
    VALUE,
    REMOVED_API,
    PYTHON_2,
    RECURSION,
    MODULE_SYSTEM,
    ASYNC,
    MISSING_FILE,
    INPUT,
    DIVISION,
    INSTALLATION,
    TIME_OUT,
    MEMORY,
    LIMIT,
    DENIED,
    ASSERTION,
    OUTPUT,
    UNKNOWN;

    /** The word for it, as in a {@link Diagnosis}. */
    String word() {
        return this == PYTHON_2 ? "python2" : name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
