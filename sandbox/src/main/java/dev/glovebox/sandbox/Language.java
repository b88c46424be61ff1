package dev.glovebox.sandbox;

import java.util.Locale;

/** A language whose programs a box can run from source. */
public enum Language {
    PYTHON("main.py"),
    JAVASCRIPT("main.js"),
    BASH("main.sh");

    private final String filename;

    Language(String filename) {
        this.filename = filename;
    }

    /** The name that a program given as text gets in the scratch directory. */
    public String filename() {
        return filename;
    }

    /** The name used in policies and on the command line. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
