package dev.glovebox.sandbox.spi;

import dev.glovebox.sandbox.Channel;
import dev.glovebox.sandbox.Chunk;
import dev.glovebox.sandbox.Output;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * When each piece of output arrived, in bounded memory: what came at the same moment is one mark,
 * and there are no more marks than a reader wants to see.
 */
public final class Timeline {

    private static final int MOST_MARKS = 10_000;
    private static final Duration MERGE = Duration.ofMillis(1);

    private final List<Chunk.Mark> marks = new ArrayList<>();

    /** Takes note of bytes that are shown to a listener. */
    public synchronized void add(Chunk.Mark next) {
        Chunk.Mark last = marks.isEmpty() ? null : marks.getLast();
        boolean sameMoment =
                last != null
                        && last.channel() == next.channel()
                        && next.at().minus(last.at()).compareTo(MERGE) < 0;
        if (last != null && sameMoment) {
            marks.set(
                    marks.size() - 1,
                    new Chunk.Mark(
                            last.channel(),
                            last.at(),
                            last.offset(),
                            last.length() + next.length()));
        } else if (marks.size() < MOST_MARKS) {
            marks.add(next);
        }
    }

    /** The marks that are on bytes which were kept. */
    public synchronized List<Chunk.Mark> kept(Output stdout, Output stderr) {
        return marks.stream()
                .flatMap(mark -> kept(mark, mark.channel() == Channel.STDOUT ? stdout : stderr))
                .toList();
    }

    /** The part of a mark that is on bytes of the head. */
    private static Stream<Chunk.Mark> kept(Chunk.Mark mark, Output output) {
        long room = output.head().length - mark.offset();
        return room <= 0
                ? Stream.empty()
                : Stream.of(
                        new Chunk.Mark(
                                mark.channel(),
                                mark.at(),
                                mark.offset(),
                                (int) Math.min(mark.length(), room)));
    }
}
