package dev.glovebox.sandbox.lifetime;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.glovebox.sandbox.conformance.Walls;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** The jail passes its whole conformance kit for an ordinary user as well as for root. */
@EnabledOnOs(OS.LINUX)
final class OrdinaryUserTest {

    private static final String KITS = "dev.glovebox.sandbox.conformance";
    private static final int FEWEST_TESTS = 150;

    /** What programs in JavaScript see besides depends on no user. */
    private static final String CLASSES =
            Boolean.getBoolean("glovebox.soak")
                    ? ".*\\.Jail\\w*Test"
                    : ".*\\.Jail(Conformance|Hostile|Limits)Test";

    /** What an ordinary user cannot have, in the words of the tests that need it. */
    private static final String EXPECTED_SKIP = "(?i).*(cgroup|supervised|as root|Only root).*";

    @Test
    @Timeout(value = 20, unit = TimeUnit.MINUTES)
    void theJailConformsForAnOrdinaryUser(@TempDir Path folder) throws Exception {
        Walls.needed("jail");
        assumeTrue(
                OrdinaryUser.weAreRoot(),
                "This suite runs as an ordinary user, and so did the jail's own tests");
        Map<RemoteTests.Fate, List<RemoteTests.Line>> lines =
                new OrdinaryUser(folder)
                        .run(KITS, CLASSES).stream().collect(groupingBy(RemoteTests.Line::fate));
        List<RemoteTests.Line> failed = lines.getOrDefault(RemoteTests.Fate.FAILED, List.of());
        assertThat(failed)
                .withFailMessage(() ->
                        failed.size()
                                + " failed:\n"
                                + failed.stream()
                                        .map(RemoteTests.Line::toString)
                                        .collect(joining("\n")))
                .isEmpty();
        assertThat(lines.getOrDefault(RemoteTests.Fate.SKIPPED, List.of()))
                .allSatisfy(line -> assertThat(line.message()).matches(EXPECTED_SKIP));
        assertThat(lines.getOrDefault(RemoteTests.Fate.PASSED, List.of()))
                .hasSizeGreaterThan(FEWEST_TESTS);
    }
}
