package dev.glovebox.coder;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;

/** Of recipes about ciphers, and what is secret. */
final class CipherOracles {

    private static final String ALPHABET = "abcdefghijklmnopqrstuvwxyz";

    private CipherOracles() {}

    static void into(Map<String, Oracle> all) {
        all.put("caesar", CipherOracles::caesar);
        all.put("vigenere", CipherOracles::vigenere);
        all.put("base64", CipherOracles::base64);
        all.put("hash", CipherOracles::hash);
        all.put("password", CipherOracles::password);
        all.put("uuid", CipherOracles::uuid);
    }

    private static String shifted(String letter, int shift) {
        int place = ALPHABET.indexOf(letter.toLowerCase(Locale.ROOT));
        if (place < 0) {
            return letter;
        }
        String other = String.valueOf(ALPHABET.repeat(3).charAt(26 + place + shift % 26));
        return letter.equals(letter.toLowerCase(Locale.ROOT))
                ? other
                : other.toUpperCase(Locale.ROOT);
    }

    private static int sign(JsonNode inputs) {
        return inputs.path("direction").asText().equals("encrypt") ? 1 : -1;
    }

    private static void caesar(JsonNode inputs, Printed printed) {
        StringBuilder expected = new StringBuilder();
        for (String letter : inputs.path("text").asText().split("")) {
            expected.append(shifted(letter, sign(inputs) * inputs.path("shift").asInt()));
        }
        assertThat(printed.after("Result:")).isEqualTo(expected.toString());
    }

    private static void vigenere(JsonNode inputs, Printed printed) {
        String key = inputs.path("key").asText().toLowerCase(Locale.ROOT);
        StringBuilder expected = new StringBuilder();
        int used = 0;
        for (String letter : inputs.path("text").asText().split("")) {
            boolean isLetter = letter.matches("[A-Za-z]");
            int shift = ALPHABET.indexOf(key.charAt(used % key.length()));
            expected.append(isLetter ? shifted(letter, sign(inputs) * shift) : letter);
            used += isLetter ? 1 : 0;
        }
        assertThat(printed.after("Result:")).isEqualTo(expected.toString());
    }

    private static void base64(JsonNode inputs, Printed printed) {
        byte[] text = printed.after("Text:").getBytes(StandardCharsets.UTF_8);
        assertThat(Base64.getDecoder().decode(printed.after("Base64:"))).isEqualTo(text);
        assertThat(printed.text()).contains(inputs.path("text").asText());
    }

    private static void hash(JsonNode inputs, Printed printed) {
        String name = inputs.path("algorithm").asText();
        byte[] text = inputs.path("text").asText().getBytes(StandardCharsets.UTF_8);
        try {
            byte[] digest = MessageDigest.getInstance(name.replace("sha", "SHA-")).digest(text);
            assertThat(printed.after(name + ":")).isEqualTo(HexFormat.of().formatHex(digest));
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError(e);
        }
    }

    private static void password(JsonNode inputs, Printed printed) {
        List<String> passwords =
                printed.lines().stream().map(line -> line.replace("Password: ", "")).toList();
        assertThat(passwords)
                .hasSize(inputs.path("count").asInt())
                .doesNotHaveDuplicates()
                .allMatch(each -> each.length() == inputs.path("length").asInt())
                .allMatch(
                        each -> each.matches("(?=.*[a-z])(?=.*[A-Z])(?=.*\\d)(?=.*[^\\w]|.*_).*"));
    }

    private static void uuid(JsonNode inputs, Printed printed) {
        assertThat(printed.lines())
                .hasSize(inputs.path("count").asInt())
                .doesNotHaveDuplicates()
                .allMatch(line -> UUID.fromString(line).version() == 4)
                .allMatch(line -> new BigInteger(line.replace("-", ""), 16).bitLength() <= 128);
    }
}
