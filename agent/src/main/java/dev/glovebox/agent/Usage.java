package dev.glovebox.agent;

/**
 * The tokens of one answer, or of several.
 *
 * @param input all that was read, with what the vendor remembered
 * @param cached of these, what the vendor remembered
 */
public record Usage(long input, long cached, long output) {

    public static final Usage NONE = new Usage(0, 0, 0);

    public Usage plus(Usage other) {
        return new Usage(input + other.input, cached + other.cached, output + other.output);
    }

    public long total() {
        return input + output;
    }
}
