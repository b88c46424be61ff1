package dev.glovebox.coder;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.StringTokenizer;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Of recipes about texts. */
final class TextOracles {

    private TextOracles() {}

    static void into(Map<String, Oracle> all) {
        all.put("word-count", TextOracles::wordCount);
        all.put("letter-count", TextOracles::letterCount);
        all.put("palindrome", TextOracles::palindrome);
        all.put("anagram", TextOracles::anagram);
        all.put("text-transform", TextOracles::transform);
        all.put("levenshtein", TextOracles::levenshtein);
        all.put("brackets", TextOracles::brackets);
    }

    private static void wordCount(JsonNode inputs, Printed printed) {
        String lower = inputs.path("text").asText().toLowerCase(Locale.ROOT);
        StringTokenizer words = new StringTokenizer(lower, " ,.;:!?\"()");
        Map<String, Integer> counts = new TreeMap<>();
        int all = 0;
        while (words.hasMoreTokens()) {
            counts.merge(words.nextToken(), 1, Integer::sum);
            all++;
        }
        assertThat(printed.after("Words:")).isEqualTo(String.valueOf(all));
        assertThat(printed.after("Different words:")).isEqualTo(String.valueOf(counts.size()));
        counts.forEach(
                (word, count) -> assertThat(printed.after(word + ":")).isEqualTo(count.toString()));
    }

    private static void letterCount(JsonNode inputs, Printed printed) {
        String lower = inputs.path("text").asText().toLowerCase(Locale.ROOT);
        int letters = lower.replaceAll("[^a-z]", "").length();
        int vowels = lower.replaceAll("[^aeiou]", "").length();
        assertThat(printed.after("Letters:")).isEqualTo(String.valueOf(letters));
        assertThat(printed.after("Vowels:")).isEqualTo(String.valueOf(vowels));
        for (char letter = 'a'; letter <= 'z'; letter++) {
            int count = lower.length() - lower.replace(String.valueOf(letter), "").length();
            if (count > 0) {
                assertThat(printed.after(letter + ":")).isEqualTo(String.valueOf(count));
            }
        }
    }

    private static String plain(JsonNode text) {
        return text.asText().toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]", "");
    }

    private static void palindrome(JsonNode inputs, Printed printed) {
        String letters = plain(inputs.path("text"));
        boolean same = new StringBuilder(letters).reverse().toString().equals(letters);
        assertThat(printed.text()).contains(same ? "\" is a" : "\" is not a");
    }

    private static void anagram(JsonNode inputs, Printed printed) {
        Map<Integer, Long> first = histogram(plain(inputs.path("first")));
        Map<Integer, Long> second = histogram(plain(inputs.path("second")));
        assertThat(printed.text()).contains(first.equals(second) ? "are ana" : "are not ana");
    }

    private static Map<Integer, Long> histogram(String text) {
        return text.chars().boxed().collect(Collectors.groupingBy(c -> c, Collectors.counting()));
    }

    private static void transform(JsonNode inputs, Printed printed) {
        String text = inputs.path("text").asText();
        String result = printed.after("Result:");
        List<String> words = List.of(text.split("[^A-Za-z0-9]+"));
        switch (inputs.path("operation").asText()) {
            case "reverse" ->
                    assertThat(result).isEqualTo(new StringBuilder(text).reverse().toString());
            case "reverse-words" ->
                    assertThat(List.of(result.split(" ")).reversed())
                            .isEqualTo(List.of(text.split(" ")));
            case "upper" -> assertThat(result).isEqualTo(text.toUpperCase(Locale.ROOT));
            case "lower" -> assertThat(result).isEqualTo(text.toLowerCase(Locale.ROOT));
            case "title" -> {
                assertThat(result).isEqualToIgnoringCase(text);
                assertThat(Arrays.stream(result.split(" ")))
                        .allMatch(word -> word.matches("[A-Z][^A-Z]*"));
            }
            case "snake" ->
                    assertThat(result).isEqualTo(String.join("_", words).toLowerCase(Locale.ROOT));
            default ->
                    assertThat(result)
                            .isEqualToIgnoringCase(String.join("", words))
                            .matches("[a-z0-9]+([A-Z][a-z0-9]*)*");
        }
    }

    private static void levenshtein(JsonNode inputs, Printed printed) {
        String first = inputs.path("first").asText();
        String second = inputs.path("second").asText();
        assertThat(printed.lines().getFirst())
                .endsWith(": " + distance(first, second, new TreeMap<>()));
    }

    /** By recursion, from the front. */
    private static int distance(String one, String other, Map<String, Integer> known) {
        String key = one + "\n" + other;
        Integer before = known.get(key);
        if (before != null) {
            return before;
        }
        int result;
        if (one.isEmpty() || other.isEmpty()) {
            result = one.length() + other.length();
        } else if (one.charAt(0) == other.charAt(0)) {
            result = distance(one.substring(1), other.substring(1), known);
        } else {
            int shorter = distance(one.substring(1), other, known);
            int longer = distance(one, other.substring(1), known);
            int replaced = distance(one.substring(1), other.substring(1), known);
            result = 1 + Math.min(replaced, Math.min(shorter, longer));
        }
        known.put(key, result);
        return result;
    }

    /** What is balanced vanishes when pairs are removed. */
    private static void brackets(JsonNode inputs, Printed printed) {
        String left = inputs.path("text").asText().replaceAll("[^()\\[\\]{}]", "");
        for (int i = left.length(); i >= 0; i--) {
            left = left.replace("()", "").replace("[]", "").replace("{}", "");
        }
        assertThat(printed.after("Balanced:")).startsWith(left.isEmpty() ? "yes" : "no");
    }
}
