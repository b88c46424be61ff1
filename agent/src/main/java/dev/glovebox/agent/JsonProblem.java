package dev.glovebox.agent;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * Something wrong with JSON that a model wrote.
 *
 * @param field a JSON pointer; empty: all of it
 */
record JsonProblem(String field, String expected, String got) {

    private static final int LONGEST_FIELD = 200;
    private static final int LONGEST_EXPECTED = 300;
    private static final int LONGEST_GOT = 80;

    JsonProblem {
        field = Excerpt.line(field, LONGEST_FIELD);
        expected = Excerpt.line(expected, LONGEST_EXPECTED);
        got = Excerpt.line(got, LONGEST_GOT);
    }

    static JsonProblem of(String field, String expected, JsonNode got) {
        return new JsonProblem(field, expected, words(got));
    }

    // Of something large only the kind: to write it out takes longer than all the rest.
    private static String words(JsonNode got) {
        return switch (got.getNodeType()) {
            case OBJECT -> "an object with " + got.size() + " fields";
            case ARRAY -> "an array of " + got.size();
            case MISSING -> "nothing";
            case STRING ->
                    got.textValue().length() > LONGEST_GOT
                            ? "a text of " + got.textValue().length() + " characters"
                            : got.toString();
            case NULL, BOOLEAN, NUMBER, BINARY, POJO -> got.toString();
        };
    }
}
