package dev.glovebox.sandbox.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.glovebox.sandbox.Connection.Fate;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which places a gate lets a program reach, however it writes them. */
@EnabledOnOs(OS.LINUX)
@Timeout(60)
final class GatePolicyTest {

    @AutoClose private final TestGate gate = new TestGate();

    @ParameterizedTest
    @ValueSource(
            strings = {
                "CONNECT evil.example:PORT",
                "CONNECT allowed.example:1",
                "CONNECT allowed.example:0PORT",
                "CONNECT allowed.example.evil:PORT",
                "CONNECT evil.allowed.example:PORT",
                "CONNECT allowed.example.:PORT",
                "CONNECT allowed.example:PORT.",
                "CONNECT allowed.example",
                "CONNECT allowed.example@evil.example:PORT",
                "CONNECT evil.example#allowed.example:PORT",
                "CONNECT [::1]:PORT",
                "CONNECT [::ffff:127.0.0.1]:PORT",
                "CONNECT 127.0.0.2:PORT",
                "CONNECT 127.1:PORT",
                "CONNECT 2130706433:PORT",
                "CONNECT 0x7f000001:PORT",
                "CONNECT 0177.0.0.1:PORT",
                "CONNECT localhost:PORT",
                "CONNECT allowed%2eexample:PORT",
                "CONNECT http://allowed.example:PORT/",
                "GET http://evil.example:PORT/",
                "GET http://allowed.example/",
                "GET http://allowed.example:1/",
                "GET http://allowed.example:PORT@evil.example/",
                "GET http://allowed.example@evil.example:PORT/",
                "GET http://evil.example:PORT/http://allowed.example:PORT/",
                "GET http://evil.example:PORT?@allowed.example:PORT/",
                "GET http://evil.example:PORT#@allowed.example:PORT/",
                "GET http://evil.example\\@allowed.example:PORT/",
                "GET http://allowed.example.evil:PORT/",
                "GET http://allowed.example:PORT:1/",
                "GET http://[::1]:PORT/",
                "GET http:///allowed.example:PORT/",
                "GET http:allowed.example:PORT/",
                "GET https://allowed.example:PORT/",
                "GET ftp://allowed.example:PORT/",
                "GET //allowed.example:PORT/",
                "GET /",
                "GET *",
                "OPTIONS *",
                "PRI *"
            })
    void whatThePolicyDoesNotNameIsRefusedAndRecorded(String first) throws Exception {
        String line = first.replace("PORT", Integer.toString(gate.server().port()));
        gate.allow("decoy.example", gate.server().port());
        String answer =
                gate.ask(
                        line
                                + " HTTP/1.1\r\nHost: allowed.example:"
                                + gate.server().port()
                                + "\r\n\r\n");
        if (first.contains(":0PORT")) {
            // The same number in another notation, which is the same place.
            assertThat(answer).startsWith("HTTP/1.1 ");
            return;
        }
        assertThat(answer).matches("(?s)HTTP/1\\.1 40[03] .*glovebox: .*");
        assertThat(gate.only().fate()).isEqualTo(Fate.DENIED);
        assertThat(gate.only().detail()).isNotEmpty();
        assertThat(gate.refused().orElseThrow().detail()).startsWith("1 connection was refused (");
        assertThat(gate.lookups()).as("names that were asked for").isEmpty();
        assertThat(gate.server().heardSoon()).isNull();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "127.0.0.1",
                "127.9.9.9",
                "0.0.0.0",
                "169.254.169.254",
                "10.0.0.1",
                "172.16.0.1",
                "172.31.255.255",
                "192.168.1.1",
                "100.64.0.1",
                "192.0.0.8",
                "198.18.0.1",
                "224.0.0.1",
                "255.255.255.255",
                "::1",
                "::",
                "fe80::1",
                "fc00::1",
                "fd00:ec2::254",
                "ff02::1",
                "::ffff:127.0.0.1",
                "64:ff9b::7f00:1",
                "2002:7f00:1::",
                "2001:0:7f00:1::"
            })
    void aNameThatLeadsToAnAddressThatIsNotPublicIsRefused(String address) throws Exception {
        gate.name("rebound.example", List.of(address));
        gate.allow("rebound.example", gate.server().port() + 1);
        String answer =
                gate.ask(
                        "CONNECT rebound.example:"
                                + (gate.server().port() + 1)
                                + " HTTP/1.1\r\n\r\n");
        assertThat(answer).startsWith("HTTP/1.1 403 ").contains("no public address");
        assertThat(gate.only().fate()).isEqualTo(Fate.DENIED);
    }

    @Test
    void anAddressOfThisMachineIsNotPublicEither() throws Exception {
        List<InetAddress> own =
                NetworkInterface.networkInterfaces()
                        .flatMap(NetworkInterface::inetAddresses)
                        .filter(Inet4Address.class::isInstance)
                        .toList();
        assertThat(own).isNotEmpty();
        gate.name("us.example", own.stream().map(InetAddress::getHostAddress).toList());
        gate.allow("us.example", 1);
        assertThat(gate.ask("CONNECT us.example:1 HTTP/1.1\r\n\r\n")).startsWith("HTTP/1.1 403 ");
    }

    @Test
    void ofSeveralAddressesOnlyThoseThatMayBeReachedAreTried() throws Exception {
        gate.name("mixed.example", List.of("169.254.169.254", "127.0.0.1"));
        gate.allow("mixed.example", gate.server().port());
        assertThat(
                        gate.ask(
                                "GET http://mixed.example:"
                                        + gate.server().port()
                                        + "/ HTTP/1.1\r\n\r\n"))
                .endsWith("hi");
        assertThat(gate.only().detail()).isEqualTo("127.0.0.1");
    }

    @Test
    void theAddressThatWasCheckedIsTheOneThatIsReached() throws Exception {
        gate.ask("GET " + gate.allowedUrl() + " HTTP/1.1\r\n\r\n");
        assertThat(gate.lookups()).containsExactly("allowed.example");
    }
}
