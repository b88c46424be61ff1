package dev.glovebox.coder;

import dev.glovebox.agent.Embedder;
import dev.glovebox.agent.Episode;
import dev.glovebox.agent.Fact;
import dev.glovebox.agent.Memories;
import dev.glovebox.agent.Memory;
import dev.glovebox.agent.Recalled;
import dev.glovebox.sandbox.Home;
import dev.glovebox.trace.NotKept;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * What debuggers of a user have learned from repairs, in a file beside the traces. It is not opened
 * before somebody asks, and a replay asks nothing.
 */
public final class CoderMemory implements Memory {

    private static final String TENANT = "coder";

    // A hint is not worth more, and whoever asks tries it four times.
    private static final Duration PATIENCE = Duration.ofMillis(500);

    private final Path file;

    private CoderMemory(Path file) {
        this.file = file;
    }

    /** That of a user, by {@code GLOVEBOX_HOME}. */
    public static CoderMemory of(Map<String, String> environment) {
        return new CoderMemory(Home.of(environment).resolve("memory.db"));
    }

    /**
     * Learns from a run that has ended: what went wrong before its last attempt, if that was good.
     *
     * @throws NotKept if it cannot be kept
     */
    public void learn(Work work, String run) {
        work.plan()
                .flatMap(plan -> ModelDebugger.lesson(plan, work.attempts(), run))
                .ifPresent(this::learn);
    }

    // Opened and closed each time: repairs are seldom, and other processes learn meanwhile.
    private <T> T with(Function<Memory, T> what) {
        try (Memories all = Memories.inFile(file, Embedder.words(), PATIENCE)) {
            return what.apply(all.tenant(TENANT));
        } catch (NotKept e) {
            throw e;
        } catch (RuntimeException e) {
            // It is a database, but what is in it makes no sense.
            throw new NotKept("The memory " + file + " is damaged: " + e.getMessage(), e);
        }
    }

    /** Nobody makes a file to find that nothing is in it. */
    private <T> T with(Function<Memory, T> what, T otherwise) {
        return Files.exists(file) ? with(what) : otherwise;
    }

    @Override
    public String remember(Fact fact) {
        return with(memory -> memory.remember(fact));
    }

    @Override
    public List<Recalled<Fact>> recall(String question, int most) {
        return with(memory -> memory.recall(question, most), List.of());
    }

    @Override
    public String learn(Episode episode) {
        return with(memory -> memory.learn(episode));
    }

    @Override
    public List<Recalled<Episode>> similar(String task, String error, int most) {
        return with(memory -> memory.similar(task, error, most), List.of());
    }

    @Override
    public boolean forget(String id) {
        return with(memory -> memory.forget(id), false);
    }

    @Override
    public int forgetSource(String source) {
        return with(memory -> memory.forgetSource(source), 0);
    }

    @Override
    public int forgetBefore(Instant time) {
        return with(memory -> memory.forgetBefore(time), 0);
    }

    @Override
    public int forgetBeyond(int most) {
        return with(memory -> memory.forgetBeyond(most), 0);
    }
}
