package dev.glovebox.agent;

import dev.glovebox.sandbox.FileGrant;
import dev.glovebox.sandbox.Policy;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Strips or blocks what asks for paths of the host, for credentials, or for the network outside a
 * policy.
 *
 * <p>A task or a message loses the sentence; a call of a tool is blocked; replies and results pass.
 * Hosts are compared with the policy in tasks and messages only: what a box really reaches is for
 * its walls to say, and code may name a host without going there. Addresses at which clouds hand
 * out credentials count everywhere.
 */
public final class HostReach implements Guardrail {

    /** What becomes of such a text. */
    public enum Action {
        PASS,
        /** The sentence, or within JSON the text, is replaced by a marker. */
        STRIP,
        BLOCK
    }

    /** What is removed may have hidden what the rest asks for. */
    private static final int MOST_ROUNDS = 5;

    private static final String MARKER = "[removed: ";

    /** How far a sentence is looked for, in characters. */
    private static final int LONGEST_SENTENCE = 2000;

    private final HostPathText paths;
    private final NetworkText network;
    private final Map<Point, Action> actions;

    private HostReach(HostPathText paths, NetworkText network, Map<Point, Action> actions) {
        this.paths = paths;
        this.network = network;
        this.actions = actions;
    }

    /** What a box with this policy sees and reaches passes. */
    public static HostReach beyond(Policy policy) {
        Map<Point, Action> actions = new EnumMap<>(Point.class);
        actions.put(Point.TASK, Action.STRIP);
        actions.put(Point.MESSAGE, Action.STRIP);
        actions.put(Point.TOOL_ARGUMENTS, Action.BLOCK);
        List<String> seen = policy.files().stream().map(FileGrant::box).toList();
        return new HostReach(
                new HostPathText(new HostPlaces(seen)), new NetworkText(policy.network()), actions);
    }

    /** The same, with something else done at one point. */
    public HostReach at(Point point, Action action) {
        Map<Point, Action> changed = new EnumMap<>(actions);
        changed.put(point, action);
        return new HostReach(paths, network, changed);
    }

    @Override
    public String name() {
        return "host reach";
    }

    @Override
    public Verdict check(Passage passage) {
        Action action = actions.getOrDefault(passage.point(), Action.PASS);
        if (action == Action.PASS) {
            return new Verdict.Pass();
        }
        boolean asks = passage.point() == Point.TASK || passage.point() == Point.MESSAGE;
        List<Stretch> all = new ArrayList<>();
        String text = passage.text();
        for (int round = 0; round < MOST_ROUNDS; round++) {
            Reading reading = Reading.of(text);
            List<Stretch> found = new ArrayList<>(paths.find(reading.text(), asks));
            found.addAll(network.find(reading.text(), asks));
            if (found.isEmpty()) {
                break;
            }
            all.addAll(found);
            text = stripped(text, reading, found);
        }
        if (all.isEmpty()) {
            return new Verdict.Pass();
        }
        String reason = reason(all);
        return action == Action.BLOCK
                ? new Verdict.Blocked("it asks for " + reason)
                : new Verdict.Changed(text, "removed " + reason);
    }

    private static String reason(List<Stretch> found) {
        Map<String, Integer> counts = new LinkedHashMap<>();
        found.forEach(stretch -> counts.merge(stretch.kind(), 1, Integer::sum));
        List<String> words = new ArrayList<>();
        counts.forEach((kind, count) -> words.add(kind + " (" + count + ")"));
        return String.join(", ", words);
    }

    private static String stripped(String text, Reading reading, List<Stretch> found) {
        StringBuilder left = new StringBuilder(text.length());
        int done = 0;
        for (Stretch stretch : sentences(reading.text(), found, isJson(text))) {
            left.append(text, done, reading.origin(stretch.from()));
            left.append(MARKER).append(stretch.kind()).append(']');
            done = reading.origin(stretch.to());
        }
        return left.append(text, done, text.length()).toString();
    }

    private static boolean isJson(String text) {
        String start = text.substring(0, Math.min(text.length(), 64)).strip();
        return start.startsWith("{") || start.startsWith("[") || start.startsWith("\"");
    }

    /** Together: they are as long as their text, however much is found in one of them. */
    private static List<Stretch> sentences(String text, List<Stretch> found, boolean json) {
        List<Stretch> sentences = new ArrayList<>();
        BitSet within = new BitSet();
        for (Stretch stretch : found) {
            if (within.nextClearBit(stretch.from()) < stretch.to()) {
                Stretch sentence = sentence(text, stretch, json);
                within.set(sentence.from(), sentence.to());
                sentences.add(sentence);
            }
        }
        return Stretch.apart(sentences);
    }

    private static Stretch sentence(String text, Stretch stretch, boolean json) {
        int from = stretch.from();
        int least = Math.max(0, from - LONGEST_SENTENCE);
        while (from > least && !isEnd(text, from - 1, json)) {
            from--;
        }
        while (from < stretch.from() && text.charAt(from) == ' ') {
            from++;
        }
        int to = stretch.to();
        int most = Math.min(text.length(), to + LONGEST_SENTENCE);
        while (to < most && !isEnd(text, to, json)) {
            to++;
        }
        return new Stretch(from, to, stretch.kind());
    }

    private static boolean isEnd(String text, int at, boolean json) {
        char c = text.charAt(at);
        if (c == '\n' || c == '\r' || c == ']' || (json && c == '"')) {
            return true;
        }
        boolean stop = c == '.' || c == '!' || c == '?' || c == ';';
        return stop && (at + 1 == text.length() || text.charAt(at + 1) == ' ');
    }
}
