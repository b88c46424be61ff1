package dev.glovebox.agent;

import java.time.Instant;
import java.util.List;
import java.util.Map;

/** The memory of one tenant. */
record TenantMemory(String tenant, Memories all) implements Memory {

    /** Of longer questions the middle does not count. */
    private static final int QUESTION_BYTES = 4_000;

    private static final int MOST_FOUND = 100;

    @Override
    public String remember(Fact fact) {
        return keep(Memento.of(fact));
    }

    @Override
    public String learn(Episode episode) {
        return keep(Memento.of(episode));
    }

    private String keep(Memento memento) {
        float[] vector = Vectors.of(all.embedder(), memento.text());
        Instant now = all.clock().instant();
        return all.shelf().keep(tenant, memento, vector, now, all.most());
    }

    @Override
    public List<Recalled<Fact>> recall(String question, int most) {
        return find(Memento.Kind.FACT, question, most).stream()
                .map(found -> found.as(found.memento().fact()))
                .toList();
    }

    @Override
    public List<Recalled<Episode>> similar(String task, String error, int most) {
        return find(Memento.Kind.EPISODE, Memento.compared(task, error), most).stream()
                .map(found -> found.as(found.memento().episode()))
                .toList();
    }

    private List<Shelf.Found> find(Memento.Kind kind, String question, int most) {
        String text = Excerpt.ends(question, QUESTION_BYTES);
        if (text.isBlank() || most < 1) {
            return List.of();
        }
        float[] vector = Vectors.of(all.embedder(), text);
        Map<String, Double> nearest =
                all.index(tenant).search(kind, text, vector, Math.min(most, MOST_FOUND));
        return all.shelf().take(tenant, nearest, all.clock().instant());
    }

    @Override
    public boolean forget(String id) {
        return all.shelf().forget(tenant, id);
    }

    @Override
    public int forgetSource(String source) {
        return all.shelf().forgetSource(tenant, source);
    }

    @Override
    public int forgetBefore(Instant time) {
        return all.shelf().forgetBefore(tenant, time);
    }

    @Override
    public int forgetBeyond(int most) {
        return all.shelf().forgetBeyond(tenant, most);
    }
}
