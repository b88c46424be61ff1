package dev.glovebox.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.glovebox.sandbox.Control;
import dev.glovebox.sandbox.Interpreter;
import dev.glovebox.sandbox.Isolation;
import dev.glovebox.sandbox.Language;
import dev.glovebox.sandbox.spi.Availability;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledIfEnvironmentVariable;

/** What {@code glovebox doctor} finds, and how it tells it. */
class DoctorCommandTest {

    private static final Checkup CHECKUP =
            new Checkup(
                    Map.of("system", "Linux 6"),
                    List.of(
                            new Checkup.Finding(
                                    "jail",
                                    Isolation.JAIL,
                                    new Availability.Works(
                                            "bubblewrap 1",
                                            List.of(new Control("memory", "256MiB", "cgroup v2"))),
                                    Map.of(
                                            Language.PYTHON,
                                            new Interpreter(
                                                    Language.PYTHON,
                                                    Path.of("/usr/bin/python3"),
                                                    "3.13")),
                                    false),
                            new Checkup.Finding(
                                    "container",
                                    Isolation.CONTAINER,
                                    new Availability.Missing(
                                            "no engine answers", "apt install podman"),
                                    Map.of(),
                                    false),
                            new Checkup.Finding(
                                    "wasm",
                                    Isolation.JAIL,
                                    new Availability.Works("an engine 1", List.of()),
                                    Map.of(),
                                    true)));

    @Test
    void a_person_reads_what_works_and_what_to_type() {
        assertThat(new DoctorText(false).text(CHECKUP, OptionalInt.empty()))
                .contains("jail  works  bubblewrap 1")
                .contains("memory  256MiB  cgroup v2")
                .contains("python      3.13  /usr/bin/python3")
                .contains("javascript  none  to get it: apt install nodejs")
                .contains("wasm  works  an engine 1")
                .contains("python      none  this wall has only what it brings")
                .contains("container  does not work\n  why        no engine answers")
                .contains("to get it  apt install podman")
                .doesNotContain("\033");
    }

    @Test
    void colours_are_for_terminals() {
        assertThat(new DoctorText(true).text(CHECKUP, OptionalInt.empty()))
                .contains("\033[32mworks\033[0m");
    }

    @Test
    void json_has_every_tier() throws IOException {
        Cli.Ran ran = Cli.in(Path.of("")).run("doctor", "--json");
        JsonNode tiers = ran.json().at("/tiers");
        assertThat(tiers.findValuesAsText("name")).contains("jail");
        boolean any = false;
        for (JsonNode tier : tiers) {
            boolean works = tier.at("/works").asBoolean();
            any |= works;
            assertThat(tier.at(works ? "/version" : "/remedy").asText()).isNotBlank();
            assertThat(tier.at(works ? "/controls" : "/reason").isMissingNode()).isFalse();
        }
        assertThat(ran.exit()).isEqualTo(any ? 0 : 1);
        assertThat(ran.json().at("/system/architecture").asText()).isNotBlank();
    }

    @Test
    @DisabledIfEnvironmentVariable(named = "OPEN_SANDBOX_DOMAIN", matches = ".+")
    void a_server_that_nobody_named_is_missing_and_the_variables_are_told() throws IOException {
        for (JsonNode tier : Cli.in(Path.of("")).run("doctor", "--json").json().at("/tiers")) {
            if (tier.at("/name").asText().equals("opensandbox")) {
                assertThat(tier.at("/works").asBoolean()).isFalse();
                assertThat(tier.at("/reason").asText()).contains("no OpenSandbox server");
                assertThat(tier.at("/remedy").asText())
                        .contains("OPEN_SANDBOX_DOMAIN", "OPEN_SANDBOX_API_KEY");
                return;
            }
        }
        throw new AssertionError("opensandbox is not in the list");
    }

    @Test
    void an_unknown_option_is_bad_usage() {
        Cli.Ran ran = Cli.in(Path.of("")).run("doctor", "--sweeep");
        assertThat(ran.exit()).isEqualTo(2);
        assertThat(ran.stderr())
                .isEqualTo("glovebox: Unknown option: '--sweeep'; did you mean --sweep?\n");
    }
}
