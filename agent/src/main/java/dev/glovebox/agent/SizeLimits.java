package dev.glovebox.agent;

import java.util.EnumMap;
import java.util.Map;

/**
 * Bounds how long texts are: of replies and results the middle is left out, with a note; what would
 * make no sense without its middle is blocked. A fence around a text is not counted.
 */
public final class SizeLimits implements Guardrail {

    /** In characters, for each point. */
    private static final int STANDARD = 1 << 20;

    /** What the note may take. */
    private static final int ROOM = 64;

    private static final int LEAST = 1024;

    /** How far a better place to cut is looked for. */
    private static final int LOOK = 256;

    private final Map<Point, Integer> limits;

    private SizeLimits(Map<Point, Integer> limits) {
        this.limits = limits;
    }

    /** A million characters everywhere. */
    public static SizeLimits standard() {
        Map<Point, Integer> limits = new EnumMap<>(Point.class);
        for (Point point : Point.values()) {
            limits.put(point, STANDARD);
        }
        return new SizeLimits(limits);
    }

    /**
     * The same, with another limit at one point.
     *
     * @throws IllegalArgumentException if it leaves no room for a note
     */
    public SizeLimits at(Point point, int characters) {
        if (characters < LEAST) {
            throw new IllegalArgumentException(
                    "A text may not be limited to less than %,d characters".formatted(LEAST));
        }
        Map<Point, Integer> changed = new EnumMap<>(limits);
        changed.put(point, characters);
        return new SizeLimits(changed);
    }

    @Override
    public String name() {
        return "size";
    }

    @Override
    public Verdict check(Passage passage) {
        String text = passage.text();
        int limit = limits.getOrDefault(passage.point(), STANDARD);
        if (text.length() - Injection.fenceLength(text) <= limit) {
            return new Verdict.Pass();
        }
        String size = "%,d characters, of %,d allowed".formatted(text.length(), limit);
        return switch (passage.point()) {
            case TASK, MESSAGE, TOOL_ARGUMENTS -> new Verdict.Blocked("it has " + size);
            case REPLY, TOOL_RESULT ->
                    new Verdict.Changed(cut(text, limit - ROOM), "it had " + size);
        };
    }

    private static String cut(String text, int size) {
        int head = between(text, size / 2, -1);
        int tail = between(text, text.length() - size / 2, 1);
        return "%s\n[%,d characters left out]\n%s"
                .formatted(text.substring(0, head), tail - head, text.substring(tail));
    }

    /** A place between two words, or at least not within a character. */
    private static int between(String text, int near, int step) {
        for (int i = 0; i < LOOK; i++) {
            if (Character.isWhitespace(text.charAt(near + i * step))) {
                return near + i * step;
            }
        }
        return Character.isLowSurrogate(text.charAt(near)) ? near + step : near;
    }
}
