package dev.glovebox.agent;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.glovebox.agent.Guardrail.Passage;
import dev.glovebox.agent.Guardrail.Point;
import dev.glovebox.run.Context;
import dev.glovebox.run.Failure;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** Texts of one agent that its guardrails look at, and what they said of all of them. */
final class Inspection {

    /** No more of a failure is recorded, and what was not recorded must not be told either. */
    private static final int LONGEST_FAILURE = 2_000;

    private static final String ERROR = "error";

    /** Codes are read by programs: what guardrails would make of one is none. */
    private static final Pattern CODE = Pattern.compile("[a-z-]{1,40}");

    private final Guardrails guardrails;
    private final String agent;
    private final List<Finding> findings = new ArrayList<>();

    Inspection(Guardrails guardrails, String agent) {
        this.guardrails = guardrails;
        this.agent = agent;
    }

    /**
     * Looks at a text.
     *
     * @param what the tool, where there is one
     */
    Guarded look(Point point, String what, String text) {
        Guarded guarded = guardrails.check(new Passage(point, agent, what, text));
        findings.addAll(guarded.findings());
        return guarded;
    }

    /** A text as it may go on; of one that may not, why. */
    String told(Point point, String what, String text) {
        Guarded guarded = look(point, what, text);
        return guarded.blocked().map(why -> "[withheld: " + why + "]").orElse(guarded.text());
    }

    /**
     * A failure whose words may be recorded, where nobody can redact them, and told. What else it
     * brings for its record has not been looked at, and is left out.
     */
    Failure failure(Point point, String what, Throwable cause) {
        Failure raw = cause instanceof Failure known ? known : unexpected(cause);
        if (guardrails.isEmpty()) {
            return raw;
        }
        String words =
                Excerpt.ends(told(point, what, String.valueOf(raw.getMessage())), LONGEST_FAILURE);
        String code = CODE.matcher(raw.code()).matches() ? raw.code() : ERROR;
        Failure guarded =
                raw.isPassing()
                        ? raw.after()
                                .map(after -> Failure.passing(code, words, after))
                                .orElseGet(() -> Failure.passing(code, words))
                        : Failure.lasting(code, words);
        Failure told =
                guarded.details(JsonNodeFactory.instance.objectNode().set(Finding.DETAILS, json()));
        Failure whole = raw.used().map(told::used).orElse(told);
        return Begun.told(raw).map(usage -> Begun.in(whole, usage)).orElse(whole);
    }

    private static Failure unexpected(Throwable cause) {
        String kind = cause.getClass().getSimpleName();
        String message = cause.getMessage();
        return Failure.lasting(ERROR, message == null ? kind : kind + ": " + message);
    }

    /** What the guardrails said, each thing once: of a long discussion it would be much. */
    List<Finding> findings() {
        return findings.stream().distinct().toList();
    }

    /** Puts on record what they said. */
    void note(Context context) {
        Finding.sentences(findings).forEach(context::note);
    }

    /** What they said, for the details of a record. */
    ArrayNode json() {
        return Finding.json(findings);
    }
}
