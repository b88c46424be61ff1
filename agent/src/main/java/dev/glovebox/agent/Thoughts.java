package dev.glovebox.agent;

import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Tells what a model thinks from what it says, where its server leaves the one before the other, in
 * tags. Further down, the tags are a part of an answer that talks about them.
 *
 * <p>It keeps back the words of an answer that is on its way until they are no thought.
 */
final class Thoughts {

    private static final String OPEN = "<think>";
    private static final String CLOSE = "</think>";

    // Some templates have the first tag at the end of the question, so that only this one comes.
    private static final Pattern CLOSE_ALONE =
            Pattern.compile("^[ \\t]*" + CLOSE + "[ \\t]*$", Pattern.MULTILINE);

    private final Consumer<String> words;
    private final StringBuilder held = new StringBuilder();
    private boolean thinks;
    private boolean hasClosed;
    private boolean speaks;

    /**
     * For one answer.
     *
     * @param words hears what it says
     * @param thinks whether it begins with a thought, also without a tag
     */
    Thoughts(Consumer<String> words, boolean thinks) {
        this.words = words;
        this.thinks = thinks;
    }

    /** What an answer says. */
    static String without(String answer) {
        if (beginsWithTag(answer)) {
            int close = answer.indexOf(CLOSE);
            return close < 0 ? "" : answer.substring(close + CLOSE.length()).stripLeading();
        }
        Matcher close = CLOSE_ALONE.matcher(answer);
        return close.find() && answer.lastIndexOf(OPEN, close.start()) < 0
                ? answer.substring(close.end()).stripLeading()
                : answer;
    }

    /** Whether an answer begins with a thought that has no tag at its beginning. */
    static boolean isUntagged(String answer) {
        return !beginsWithTag(answer) && !without(answer).equals(answer);
    }

    private static boolean beginsWithTag(String answer) {
        return answer.stripLeading().startsWith(OPEN);
    }

    /** Hears more of the answer. */
    void hear(String part) {
        if (speaks) {
            words.accept(part);
            return;
        }
        held.append(part);
        if (!mayThink()) {
            speak(held.toString());
        } else if (hasClosed(part)) {
            String said = without(held.toString());
            if (said.length() < held.length()) {
                speak(said);
            }
        }
    }

    private boolean mayThink() {
        if (!thinks) {
            String begin = held.toString().stripLeading();
            thinks = begin.startsWith(OPEN);
            return thinks || OPEN.startsWith(begin);
        }
        return true;
    }

    private boolean hasClosed(String last) {
        int from = held.length() - last.length() - CLOSE.length();
        hasClosed = hasClosed || held.indexOf(CLOSE, from) >= 0;
        return hasClosed;
    }

    /** Has heard all of it. */
    void end() {
        if (!speaks) {
            speak(without(held.toString()));
        }
    }

    private void speak(String said) {
        if (!said.isEmpty()) {
            speaks = true;
            held.setLength(0);
            words.accept(said);
        }
    }
}
