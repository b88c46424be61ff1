package dev.glovebox.agent;

import com.fasterxml.jackson.databind.JsonNode;

/** A schema that a value is held against with its defaults filled in. */
record FilledSchema(SchemaDefaults defaults, SchemaCheck check) {

    /** One of anybody. */
    static FilledSchema of(JsonNode source) {
        return new FilledSchema(SchemaDefaults.of(source), new SchemaCheck(source));
    }

    /** One that was made of Java types. */
    static FilledSchema ofTypes(JsonNode source) {
        return new FilledSchema(SchemaDefaults.of(source), SchemaCheck.ofTypes(source));
    }

    /**
     * Fills in what a value leaves out.
     *
     * @return what is wrong with it then; nothing if it fits
     */
    JsonProblems fill(JsonNode value) {
        return defaults.fill(value).map(JsonProblems::of).orElseGet(() -> check.problems(value));
    }
}
