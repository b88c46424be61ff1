package dev.glovebox.coder;

import dev.glovebox.agent.Excerpt;
import dev.glovebox.sandbox.Language;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The program in a model's answer: anything may be in it, so nothing of it is used before all of it
 * was looked at.
 */
record AnswerProgram(
        List<AnswerFile> files, String entry, List<String> dependencies, List<String> arguments) {

    private static final int MOST_FILES = 50;
    private static final int MOST_BYTES = 128 * 1024;
    private static final int MOST_ARGUMENTS = 50;
    private static final int LONGEST_ARGUMENT = 1_000;
    private static final int LONGEST_PATH = 200;
    private static final int LONGEST_NAME = 100;
    private static final int DEEPEST = 8;
    private static final int LONGEST_QUOTE = 80;

    private static final String FENCE = "```";

    /**
     * What is wrong with it, for the model to read.
     *
     * @param before files that are there as well, unless these replace them
     */
    Optional<String> problem(Language language, Map<String, String> before) {
        if (files.size() > MOST_FILES) {
            return Optional.of("There may be at most %d files".formatted(MOST_FILES));
        }
        long bytes =
                files.stream()
                        .mapToLong(file -> file.text().getBytes(StandardCharsets.UTF_8).length)
                        .sum();
        if (bytes > MOST_BYTES) {
            return Optional.of(
                    "The files have %,d bytes together; at most %,d are taken"
                            .formatted(bytes, MOST_BYTES));
        }
        List<String> problems = new ArrayList<>(names(before));
        if (problems.isEmpty()) {
            problems.addAll(run(language, before));
            problems.addAll(AnswerDependencies.problems(language, dependencies));
            problems.addAll(Completeness.problems(language, texts(language)));
        }
        return problems.isEmpty()
                ? Optional.empty()
                : Optional.of(
                        "This program cannot be used:\n- "
                                + String.join("\n- ", problems)
                                + "\nGive the whole answer again, with every file complete.");
    }

    private List<String> names(Map<String, String> before) {
        List<String> problems = new ArrayList<>();
        Map<String, String> known = new LinkedHashMap<>();
        for (AnswerFile file : files) {
            nameProblem(file.name())
                    .ifPresent(wanted ->
                            problems.add(
                                    "The file name '%s' is refused: expected is %s"
                                            .formatted(
                                                    Excerpt.line(file.name(), LONGEST_QUOTE),
                                                    wanted)));
            if (known.put(file.name(), "") != null) {
                problems.add(
                        "There are two files '%s'"
                                .formatted(Excerpt.line(file.name(), LONGEST_QUOTE)));
            }
        }
        known.putAll(before);
        for (String name : known.keySet()) {
            for (int slash = name.indexOf('/'); slash > 0; slash = name.indexOf('/', slash + 1)) {
                if (known.containsKey(name.substring(0, slash))) {
                    problems.add(
                            "'%s' cannot be a file and a directory"
                                    .formatted(Excerpt.line(name, LONGEST_QUOTE)));
                }
            }
        }
        return problems.subList(0, Math.min(problems.size(), 10));
    }

    private static Optional<String> nameProblem(String name) {
        List<String> parts = List.of(name.split("/", -1));
        if (name.isBlank() || name.startsWith("/")) {
            return Optional.of("a relative path such as data/in.csv");
        }
        if (parts.contains("") || parts.contains(".") || parts.contains("..")) {
            return Optional.of("a path without '.', '..' and empty parts");
        }
        if (name.codePoints().anyMatch(point -> "\\:".indexOf(point) >= 0)
                || !name.codePoints().allMatch(Excerpt::isSeen)) {
            return Optional.of("a path without backslashes, colons and control characters");
        }
        boolean longer =
                name.getBytes(StandardCharsets.UTF_8).length > LONGEST_PATH
                        || parts.size() > DEEPEST
                        || parts.stream()
                                .anyMatch(part ->
                                        part.getBytes(StandardCharsets.UTF_8).length
                                                > LONGEST_NAME);
        return longer ? Optional.of("a shorter path") : Optional.empty();
    }

    private List<String> run(Language language, Map<String, String> before) {
        List<String> problems = new ArrayList<>();
        if (files.stream().noneMatch(file -> file.name().equals(entry))
                && !before.containsKey(entry)) {
            problems.add(
                    "There is no file '%s' to be run: 'entry' is the name of one of the files"
                            .formatted(Excerpt.line(entry, LONGEST_QUOTE)));
        }
        boolean known = before.containsKey(entry);
        if (entry.startsWith("-") || !(known || Completeness.isCode(language, entry))) {
            problems.add("The entry must be named like " + language.filename());
        }
        boolean odd =
                arguments.size() > MOST_ARGUMENTS
                        || arguments.stream()
                                .anyMatch(word ->
                                        word.length() > LONGEST_ARGUMENT
                                                || word.indexOf('\0') >= 0
                                                || !StandardCharsets.UTF_8
                                                        .newEncoder()
                                                        .canEncode(word));
        if (odd) {
            problems.add(
                    "There may be %d arguments of %d characters"
                            .formatted(MOST_ARGUMENTS, LONGEST_ARGUMENT));
        }
        return problems;
    }

    private SortedMap<String, String> texts(Language language) {
        SortedMap<String, String> texts = new TreeMap<>();
        for (AnswerFile file : files) {
            boolean code = Completeness.isCode(language, file.name()) || file.name().equals(entry);
            texts.put(file.name(), code ? unfenced(file.text()) : file.text());
        }
        return texts;
    }

    /** Without the Markdown fence around it; one that is not closed stays, for it is unfinished. */
    static String unfenced(String text) {
        String all = text.strip();
        int from = all.indexOf('\n');
        int to = all.lastIndexOf('\n');
        boolean fenced =
                all.startsWith(FENCE)
                        && from > 0
                        && from <= to
                        && all.substring(to + 1).strip().equals(FENCE);
        return fenced ? all.substring(from + 1, Math.max(from + 1, to + 1)) : text;
    }

    /** The program, which has no problem. */
    CodeArtifact artifact(Language language, Map<String, String> before) {
        SortedMap<String, String> all = new TreeMap<>(before);
        all.putAll(texts(language));
        return new CodeArtifact(language, all, entry, dependencies, arguments);
    }
}
