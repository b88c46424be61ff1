package dev.glovebox.agent;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** A part of a text, and what it is. */
record Stretch(int from, int to, String kind) {

    /** Those that overlap as one, which is what the first of them in the list is. */
    static List<Stretch> apart(List<Stretch> stretches) {
        List<Ranked> ranked = new ArrayList<>();
        for (Stretch stretch : stretches) {
            ranked.add(new Ranked(stretch, ranked.size()));
        }
        ranked.sort(Comparator.comparingInt(one -> one.stretch.from));
        List<Ranked> apart = new ArrayList<>();
        for (Ranked next : ranked) {
            if (!apart.isEmpty() && next.stretch.from < apart.getLast().stretch.to) {
                apart.add(apart.removeLast().and(next));
            } else {
                apart.add(next);
            }
        }
        return apart.stream().map(Ranked::stretch).toList();
    }

    private record Ranked(Stretch stretch, int rank) {

        Ranked and(Ranked other) {
            int to = Math.max(stretch.to, other.stretch.to);
            Ranked first = rank < other.rank ? this : other;
            return new Ranked(new Stretch(stretch.from, to, first.stretch.kind), first.rank);
        }
    }
}
