package dev.glovebox.agent;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** A part of a text, and what it is. */
record Span(int from, int to, String kind) {

    /** Those that overlap as one, which is what the first of them in the list is. */
    static List<Span> apart(List<Span> spans) {
        List<Ranked> ranked = new ArrayList<>();
        for (Span span : spans) {
            ranked.add(new Ranked(span, ranked.size()));
        }
        ranked.sort(Comparator.comparingInt(one -> one.span.from));
        List<Ranked> apart = new ArrayList<>();
        for (Ranked next : ranked) {
            if (!apart.isEmpty() && next.span.from < apart.getLast().span.to) {
                apart.add(apart.removeLast().and(next));
            } else {
                apart.add(next);
            }
        }
        return apart.stream().map(Ranked::span).toList();
    }

    private record Ranked(Span span, int rank) {

        Ranked and(Ranked other) {
            int to = Math.max(span.to, other.span.to);
            Ranked first = rank < other.rank ? this : other;
            return new Ranked(new Span(span.from, to, first.span.kind), first.rank);
        }
    }
}
