package dev.glovebox.sandbox;

import java.util.List;
import java.util.function.Supplier;

/** A value of a policy text, which knows where it stands. */
sealed interface Node {

    Place at();

    /** What was found, for messages. */
    @Override
    String toString();

    /** What a scalar looks like; texts in quotes are always {@code TEXT}. */
    enum Kind {
        TEXT,
        NUMBER,
        BOOLEAN,
        NOTHING
    }

    /** One word; {@code text} is what was written. */
    record Scalar(Place at, Kind kind, String text) implements Node {
        @Override
        public String toString() {
            return switch (kind) {
                case TEXT -> "the text " + Wording.quote(text);
                case NUMBER -> "the number " + Wording.quote(text);
                case BOOLEAN -> text;
                case NOTHING -> "nothing";
            };
        }
    }

    /** A list. */
    record Sequence(Place at, List<Node> items) implements Node {
        @Override
        public String toString() {
            return "a list";
        }
    }

    /** Keys and values, in the order of the text, no key twice. */
    record Mapping(Place at, List<Entry> entries) implements Node {
        @Override
        public String toString() {
            return "a mapping";
        }
    }

    /** A key and its value; {@code at} is where the key stands. */
    record Entry(Place at, String key, Node value) {}

    /** A line and column of a source; both start at 1. */
    record Place(String source, int line, int column) {

        InvalidPolicy wrong(String message) {
            return new InvalidPolicy(prefix() + message);
        }

        /** Makes what a value's own check complains about a complaint about this place. */
        <T> T locate(Supplier<T> value) {
            try {
                return value.get();
            } catch (InvalidPolicy | IllegalArgumentException e) {
                throw new InvalidPolicy(prefix() + e.getMessage(), e);
            }
        }

        /** As {@link #locate}, of a check that gives nothing. */
        void check(Runnable check) {
            locate(() -> {
                check.run();
                return this;
            });
        }

        private String prefix() {
            return source + ":" + line + ":" + column + ": ";
        }
    }
}
