package dev.glovebox.agent;

import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Tells what a model thinks from what it says, where its server leaves the one before the other, in
 * tags. Further down, the tags are a part of an answer that talks about them.
 *
 * <p>It keeps back the words of an answer that is on its way until they are no thought, and looks
 * at each of them once, however many there are.
 */
final class Thoughts {

    private static final String OPEN = "<think>";
    private static final String CLOSE = "</think>";

    // Some templates have the first tag at the end of the question, so that only the other comes.
    private static final Pattern MARK =
            Pattern.compile(
                    "(?<alone>^[ \\t]*"
                            + CLOSE
                            + "[ \\t]*$)"
                            + "|(?<close>"
                            + CLOSE
                            + ")"
                            + "|(?<open>"
                            + OPEN
                            + ")"
                            + "|(?<fence>^[ \\t]*`{3,}[^`\\n]*$)",
                    Pattern.MULTILINE);

    private static final Pattern JSON =
            Pattern.compile("\\s*(?:```(?:json)?\\s*)?(?:\\{\\s*[\"}]|\\[\\s*[\\[{\"\\]])");

    private enum State {
        BEGINS,
        TAGGED,
        UNTAGGED,
        THOUGHT,
        SPEAKS
    }

    private final Consumer<String> words;
    private final boolean thinks;
    private final StringBuilder held = new StringBuilder();
    private State state = State.BEGINS;
    private int looked;
    private boolean hasLine;
    private boolean isFenced;

    /**
     * For one answer.
     *
     * @param words hears what it says
     * @param thinks whether it may begin with a thought also without a tag
     */
    Thoughts(Consumer<String> words, boolean thinks) {
        this.words = words;
        this.thinks = thinks;
    }

    /** What an answer says. */
    static String without(String answer) {
        StringBuilder said = new StringBuilder();
        Thoughts thoughts = new Thoughts(said::append, true);
        thoughts.hear(answer);
        thoughts.end();
        return said.toString();
    }

    /** Whether an answer begins with a thought that has no tag at its beginning. */
    static boolean isUntagged(String answer) {
        return !answer.stripLeading().startsWith(OPEN) && !without(answer).equals(answer);
    }

    /** Hears more of the answer. */
    void hear(String part) {
        held.append(part);
        hasLine |= part.contains("\n");
        if (state == State.BEGINS) {
            begin();
        }
        if (state == State.TAGGED) {
            closeTagged();
        }
        if (state == State.UNTAGGED && hasLine && !part.isBlank()) {
            hasLine = false;
            closeUntagged(held.lastIndexOf("\n"), false);
        }
        if (state == State.THOUGHT) {
            held.delete(0, blanks(0));
            state = held.isEmpty() ? state : State.SPEAKS;
        }
        if (state == State.SPEAKS) {
            speak();
        }
    }

    /** Has heard all of it. */
    void end() {
        if (state == State.UNTAGGED) {
            closeUntagged(held.length(), true);
        }
        if (state == State.THOUGHT) {
            held.delete(0, blanks(0));
        }
        if (state != State.TAGGED) {
            speak();
        }
    }

    private void begin() {
        looked = blanks(looked);
        int end = Math.min(held.length(), looked + OPEN.length());
        String begin = held.substring(looked, end);
        if (begin.equals(OPEN)) {
            state = State.TAGGED;
        } else if (!OPEN.startsWith(begin)) {
            state = thinks ? State.UNTAGGED : State.SPEAKS;
            looked = 0;
        }
    }

    private void closeTagged() {
        int close = held.indexOf(CLOSE, looked);
        if (close >= 0) {
            close(close + CLOSE.length());
        } else {
            looked = Math.max(looked, held.length() - CLOSE.length());
        }
    }

    /** Looks at whole lines. */
    @SuppressWarnings("JdkObsolete") // What comes next may make JSON of what is there.
    private void closeUntagged(int to, boolean isAll) {
        Matcher mark = MARK.matcher(held).useAnchoringBounds(false).region(looked, to);
        while (mark.find()) {
            if (mark.group("open") != null) {
                state = State.SPEAKS;
                return;
            }
            if (mark.group("fence") != null) {
                isFenced = !isFenced;
            } else if (!isFenced) {
                Matcher json = JSON.matcher(held).region(mark.end(), held.length());
                if (mark.group("alone") != null || json.lookingAt()) {
                    close(mark.end());
                    return;
                }
                if (json.hitEnd() && !isAll) {
                    looked = mark.start();
                    return;
                }
            }
        }
        looked = to;
    }

    private void close(int end) {
        held.delete(0, end);
        state = State.THOUGHT;
    }

    private int blanks(int from) {
        int end = from;
        while (end < held.length() && Character.isWhitespace(held.charAt(end))) {
            end++;
        }
        return end;
    }

    private void speak() {
        if (!held.isEmpty()) {
            words.accept(held.toString());
            held.setLength(0);
        }
    }
}
