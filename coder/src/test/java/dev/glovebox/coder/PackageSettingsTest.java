package dev.glovebox.coder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.glovebox.sandbox.Language;
import dev.glovebox.sandbox.Policy;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PackageSettingsTest {

    @TempDir private Path home;

    private Path write(String name, String text) throws IOException {
        Path file = home.resolve(name);
        Files.createDirectories(file.getParent());
        return Files.writeString(file, text);
    }

    private PackageSettings with(String... pairs) {
        Map<String, String> environment = new java.util.TreeMap<>();
        environment.put("HOME", home.toString());
        // Not how this machine is configured.
        environment.put("NPM_CONFIG_GLOBALCONFIG", home.resolve("none").toString());
        environment.put("PIP_CONFIG_FILE", home.resolve("pip.conf").toString());
        for (int i = 0; i < pairs.length; i += 2) {
            environment.put(pairs[i], pairs[i + 1]);
        }
        return new PackageSettings(environment, PublicIndex::of);
    }

    @Test
    void aVariableGoesBeforeAFileAndItsOwnSectionBeforeTheGlobalOne() throws IOException {
        write(
                "pip.conf",
                """
                [list]
                index-url = http://wrong/
                [install]
                # for us
                index-url = http://10.0.0.2:8080/simple/
                [global]
                index_url = http://10.0.0.3/simple
                trusted-host =
                    other.example
                    10.0.0.2
                """);
        PackageIndex file = with().index(Language.PYTHON);
        assertThat(file.url()).isEqualTo("http://10.0.0.2:8080/simple/");
        assertThat(file.trusted()).isTrue();
        assertThat(file.places()).containsExactly("10.0.0.2:8080");
        PackageIndex variable =
                with("PIP_INDEX_URL", "https://10.0.0.4/simple").index(Language.PYTHON);
        assertThat(variable.places()).containsExactly("10.0.0.4:443");
        assertThat(variable.trusted()).isFalse();
    }

    @Test
    void npmIsReadLikewise() throws IOException {
        write(".npmrc", "; mine\nregistry=http://${WHERE}:4873/\n//10.0.0.5/:_authToken=secret\n");
        assertThat(with("WHERE", "10.0.0.5").index(Language.JAVASCRIPT))
                .isEqualTo(
                        new PackageIndex(
                                "http://10.0.0.5:4873/", false, List.of("10.0.0.5:4873"), ""));
        assertThat(
                        with("npm_config_registry", "http://10.0.0.6/")
                                .index(Language.JAVASCRIPT)
                                .places())
                .containsExactly("10.0.0.6:80");
    }

    @Test
    void whatNobodyConfiguredIsWhereTheClientGoesByItself() {
        PublicIndex known = PublicIndex.of(Language.PYTHON).orElseThrow();
        assertThat(with().index(Language.PYTHON).url()).isEqualTo(known.url());
        assertThat(with().index(Language.PYTHON).places())
                .containsAll(known.files().stream().map(host -> host + ":443").toList())
                .hasSizeGreaterThan(known.files().size());
        assertThatThrownBy(() -> with("PIP_NO_INDEX", "1").index(Language.PYTHON))
                .hasMessageContaining("configured to use none");
    }

    @Test
    void namesThatLeadToOurOwnNetworkAreNamedWithTheirAddress() {
        assertThat(PackageIndex.at(Language.PYTHON, "http://localhost:81/", false).places())
                .containsExactly("localhost:81");
        assertThat(PackageIndex.at(Language.PYTHON, "http://127.0.0.1:81/", false).places())
                .containsExactly("127.0.0.1:81");
    }

    @Test
    void credentialsAreNeitherUsedNorTold() {
        for (String url :
                new String[] {
                    "https://anna:secret@pypi.example/simple", "https://anna:se cret@x/"
                }) {
            assertThatThrownBy(() -> with("PIP_INDEX_URL", url).index(Language.PYTHON))
                    .isInstanceOf(PackageIndex.Unusable.class)
                    .message()
                    .doesNotContain("secret", "se cret");
        }
        assertThatThrownBy(() ->
                        with("PIP_INDEX_URL", "https://anna:secret@pypi.example/simple")
                                .index(Language.PYTHON))
                .hasMessageContaining("needs credentials, which is not supported");
    }

    @Test
    void authoritiesThatClientsAreToldToGoByAreTaken() throws IOException {
        String pem = "-----BEGIN CERTIFICATE-----\nMII=\n-----END CERTIFICATE-----\n";
        String file = write("own.pem", pem).toString();
        String url = "https://10.0.0.4/";
        assertThat(
                        with("PIP_INDEX_URL", url, "PIP_CERT", file)
                                .index(Language.PYTHON)
                                .authorities())
                .isEqualTo(pem);
        for (String name : List.of("npm_config_cafile", "NODE_EXTRA_CA_CERTS")) {
            assertThat(
                            with("npm_config_registry", url, name, file)
                                    .index(Language.JAVASCRIPT)
                                    .authorities())
                    .isEqualTo(pem);
        }
        String secret = write("id_rsa", "-----BEGIN OPENSSH PRIVATE KEY-----\n").toString();
        for (String wrong : List.of(secret, home.resolve("gone").toString(), home.toString())) {
            assertThatThrownBy(() ->
                            with("PIP_INDEX_URL", url, "PIP_CERT", wrong).index(Language.PYTHON))
                    .isInstanceOf(PackageIndex.Unusable.class)
                    .hasMessageContaining("no certificates are in");
        }
    }

    @Test
    void whatIsNoAddressIsNoIndex() {
        for (String url :
                new String[] {"file:///srv/wheels", "ftp://x/", "nonsense", "http://[::1]/"}) {
            assertThatThrownBy(() -> with("PIP_INDEX_URL", url).index(Language.PYTHON))
                    .isInstanceOf(PackageIndex.Unusable.class);
        }
        assertThatThrownBy(() -> with("npm_config_offline", "true").index(Language.JAVASCRIPT))
                .hasMessageContaining("no package index for javascript");
    }

    @Test
    void packagesAreInstalledOnlyIfThePolicySaysSo() {
        Policy open =
                Policy.denyAll().install(new Policy.Install(Policy.Install.DEFAULT.wall(), true));
        assertThat(settings(open).installing().packages()).isTrue();
        assertThat(settings(Policy.denyAll()).installing().packages()).isFalse();
    }

    @Test
    void aClientThatIsNotHereIsSaidToBeTheReason() {
        PackageSettings nobody =
                new PackageSettings(
                        Map.of("PIP_CONFIG_FILE", "/dev/null"), language -> Optional.empty());
        assertThatThrownBy(() -> nobody.index(Language.PYTHON))
                .isInstanceOf(PackageIndex.Unusable.class)
                .hasMessageContaining("none is configured, and its own client is not here");
    }

    @Test
    void whatDoesNotAnswerIsOutOfReachAndThatIsKnownSoon() throws IOException {
        int port;
        try (ServerSocket nobody = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = nobody.getLocalPort();
            assertThat(Reach.problem("127.0.0.1", port)).isEmpty();
        }
        assertThat(Reach.problem("127.0.0.1", port))
                .hasValueSatisfying(why -> assertThat(why).contains("refused"));
        assertThat(Reach.problem("no-such-host.invalid", 443)).isPresent();
        assertThat(Reach.addresses("no-such-host.invalid")).isEmpty();
        assertThat(Reach.addresses("127.0.0.1")).hasSize(1);
        PackageIndex index =
                PackageIndex.at(Language.PYTHON, "http://127.0.0.1:" + port + "/simple", false);
        assertThat(index.problem())
                .hasValueSatisfying(why ->
                        assertThat(why)
                                .startsWith("The package index 127.0.0.1:" + port)
                                .contains("cannot be reached"));
    }

    private static Settings settings(Policy policy) {
        return new Settings(policy.json(), "", 3);
    }
}
