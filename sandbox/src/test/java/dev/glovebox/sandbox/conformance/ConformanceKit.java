package dev.glovebox.sandbox.conformance;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.glovebox.sandbox.Language;
import dev.glovebox.sandbox.Policy;
import dev.glovebox.sandbox.Result;
import dev.glovebox.sandbox.Sandbox;
import dev.glovebox.sandbox.Sandboxes;
import dev.glovebox.sandbox.spi.Availability;
import dev.glovebox.sandbox.spi.Tier;
import java.lang.reflect.Constructor;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * What the kits have in common: the tier, boxes of it, and what it does not promise.
 *
 * <p>Nothing is skipped silently: each test that cannot run says why, and a tier that the system
 * property {@code glovebox.required-tiers} names fails instead when it does not work. On a slow
 * machine {@code glovebox.slowness} says how many times as long programs may take.
 */
@Timeout(value = 2, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@ExtendWith(WorkingWall.class)
public abstract class ConformanceKit {

    /** An emulated processor takes several times as long. */
    private static final int SLOWNESS = Integer.getInteger("glovebox.slowness", 1);

    private static final ClassValue<Probed> WALLS =
            new ClassValue<>() {
                @Override
                protected Probed computeValue(Class<?> type) {
                    return new Probed(type);
                }
            };

    private final Probed probed = WALLS.get(behind(getClass()));

    /** A wall, and whether it works here. */
    private static final class Probed {

        private final Wall wall;
        private @Nullable Availability works;

        Probed(Class<?> type) {
            try {
                Constructor<?> made = type.getDeclaredConstructor();
                made.setAccessible(true);
                wall = (Wall) made.newInstance();
            } catch (ReflectiveOperationException e) {
                throw new LinkageError("The wall " + type + " cannot be made", e);
            }
        }

        /** Asked once: it takes long with some tiers. */
        synchronized Availability works() {
            if (works == null) {
                works = wall.tier().probe();
            }
            return works;
        }
    }

    private static Class<? extends Wall> behind(Class<?> kit) {
        for (Class<?> type = kit; type != null; type = type.getEnclosingClass()) {
            Behind behind = type.getAnnotation(Behind.class);
            if (behind != null) {
                return behind.value();
            }
        }
        throw new AssertionError(kit + " does not say what it is @Behind");
    }

    /** The tier under test. */
    protected final Tier tier() {
        return probed.wall.tier();
    }

    /** What this tier does not promise, each with the reason. */
    protected final Map<Promise, String> notPromised() {
        return probed.wall.notPromised();
    }

    /** Time in which a program in JavaScript at least starts: the limit of those that never end. */
    protected final Duration javaScriptStart() {
        return probed.wall.javaScriptStart();
    }

    /** How many connections to whoever makes the boxes are kept. */
    protected final int keptConnections() {
        return probed.wall.keptConnections();
    }

    /** What boxes are opened with: nothing allowed, this tier's wall. */
    protected Policy policy() {
        return Policy.denyAll().isolation(tier().isolation()).wall(seconds(10));
    }

    /** Time in which a program gets something done, on a machine as slow as this one. */
    protected static Duration seconds(int seconds) {
        return Duration.ofSeconds((long) seconds * SLOWNESS);
    }

    /** Finds a tier on the class path. */
    protected static Tier tierNamed(String name) {
        return Sandboxes.tiers().stream()
                .filter(tier -> tier.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new AssertionError("No tier '" + name + "' on the class path"));
    }

    /** Why the wall of a kit does not work here, if so. */
    static Optional<String> lacking(Class<?> kit) {
        Probed probed = WALLS.get(behind(kit));
        return Walls.lacking(probed.wall.tier(), probed.works());
    }

    /** Skips the test where the tier does not promise this. */
    protected final void promised(Promise promise) {
        String reason = notPromised().get(promise);
        assumeTrue(
                reason == null,
                () -> "The tier " + tier().name() + " does not promise " + promise + ": " + reason);
    }

    /** Opens a box; skips the test where the tier lacks one of the languages here. */
    protected final Sandbox open(Language... languages) {
        return open(policy(), languages);
    }

    /** Opens a box; skips the test where the tier lacks one of the languages here. */
    protected final Sandbox open(Policy policy, Language... languages) {
        has(policy, languages);
        return tier().open(policy);
    }

    /** Skips the test where the tier lacks one of the languages; for tests with threads. */
    protected final void has(Language... languages) {
        has(policy(), languages);
    }

    private void has(Policy policy, Language... languages) {
        for (Language language : languages) {
            assumeTrue(
                    tier().interpreter(language, policy).isPresent(),
                    () -> "The tier " + tier().name() + " has no " + language + " here");
        }
    }

    /** All that matters of a result when an assertion on it fails. */
    protected static String told(Result result) {
        return result.outcome()
                + ", stdout: "
                + result.stdout().text()
                + ", stderr: "
                + result.stderr().text();
    }
}
