package dev.glovebox.sandbox.conformance;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.glovebox.sandbox.spi.Availability;
import dev.glovebox.sandbox.spi.Tier;
import java.util.List;

/** The walls that tests need. */
public final class Walls {

    private Walls() {}

    /** Skips a test, and says why, where a wall does not work; fails it where the wall has to. */
    public static void needed(String tier) {
        Tier wall = ConformanceKit.tierNamed(tier);
        needed(wall, wall.probe());
    }

    static void needed(Tier tier, Availability found) {
        switch (found) {
            case Availability.Works works -> {}
            case Availability.Missing(String reason, String remedy) -> {
                String message = "The tier " + tier.name() + " does not work here: " + reason;
                if (required().contains(tier.name())) {
                    throw new AssertionError(message + ". " + remedy);
                }
                assumeTrue(false, message);
            }
        }
    }

    private static List<String> required() {
        return List.of(System.getProperty("glovebox.required-tiers", "").split(","));
    }
}
