package dev.glovebox.agent;

import dev.glovebox.run.Context;
import dev.glovebox.run.EffectFailed;

/**
 * What was learned from tasks before, for a node that asks and adds to it: both are recorded, and
 * in a replay come from the record.
 *
 * @param agent who asks
 */
public record Experience(Memory memory, String agent) {

    /**
     * The episodes most like this one, as a model reads them: as data, between marks.
     *
     * @return empty if there are none, or the memory does not answer
     */
    public String similar(String task, String error, int most, Context context) {
        try {
            Recall.Found found = context.perform(Recall.episodes(memory, task, error, most, agent));
            return found.episodes().isEmpty() ? "" : Recollection.ofEpisodes(found.episodes());
        } catch (EffectFailed e) {
            return "";
        }
    }

    /** Learns from one; a memory that does not answer is noted, and stops nobody. */
    public void learn(Episode episode, Context context) {
        try {
            var _ = context.perform(Remember.episode(memory, episode, agent));
        } catch (EffectFailed e) {
            context.note("The episode was not kept");
        }
    }
}
