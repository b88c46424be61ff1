package dev.glovebox.agent;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.List;

/**
 * A fact or an episode as it is kept.
 *
 * @param text by which it is found
 * @param parts all of its texts but the source
 * @param source of a fact; of an episode the run
 */
record Memento(Kind kind, String text, List<String> parts, String source) {

    enum Kind {
        FACT,
        EPISODE
    }

    static Memento of(Fact fact) {
        return new Memento(Kind.FACT, fact.text(), List.of(fact.text()), fact.source());
    }

    static Memento of(Episode episode) {
        return new Memento(
                Kind.EPISODE,
                compared(episode.task(), episode.error()),
                List.of(episode.task(), episode.error(), episode.fix(), episode.outcome()),
                episode.run());
    }

    static String compared(String task, String error) {
        return error.isBlank() ? task : task + "\n" + error;
    }

    Fact fact() {
        return new Fact(text, source);
    }

    Episode episode() {
        return new Episode(parts.get(0), parts.get(1), parts.get(2), parts.get(3), source);
    }

    /** The same for what is merged into one. */
    byte[] digest() {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            digest.update(kind.name().getBytes(StandardCharsets.UTF_8));
            for (String part : parts) {
                byte[] bytes = part.strip().getBytes(StandardCharsets.UTF_8);
                digest.update((bytes.length + ":").getBytes(StandardCharsets.UTF_8));
                digest.update(bytes);
            }
            return digest.digest();
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError(e); // every JDK has it
        }
    }
}
