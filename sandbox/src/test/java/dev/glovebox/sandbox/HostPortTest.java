package dev.glovebox.sandbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HostPortTest {

    @Test
    void keepsNamesInLowerCase() {
        assertThat(HostPort.parse("API.Example.com:443"))
                .isEqualTo(new HostPort("api.example.com", 443));
        assertThat(HostPort.parse("10.0.0.255:8080")).hasToString("10.0.0.255:8080");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                ":",
                "443",
                "host",
                "host:",
                ":443",
                "host:0",
                "host:65536",
                "host:+443",
                "host:٤٤٣",
                "host:443 ",
                "a:b:443",
                "[::1]:443",
                "*.example.com:443",
                "http://example.com:80",
                "-a.com:1",
                "a..b:1",
                "a.com.:1",
                "a_b.com:1",
                "ho st:1",
                "host\n:1",
                "256.1.1.1:1",
                "1.2.3:1",
                "2130706433:1",
                "0x7f.1:1",
                "0x7f.0x1:1",
                "127.0.0.01:1",
                "\u212aube.example.com:443"
            })
    void refusesNonsenseAndNamesThatResolversReadAsNumbers(String text) {
        assertThatThrownBy(() -> HostPort.parse(text))
                .isInstanceOf(InvalidPolicy.class)
                .hasMessageNotContaining("\n");
    }
}
