package dev.glovebox.agent;

/**
 * The tokens of one answer, or of several.
 *
 * @param input all that was read, with what the vendor remembered or will remember
 * @param cached of these, what the vendor remembered
 * @param written of these, what it will remember, where that has a price of its own
 */
public record Usage(long input, long cached, long written, long output) {

    public static final Usage NONE = new Usage(0, 0, 0, 0);

    /** Of which the vendor remembered nothing. */
    public static Usage of(long input, long output) {
        return new Usage(input, 0, 0, output);
    }

    public Usage plus(Usage other) {
        return new Usage(
                input + other.input,
                cached + other.cached,
                written + other.written,
                output + other.output);
    }

    public long total() {
        return input + output;
    }
}
