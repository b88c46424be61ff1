package dev.glovebox.trace;

import java.util.List;
import java.util.OptionalLong;

/** What can be said of a trace. */
public sealed interface Verdict {

    /** What a command exits with that says so. */
    int exitCode();

    /** One sentence for people. */
    String sentence();

    /**
     * Nothing was changed, added or removed since it was sealed.
     *
     * @param records how many there are
     * @param signer the id of the known key that vouches for the end
     */
    record Intact(String run, long records, String signer) implements Verdict {

        @Override
        public int exitCode() {
            return 0;
        }

        @Override
        public String sentence() {
            return "Intact: the run %s with %,d records is finished and sealed by the key %s."
                    .formatted(run, records, signer);
        }
    }

    /**
     * A rule of the trace format is broken.
     *
     * @param seq the first record that is not as it should be, where it is about one
     * @param what is wrong
     */
    record Tampered(OptionalLong seq, String what) implements Verdict {

        @Override
        public int exitCode() {
            return 1;
        }

        @Override
        public String sentence() {
            String where = seq.isPresent() ? "record " + seq.getAsLong() + ": " : "";
            return "Tampered with: " + where + what + ".";
        }
    }

    /**
     * Right as far as it goes; but this does not prove that nothing is missing.
     *
     * @param reasons why it is not more, at least one
     */
    record Incomplete(List<String> reasons) implements Verdict {

        public Incomplete {
            reasons = List.copyOf(reasons);
        }

        @Override
        public int exitCode() {
            return 3;
        }

        @Override
        public String sentence() {
            return "Incomplete: " + String.join("; ", reasons) + ".";
        }
    }
}
