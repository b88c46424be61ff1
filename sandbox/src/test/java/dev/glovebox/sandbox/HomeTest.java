package dev.glovebox.sandbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class HomeTest {

    private static final Path USUAL = Path.of(System.getProperty("user.home"), ".glovebox");

    @Test
    void isWhereTheVariableSays() {
        assertThat(Home.of(Map.of("GLOVEBOX_HOME", "/srv/glovebox")))
                .isEqualTo(Path.of("/srv/glovebox"));
        assertThat(Home.of(Map.of("GLOVEBOX_HOME", "here")))
                .isEqualTo(Path.of("here").toAbsolutePath());
        assertThat(Home.isConfigured(Map.of("GLOVEBOX_HOME", "here"))).isTrue();
    }

    @Test
    void isInTheHomeOfTheUserWhereNothingIsSaid() {
        for (Map<String, String> nothing :
                List.of(Map.<String, String>of(), Map.of("GLOVEBOX_HOME", " "))) {
            assertThat(Home.of(nothing)).isEqualTo(USUAL);
            assertThat(Home.isConfigured(nothing)).isFalse();
        }
    }
}
