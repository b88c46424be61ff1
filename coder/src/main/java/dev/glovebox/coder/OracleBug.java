package dev.glovebox.coder;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** A mistake that is made in a correct program, always the same in the same program. */
enum OracleBug {
    /** An import is lost. */
    IMPORT {
        @Override
        Optional<String> in(String prompt, String solution) {
            return last(Pattern.compile("(?m)^(?:from \\w+ )?import [\\w, ]+\\n"), prompt)
                    .map(found -> cut(prompt, found) + solution);
        }
    },
    /** A variable is misspelt where it is used for the last time. */
    NAME {
        @Override
        Optional<String> in(String prompt, String solution) {
            List<String> names = new ArrayList<>();
            Pattern.compile("(?m)^ +(\\w{4,}) =|for (\\w{4,}) in")
                    .matcher(solution)
                    .results()
                    .forEach(found ->
                            names.add(found.group(1) == null ? found.group(2) : found.group(1)));
            return names.stream()
                    .flatMap(name ->
                            last(Pattern.compile("\\b" + name + "\\b(?! *=[^=])(?! in )"), solution)
                                    .stream())
                    .findFirst()
                    .map(found ->
                            prompt
                                    + solution.substring(0, found.end() - 2)
                                    + solution.charAt(found.end() - 1)
                                    + solution.charAt(found.end() - 2)
                                    + solution.substring(found.end()));
        }
    },
    /** The colon at the end of a line is lost. */
    COLON {
        @Override
        Optional<String> in(String prompt, String solution) {
            return last(Pattern.compile("(?m):(?= *$)"), solution)
                    .map(found -> prompt + cut(solution, found));
        }
    },
    /** The bracket at the end of a line is lost. */
    BRACKET {
        @Override
        Optional<String> in(String prompt, String solution) {
            return last(Pattern.compile("(?m)[)\\]](?=:? *$)"), solution)
                    .map(found -> prompt + cut(solution, found));
        }
    },
    /** A loop goes one too far. */
    RANGE {
        @Override
        Optional<String> in(String prompt, String solution) {
            return last(Pattern.compile("range\\((?:[^()]|\\([^()]*\\))*\\)"), solution)
                    .map(found ->
                            prompt
                                    + solution.substring(0, found.end() - 1)
                                    + " + 1"
                                    + solution.substring(found.end() - 1));
        }
    };

    /** The broken program; empty: it has no place for this mistake. */
    abstract Optional<String> in(String prompt, String solution);

    /**
     * Breaks a program.
     *
     * @param number of the problem: one after the other gets another mistake
     */
    static CodeArtifact broken(CorpusTask task, int number) {
        CodeArtifact right = task.oracle();
        for (int i = 0; i < values().length; i++) {
            Optional<String> broken =
                    values()[(number + i) % values().length]
                            .in(task.prompt(), task.solution())
                            .filter(text -> !text.equals(right.source()));
            if (broken.isPresent()) {
                return right.source(broken.get());
            }
        }
        return right.source(task.prompt() + task.solution().stripTrailing() + ")\n");
    }

    private static Optional<MatchResult> last(Pattern pattern, String text) {
        return pattern.matcher(text).results().reduce((before, found) -> found);
    }

    private static String cut(String text, MatchResult found) {
        return text.substring(0, found.start()) + text.substring(found.end());
    }
}
