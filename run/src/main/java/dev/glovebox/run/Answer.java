package dev.glovebox.run;

/**
 * What somebody answered.
 *
 * @param by who; {@code time-out} if nobody did in time
 */
public record Answer(String text, String by) {

    static final String TIME_OUT = "time-out";

    /** Whether something was approved. */
    public boolean isYes() {
        return text.equals(Question.YES);
    }
}
