package dev.glovebox.agent;

import com.fasterxml.jackson.databind.JsonNode;
import dev.glovebox.sandbox.Policy;
import dev.glovebox.sandbox.Program;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/** Makes validators. What they say is bounded, however long the answer is. */
public final class Validators {

    private static final int LONGEST_QUOTE = 200;
    private static final int LONGEST_PROBLEM = 2_000;

    private Validators() {}

    /**
     * The answer must be JSON that follows a schema (draft 2020-12, unless it says otherwise);
     * there may be a fence around it.
     *
     * @throws IllegalArgumentException if it is no schema, or refers to another document: none is
     *     fetched
     */
    public static Validator jsonSchema(JsonNode schema) {
        return new JsonAnswer(schema);
    }

    /** The whole answer must match; a pattern that takes too long does not. */
    public static Validator regex(Pattern pattern) {
        return (answer, _) -> {
            try {
                return BoundedPattern.matches(pattern, answer)
                        ? Optional.empty()
                        : Optional.of(
                                "The answer does not match the regular expression "
                                        + Excerpt.line(pattern.pattern(), LONGEST_QUOTE));
            } catch (BoundedPattern.TooCostly e) {
                return Optional.of(
                        "It takes too long to match the answer with the regular expression "
                                + Excerpt.line(pattern.pattern(), LONGEST_QUOTE)
                                + "; give a shorter one");
            }
        };
    }

    /**
     * A program must exit with 0 in a fresh box. It gets the answer as its standard input, and as
     * the file {@code answer} in the directory that it starts in. What it prints goes back to the
     * model.
     *
     * @param check without standard input of its own
     */
    public static Validator program(Policy policy, Program check) {
        return program(policy, Wall.fastest(), check);
    }

    /** The same behind a wall of your choice. */
    public static Validator program(Policy policy, Wall wall, Program check) {
        return new ProgramValidator(policy, wall, check);
    }

    /**
     * The answer must keep a rule, which follows from it alone.
     *
     * @param name what it demands, for the model to read
     */
    public static Validator rule(String name, Predicate<String> rule) {
        return (answer, _) ->
                rule.test(answer)
                        ? Optional.empty()
                        : Optional.of(
                                "The answer breaks the rule: " + Excerpt.line(name, LONGEST_QUOTE));
    }

    /**
     * The answer must be a record that is right. What it leaves out has its default; an answer that
     * does not follow the schema of the record is not given to the function.
     *
     * @param problem what is wrong with it, for the model to read; empty if nothing is
     * @throws IllegalArgumentException if there is no schema for the record
     */
    public static <T extends Record> Validator record(
            Class<T> type, Function<T, Optional<String>> problem) {
        RecordAnswer<T> record = new RecordAnswer<>(type);
        return (answer, _) -> {
            try {
                return problem.apply(record.read(answer));
            } catch (IllegalArgumentException e) {
                return Optional.of(Excerpt.bytes(String.valueOf(e.getMessage()), LONGEST_PROBLEM));
            }
        };
    }

    /** The answer must satisfy all; the first one that is not satisfied says why. */
    public static Validator all(Validator... validators) {
        List<Validator> list = List.of(validators);
        return (answer, context) -> {
            for (Validator validator : list) {
                Optional<String> problem = validator.problem(answer, context);
                if (problem.isPresent()) {
                    return problem;
                }
            }
            return Optional.empty();
        };
    }
}
