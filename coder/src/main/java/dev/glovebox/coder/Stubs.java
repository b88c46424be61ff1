package dev.glovebox.coder;

import dev.glovebox.sandbox.Language;
import java.util.List;
import java.util.Set;

/** Finds functions without a body, in one language. */
interface Stubs {

    /** What to say of one. */
    String ADVICE =
            "the body of %s is missing: write it; if it is to do nothing, let it be a bare return";

    /** Far more than programs have; each is looked for in the whole text. */
    int MOST_FUNCTIONS = 1_000;

    /** Nobody reads more at once. */
    int MOST_PROBLEMS = 10;

    static Stubs of(Language language) {
        return switch (language) {
            case PYTHON -> new PythonStubs();
            case JAVASCRIPT -> new JavaScriptStubs();
            case BASH -> new NoStubs();
        };
    }

    /** The classes that others are made of: their methods may be there to be overridden. */
    Set<String> bases(Source source);

    /** What is missing, in words. */
    List<String> in(Source source, Set<String> overridden);

    /** In a shell a function cannot be empty. */
    record NoStubs() implements Stubs {

        @Override
        public Set<String> bases(Source source) {
            return Set.of();
        }

        @Override
        public List<String> in(Source source, Set<String> overridden) {
            return List.of();
        }
    }
}
