package dev.glovebox.sandbox.opensandbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Where the server is comes from the environment, and the key stays out of sight. */
final class SettingsTest {

    @Test
    void nothingIsConfiguredByItself() {
        assertThat(Settings.of(Map.of())).isEmpty();
        assertThat(Settings.of(Map.of(Settings.KEY, "key"))).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "localhost:8080, http://localhost:8080/",
        "127.0.0.1:8080, http://127.0.0.1:8080/",
        "boxes.example.com, https://boxes.example.com/",
        "boxes.example.com:8080, https://boxes.example.com:8080/",
        "http://boxes.example.com:8080, http://boxes.example.com:8080/",
        "localhost:8080/v1, http://localhost:8080/",
        "https://localhost:8443/, https://localhost:8443/"
    })
    void aKeyGoesInTheClearOnlyWhereThatWasSaidOrToThisMachine(String domain, String address) {
        assertThat(Settings.of(Map.of(Settings.DOMAIN, domain)).orElseThrow().server())
                .hasToString(address);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ftp://x",
                "file:///etc/passwd",
                "http://",
                "a b",
                ":80",
                ":::",
                "host_with_underscores:8080",
                "http://user:secret@host/",
                "http://host/path",
                "http://host/?query=secret"
            })
    void whatIsNoAddressIsRefusedWithoutBeingShown(String domain) {
        assertThatThrownBy(() -> Settings.of(Map.of(Settings.DOMAIN, domain)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(Settings.DOMAIN)
                .hasMessageNotContaining("secret");
    }

    @Test
    void aKeyThatWouldBreakAHeaderIsRefusedWithoutBeingShown() {
        Map<String, String> environment =
                Map.of(Settings.DOMAIN, "localhost", Settings.KEY, "secret\r\nX: y");
        assertThatThrownBy(() -> Settings.of(environment))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageNotContaining("secret");
    }

    @ParameterizedTest
    @ValueSource(strings = {"relative", "/", "/a b", "/a;b", "/$HOME", "/a/../b", "/a/", "/a'b"})
    void aFolderThatAShellWouldReadIsRefused(String folder) {
        Map<String, String> environment =
                Map.of(Settings.DOMAIN, "localhost", Settings.FOLDER, folder);
        assertThatThrownBy(() -> Settings.of(environment))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(Settings.FOLDER);
    }

    @Test
    void aFolderCanBeChosen() {
        Map<String, String> environment =
                Map.of(Settings.DOMAIN, "localhost", Settings.FOLDER, "/work/of.ours-1");
        assertThat(Settings.of(environment).orElseThrow().root()).isEqualTo("/work/of.ours-1");
    }

    @Test
    void theKeyIsNotInWhatIsPrinted() {
        Map<String, String> environment =
                Map.of(Settings.DOMAIN, "localhost", Settings.KEY, "secret");
        assertThat(Settings.of(environment).orElseThrow().toString()).doesNotContain("secret");
    }
}
