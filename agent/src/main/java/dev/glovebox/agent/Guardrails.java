package dev.glovebox.agent;

import dev.glovebox.agent.Guardrail.Passage;
import dev.glovebox.agent.Guardrail.Point;
import dev.glovebox.agent.Guardrail.Verdict;
import dev.glovebox.sandbox.Policy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Guardrails in order, each of which sees what those before it left.
 *
 * <p>They fail closed: a guardrail that throws blocks the text. Immutable.
 */
public final class Guardrails {

    private static final Logger LOG = LoggerFactory.getLogger(Guardrails.class);

    /** In characters; what is longer is blocked unseen, since nobody can look at it in time. */
    static final int LONGEST = 16 << 20;

    private static final int LONGEST_REASON = 200;
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9 ._-]{0,63}");
    private static final Guardrails NONE = new Guardrails(List.of());

    private final List<Guardrail> list;

    private Guardrails(List<Guardrail> list) {
        this.list = List.copyOf(list);
        for (Guardrail guardrail : list) {
            if (!NAME.matcher(guardrail.name()).matches()) {
                throw new IllegalArgumentException(
                        "A guardrail is named by up to 64 letters, digits, spaces and ._-");
            }
        }
    }

    /** Lets everything pass. */
    public static Guardrails none() {
        return NONE;
    }

    public static Guardrails of(List<Guardrail> list) {
        return new Guardrails(list);
    }

    /** The shipped ones, for agents whose boxes may reach nothing. */
    public static Guardrails standard() {
        return standard(Policy.denyAll());
    }

    /** The shipped ones, for agents whose boxes follow a policy. */
    public static Guardrails standard(Policy policy) {
        return of(List.of(secrets(), HostReach.beyond(policy), SizeLimits.standard(), injection()));
    }

    /** Replaces keys, tokens and passwords. */
    public static Guardrail secrets() {
        return new Secrets();
    }

    /** Fences results of tools, and messages, that speak to the model rather than to the point. */
    public static Guardrail injection() {
        return new Injection(false);
    }

    /** Fences every result of a tool and every message, as data. */
    public static Guardrail fence() {
        return new Injection(true);
    }

    /**
     * Blocks what a pattern is found in, also when it is written with invisible characters, escapes
     * or letters that look alike. A pattern that takes too long blocks as well.
     */
    public static Guardrail deny(String name, Pattern pattern) {
        return new Denied(name, pattern);
    }

    /**
     * These, and one more after them.
     *
     * @param points where it is asked; none: everywhere
     */
    public Guardrails with(Guardrail guardrail, Point... points) {
        Set<Point> where = EnumSet.allOf(Point.class);
        if (points.length > 0) {
            where.retainAll(Arrays.asList(points));
        }
        return of(Stream.concat(list.stream(), Stream.of(new Placed(guardrail, where))).toList());
    }

    /** All of several, in order. */
    static Guardrails joined(List<Guardrails> several) {
        return of(several.stream().flatMap(one -> one.list.stream()).toList());
    }

    /** A guardrail that is asked at some points only. */
    private record Placed(Guardrail guardrail, Set<Point> points) implements Guardrail {

        @Override
        public String name() {
            return guardrail.name();
        }

        @Override
        public Verdict check(Passage passage) {
            return points.contains(passage.point()) ? guardrail.check(passage) : new Verdict.Pass();
        }
    }

    boolean isEmpty() {
        return list.isEmpty();
    }

    /** Asks each, until one blocks the text. Never throws. */
    public Guarded check(Passage passage) {
        if (list.isEmpty()) {
            return new Guarded(passage.text(), List.of(), Optional.empty());
        }
        List<Finding> findings = new ArrayList<>();
        String text = passage.text();
        for (Guardrail guardrail : list) {
            Passage next = new Passage(passage.point(), passage.agent(), passage.what(), text);
            Finding finding;
            switch (verdict(guardrail, next)) {
                case Verdict.Pass _ -> finding = finding(guardrail, next, Finding.Verdict.PASS, "");
                case Verdict.Changed(String changed, String reason) -> {
                    text = changed;
                    finding = finding(guardrail, next, Finding.Verdict.CHANGED, reason);
                }
                case Verdict.Blocked(String reason) -> {
                    finding = finding(guardrail, next, Finding.Verdict.BLOCKED, reason);
                    findings.add(finding);
                    String why = guardrail.name() + ": " + finding.reason();
                    return new Guarded("", findings, Optional.of(why));
                }
            }
            findings.add(finding);
        }
        return new Guarded(text, findings, Optional.empty());
    }

    private static Finding finding(
            Guardrail guardrail, Passage passage, Finding.Verdict verdict, String reason) {
        return new Finding(
                guardrail.name(), passage.point(), verdict, Excerpt.line(reason, LONGEST_REASON));
    }

    private static Verdict verdict(Guardrail guardrail, Passage passage) {
        if (passage.text().length() > LONGEST) {
            return new Verdict.Blocked("it is longer than %,d characters".formatted(LONGEST));
        }
        try {
            return Objects.requireNonNull(guardrail.check(passage));
        } catch (BoundedPattern.TooCostly e) {
            return new Verdict.Blocked("it takes too long to look at");
        } catch (RuntimeException | LinkageError | AssertionError | StackOverflowError e) {
            // Without its message, which may hold what it looked at.
            LOG.warn("The guardrail {} failed: {}", guardrail.name(), e.getClass().getName());
            return new Verdict.Blocked("the guardrail failed");
        }
    }
}
