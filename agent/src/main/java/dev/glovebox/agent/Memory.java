package dev.glovebox.agent;

import java.time.Instant;
import java.util.List;

/**
 * What one tenant has learned: facts and episodes. Used by many threads and processes at once.
 *
 * <p>What is found is never another tenant's. All methods throw {@link dev.glovebox.trace.NotKept}
 * if the store does not answer.
 */
public interface Memory {

    /** Remembers a fact; of the same text again only time, source and number are renewed. */
    String remember(Fact fact);

    /** The facts nearest to a question, by meaning and by word, best first; never over 100. */
    List<Recalled<Fact>> recall(String question, int most);

    /** Remembers an episode; of the same again only time, run and number are renewed. */
    String learn(Episode episode);

    /** The episodes whose task and error are most like these, best first; never over 100. */
    List<Recalled<Episode>> similar(String task, String error, int most);

    /** Forgets one thing; false if there is none with this id. */
    boolean forget(String id);

    /** Forgets all facts of a source, or episodes of a run; says how many. */
    int forgetSource(String source);

    /** Forgets what was remembered last before then; says how many. */
    int forgetBefore(Instant time);

    /** Forgets what was not used for the longest, until no more are left; says how many. */
    int forgetBeyond(int most);
}
