package dev.glovebox.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.glovebox.trace.spi.Signed;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SigningKeysTest {

    private static final byte[] PREFIX = "prefix\n".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] TEXT = "text".getBytes(StandardCharsets.US_ASCII);

    @TempDir private Path home;

    private Path folder() {
        return home.resolve("not/there/yet/keys");
    }

    private static String permissions(Path path) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
    }

    @Test
    void thePublicHalfThatAKillLeftUnwrittenIsWrittenNextTime() throws IOException {
        String id = new SigningKeys(folder()).current().id();
        Files.delete(folder().resolve(id + ".pub.pem"));
        SigningKeys next = new SigningKeys(folder());

        assertThat(next.current().id()).isEqualTo(id);
        assertThat(next.verifying(id)).isPresent();
    }

    @Test
    void aPublicHalfThatIsNoneIsWrittenAgain() throws IOException {
        try (Installation here = new Installation(folder())) {
            String run = here.finished("run", 3);
            Path file = folder().resolve(here.trace.key().id() + ".pub.pem");
            Files.writeString(file, "");
            assertThat(here.trace.verify(run)).isInstanceOf(Verdict.Intact.class);
            assertThat(Files.readString(file)).contains("BEGIN PUBLIC KEY");
        }
    }

    @Test
    void aTextMayHaveSeveralPublicKeys() {
        VerifyingKey one = SigningKey.fresh().verifying();
        VerifyingKey other = SigningKey.fresh().verifying();

        assertThat(VerifyingKey.allOfPem("mine:\n" + one.pem() + "theirs:\n" + other.pem()))
                .containsExactly(one, other);
        for (String wrong :
                List.of(
                        "",
                        one.pem() + "-----BEGIN PUBLIC KEY-----\n",
                        one.pem() + other.pem().replace("MCow", "McoW"))) {
            assertThatThrownBy(() -> VerifyingKey.allOfPem(wrong)).isInstanceOf(KeyProblem.class);
        }
    }

    @Test
    void theKeyIsMadeOnFirstUseAndOnlyItsOwnerCanReadIt() throws IOException {
        SigningKeys keys = new SigningKeys(folder());
        SigningKey made = keys.current();

        assertThat(new SigningKeys(folder()).current().id()).isEqualTo(made.id());
        assertThat(permissions(folder())).isEqualTo("rwx------");
        assertThat(permissions(folder().resolve("signing.pem"))).isEqualTo("rw-------");
    }

    @Test
    void aKeyThatOthersCanReadIsRefused() throws IOException {
        new SigningKeys(folder()).current();
        Path file = folder().resolve("signing.pem");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r-----"));

        assertThatThrownBy(() -> new SigningKeys(folder()).current())
                .isInstanceOf(KeyProblem.class)
                .hasMessageContaining("can be read by others")
                .hasMessageContaining("chmod 600");
    }

    @Test
    void aFolderThatOthersCanChangeIsRefused() throws IOException {
        new SigningKeys(folder()).current();
        Files.setPosixFilePermissions(folder(), PosixFilePermissions.fromString("rwxrwx---"));

        assertThatThrownBy(() -> new SigningKeys(folder()).current())
                .isInstanceOf(KeyProblem.class)
                .hasMessageContaining("can be changed by others");
    }

    @Test
    void whatIsNotAKeyIsRefused() throws IOException {
        new SigningKeys(folder()).current();
        Files.writeString(folder().resolve("signing.pem"), "nothing");

        assertThatThrownBy(() -> new SigningKeys(folder()).current())
                .isInstanceOf(KeyProblem.class)
                .hasMessageContaining("signing.pem");
    }

    @Test
    void aPairOfTwoKeysIsRefused() {
        String mixed = SigningKey.fresh().pem() + SigningKey.fresh().pem();
        String swapped = mixed.substring(mixed.lastIndexOf("-----BEGIN PRIVATE")) + mixed;

        assertThat(SigningKey.ofPem(mixed)).isNotNull();
        String odd = swapped.replaceFirst("(?s)-----BEGIN PUBLIC.*?-----END PUBLIC KEY-----\n", "");
        assertThatThrownBy(() -> SigningKey.ofPem(odd)).isInstanceOf(KeyProblem.class);
    }

    @Test
    void whoComesFirstMakesTheKeyAndAllOthersGetThatOne() throws InterruptedException {
        Set<String> ids = ConcurrentHashMap.newKeySet();
        CountDownLatch start = new CountDownLatch(1);
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            // Each with its own object, which is what processes would have.
            threads.add(
                    Thread.ofPlatform()
                            .start(() -> {
                                try {
                                    start.await();
                                } catch (InterruptedException e) {
                                    Thread.currentThread().interrupt();
                                }
                                ids.add(new SigningKeys(folder()).current().id());
                            }));
        }
        start.countDown();
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(ids).hasSize(1);
    }

    @Test
    void theIdIsTheDigestOfTheRawKey() {
        VerifyingKey key = SigningKey.fresh().verifying();

        assertThat(key.id()).isEqualTo(Digests.hex(HexFormat.of().parseHex(key.hex())));
        assertThat(VerifyingKey.ofPem(key.pem())).isEqualTo(key);
        assertThat(VerifyingKey.ofHex(key.hex())).isEqualTo(key);
    }

    @Test
    void aSignatureIsRightForItsKeyPrefixAndTextOnly() {
        SigningKey key = SigningKey.fresh();
        Signed signed = key.sign(PREFIX, TEXT);

        assertThat(key.verifying().signed(PREFIX, signed)).isTrue();
        assertThat(key.verifying().signed(TEXT, signed)).isFalse();
        assertThat(SigningKey.fresh().verifying().signed(PREFIX, signed)).isFalse();
        assertThat(key.verifying().signed(PREFIX, new Signed(PREFIX, signed.signature())))
                .isFalse();
        assertThat(key.verifying().signed(PREFIX, new Signed(TEXT, "zz"))).isFalse();
    }

    /** The first test vector of RFC 8032, section 7.1. */
    @Test
    void signaturesAreThoseOfTheRfc() {
        VerifyingKey key =
                VerifyingKey.ofHex(
                        "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a");
        String signature =
                "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555"
                        + "fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b";

        assertThat(key.signed(new byte[0], new Signed(new byte[0], signature))).isTrue();
    }

    @Test
    void opensslAgrees() throws IOException, InterruptedException {
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/openssl")), "needs openssl");
        SigningKey key = new SigningKeys(folder()).current();
        Path text = Files.write(home.resolve("text"), TEXT);
        Path signature = home.resolve("signature");
        Path verifying = Files.writeString(home.resolve("public.pem"), key.verifying().pem());
        Files.write(signature, HexFormat.of().parseHex(key.sign(new byte[0], TEXT).signature()));

        assertThat(openssl("-verify", "-pubin", "-inkey", verifying, "-sigfile", signature, text))
                .isZero();
        Path theirs = home.resolve("theirs");
        Path secret = folder().resolve("signing.pem");
        assertThat(openssl("-sign", "-inkey", secret, "-out", theirs, text)).isZero();
        String hex = HexFormat.of().formatHex(Files.readAllBytes(theirs));
        assertThat(key.verifying().signed(new byte[0], new Signed(TEXT, hex))).isTrue();
    }

    private static int openssl(Object... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("/usr/bin/openssl", "pkeyutl", "-rawin"));
        for (int i = 0; i < arguments.length - 1; i++) {
            command.add(arguments[i].toString());
        }
        command.addAll(List.of("-in", arguments[arguments.length - 1].toString()));
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start()
                .waitFor();
    }
}
