package dev.glovebox.run.support;

import dev.glovebox.run.Call;
import dev.glovebox.run.Cost;
import dev.glovebox.run.Done;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/** What effects are done to: remembers each performance, and answers as it was told to. */
public final class World {

    /** How something is done there. */
    public interface Deed<A, R> {
        R perform(A arguments, Call call) throws Exception;
    }

    private final List<String> performed = new CopyOnWriteArrayList<>();
    private final Map<String, Integer> counts = new ConcurrentHashMap<>();

    /** An effect of the kind {@code tool}. */
    public <A, R> ScriptedEffect<A, R> tool(
            String name, A arguments, Class<R> result, Deed<A, R> deed) {
        return new ScriptedEffect<>(this, "tool", name, arguments, result, deed);
    }

    /** An effect of any kind. */
    public <A, R> ScriptedEffect<A, R> effect(
            String kind, String name, A arguments, Class<R> result, Deed<A, R> deed) {
        return new ScriptedEffect<>(this, kind, name, arguments, result, deed);
    }

    <A, R> Done<R> perform(A arguments, Call call, Cost used, Deed<A, R> deed) throws Exception {
        performed.add(call.key());
        counts.merge(call.key(), 1, Integer::sum);
        return Done.of(deed.perform(arguments, call), used);
    }

    /** The keys of all performances, in their order. */
    public List<String> performed() {
        return List.copyOf(performed);
    }

    /** How often an effect was performed. */
    public int count(String key) {
        return counts.getOrDefault(key, 0);
    }
}
