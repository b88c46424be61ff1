package dev.glovebox.coder;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonTypeName;

/** What must be true of what a program did. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
@JsonSubTypes({
    @JsonSubTypes.Type(Check.Exits.class),
    @JsonSubTypes.Type(Check.Matches.class),
    @JsonSubTypes.Type(Check.Prints.class),
    @JsonSubTypes.Type(Check.Passes.class)
})
public sealed interface Check {

    /** It ends by itself, with this code. */
    @JsonTypeName("exits")
    record Exits(int code) implements Check {}

    /**
     * Somewhere in what it prints.
     *
     * @param expression a regular expression
     */
    @JsonTypeName("matches")
    record Matches(String expression) implements Check {}

    /** It prints just that; white space at the ends does not count. */
    @JsonTypeName("prints")
    record Prints(String text) implements Check {}

    /**
     * A program of the same language, run instead of the entry and beside all files of the
     * artifact, ends with 0.
     */
    @JsonTypeName("passes")
    record Passes(String filename, String source) implements Check {}
}
