package dev.glovebox.sandbox.conformance;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.glovebox.sandbox.spi.Availability;
import dev.glovebox.sandbox.spi.Tier;
import java.util.List;
import java.util.Optional;

/** The walls that tests need. */
public final class Walls {

    private Walls() {}

    /** Skips a test, and says why, where a wall does not work; fails it where the wall has to. */
    public static void needed(String tier) {
        Tier wall = ConformanceKit.tierNamed(tier);
        Optional<String> lacking = lacking(wall, wall.probe());
        assumeTrue(lacking.isEmpty(), () -> lacking.orElse(""));
    }

    /**
     * Why a wall does not work, if so.
     *
     * @throws AssertionError if it has to
     */
    static Optional<String> lacking(Tier tier, Availability found) {
        return switch (found) {
            case Availability.Works works -> Optional.empty();
            case Availability.Missing(String reason, String remedy) -> {
                String message = "The tier " + tier.name() + " does not work here: " + reason;
                if (required().contains(tier.name())) {
                    throw new AssertionError(message + ". " + remedy);
                }
                yield Optional.of(message);
            }
        };
    }

    private static List<String> required() {
        return List.of(System.getProperty("glovebox.required-tiers", "").split(","));
    }
}
