package dev.glovebox.agent;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Secrets that look real and are not; put together here so that none stands in a file. */
final class FakeSecrets {

    static final String LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
    private static final String CAPITALS = LETTERS.substring(0, 26) + LETTERS.substring(52);
    private static final String HEX = "0123456789abcdef";

    private final Random random;

    FakeSecrets(long seed) {
        this.random = new Random(seed);
    }

    /** One of what a vendor gives. */
    record Fake(String kind, String secret) {}

    String any(String alphabet, int length) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < length; i++) {
            text.append(alphabet.charAt(random.nextInt(alphabet.length())));
        }
        return text.toString();
    }

    private String letters(int length) {
        return any(LETTERS, length);
    }

    /** One of each vendor. */
    List<Fake> vendors() {
        List<Fake> fakes = new ArrayList<>();
        fakes.add(new Fake("aws key", "AK" + "IA" + any(CAPITALS, 16)));
        fakes.add(new Fake("aws key", "AS" + "IA" + any(CAPITALS, 16)));
        fakes.add(new Fake("google key", "AI" + "za" + letters(35)));
        fakes.add(new Fake("google token", "ya" + "29." + letters(60)));
        fakes.add(new Fake("google token", "GOC" + "SPX-" + letters(28)));
        for (String sort : List.of("p", "o", "u", "s", "r")) {
            fakes.add(new Fake("github token", "gh" + sort + "_" + letters(36)));
        }
        fakes.add(new Fake("github token", "github" + "_pat_" + letters(22) + "_" + letters(59)));
        fakes.add(new Fake("gitlab token", "gl" + "pat-" + letters(20)));
        fakes.add(
                new Fake(
                        "slack token",
                        "xo"
                                + "xb-"
                                + any("123456789", 12)
                                + "-"
                                + any("123456789", 12)
                                + "-"
                                + letters(24)));
        fakes.add(
                new Fake(
                        "slack webhook",
                        "hooks.slack"
                                + ".com/services/T"
                                + any(CAPITALS, 8)
                                + "/B"
                                + any(CAPITALS, 8)
                                + "/"
                                + letters(24)));
        fakes.add(new Fake("stripe key", "sk" + "_live_" + letters(24)));
        fakes.add(new Fake("stripe key", "rk" + "_test_" + letters(24)));
        fakes.add(new Fake("openai key", "sk" + "-proj-" + letters(40) + "-" + letters(40)));
        fakes.add(new Fake("openai key", "sk" + "-" + letters(48)));
        fakes.add(
                new Fake(
                        "anthropic key",
                        "sk" + "-ant-api03-" + letters(80) + "-" + letters(6) + "AA"));
        fakes.add(new Fake("npm token", "np" + "m_" + letters(36)));
        fakes.add(new Fake("pypi token", "py" + "pi-AgEIcHlwaS5vcmc" + letters(80)));
        fakes.add(new Fake("hugging face token", "h" + "f_" + letters(34)));
        fakes.add(new Fake("sendgrid key", "S" + "G." + letters(22) + "." + letters(43)));
        fakes.add(new Fake("twilio key", "S" + "K" + any(HEX, 32)));
        fakes.add(new Fake("digitalocean token", "dop" + "_v1_" + any(HEX, 64)));
        fakes.add(new Fake("shopify token", "shp" + "at_" + any(HEX, 32)));
        fakes.add(new Fake("vault token", "hv" + "s." + letters(90)));
        fakes.add(new Fake("docker token", "dckr" + "_pat_" + letters(27)));
        fakes.add(
                new Fake(
                        "jwt",
                        "ey" + "JhbGciOiJIUzI1NiJ9.ey" + "J" + letters(60) + "." + letters(43)));
        return fakes;
    }

    /** Without any mark. */
    String unmarked() {
        return any(LETTERS + "+/", 40);
    }

    String password() {
        return "Tr0ub4dor" + letters(4) + random.nextInt(10);
    }

    /** A private key in armour, in lines. */
    String privateKey(String label) {
        StringBuilder key = new StringBuilder("-----BEG" + "IN " + label + "-----\n");
        for (int i = 0; i < 12; i++) {
            key.append(any(LETTERS + "+/", 64)).append('\n');
        }
        return key.append(letters(22))
                .append("==\n-----E")
                .append("ND " + label + "-----")
                .toString();
    }
}
