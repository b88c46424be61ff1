package dev.glovebox.coder;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/** Numbers that are written as words, up to the millions. */
final class NumberWords {

    private static final List<String> SMALL =
            List.of(
                    "zero",
                    "one",
                    "two",
                    "three",
                    "four",
                    "five",
                    "six",
                    "seven",
                    "eight",
                    "nine",
                    "ten",
                    "eleven",
                    "twelve",
                    "thirteen",
                    "fourteen",
                    "fifteen",
                    "sixteen",
                    "seventeen",
                    "eighteen",
                    "nineteen");
    private static final List<String> TENS =
            List.of("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety");
    private static final Map<String, Long> SCALES =
            Map.of("hundred", 100L, "thousand", 1_000L, "million", 1_000_000L);
    private static final Map<String, Long> VALUES = values();

    private NumberWords() {}

    private static Map<String, Long> values() {
        Map<String, Long> values = new HashMap<>();
        for (int i = 0; i < SMALL.size(); i++) {
            values.put(SMALL.get(i), (long) i);
        }
        for (int i = 0; i < TENS.size(); i++) {
            values.put(TENS.get(i), (i + 2) * 10L);
        }
        values.put("dozen", 12L);
        return Map.copyOf(values);
    }

    /**
     * A number at the start of some words.
     *
     * @param words how many of them it takes
     */
    record Found(long value, int words) {}

    /** The longest one at the start; of no words if there is none. */
    static Found at(List<String> words) {
        long sum = 0;
        long part = 0;
        int taken = 0;
        long roomBelow = Long.MAX_VALUE;
        for (int i = 0; i < words.size(); i++) {
            String word = words.get(i);
            OptionalLong value = value(word);
            if (value.isPresent() && value.getAsLong() < roomBelow) {
                part += value.getAsLong();
                roomBelow = value.getAsLong() >= 20 && value.getAsLong() % 10 == 0 ? 10 : 0;
            } else if (SCALES.containsKey(word) && (taken > 0 || part > 0 || i == 0)) {
                long scale = SCALES.getOrDefault(word, 1L);
                part = Math.max(part, 1) * scale;
                if (scale > 100) {
                    sum += part;
                    part = 0;
                }
                roomBelow = scale;
            } else if (word.equals("and")
                    && roomBelow >= 100
                    && taken > 0
                    && i + 1 < words.size()
                    && value(words.get(i + 1)).orElse(roomBelow) < roomBelow) {
                continue;
            } else {
                break;
            }
            taken = i + 1;
        }
        return new Found(sum + part, taken);
    }

    private static OptionalLong value(String word) {
        Long value = VALUES.get(word);
        return value == null ? OptionalLong.empty() : OptionalLong.of(value);
    }
}
