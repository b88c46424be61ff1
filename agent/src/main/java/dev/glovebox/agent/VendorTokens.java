package dev.glovebox.agent;

import static dev.glovebox.agent.SecretFinder.isAlphanumeric;
import static dev.glovebox.agent.SecretFinder.isBlank;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Tokens that vendors mark by how they begin, also when they are broken by blanks. */
final class VendorTokens implements SecretFinder {

    private static final int LONGEST = Integer.MAX_VALUE;

    /** Between two characters of a token that is broken. */
    private static final int MOST_BLANKS = 3;

    /** At the beginning of a line on which a token goes on. */
    private static final int MOST_INDENT = 12;

    private static final int LEAST_OF_NEXT_LINE = 12;

    private static final String CAPITALS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
    private static final String DIGITS = "0123456789";
    private static final String HEX = DIGITS + "abcdef";
    private static final String LETTERS = CAPITALS + "abcdefghijklmnopqrstuvwxyz" + DIGITS;
    private static final String URL_SAFE = LETTERS + "_-";

    /**
     * How the tokens of a vendor look.
     *
     * @param loose whether the beginning is also that of ordinary words
     */
    private record Form(
            String kind, String prefix, String alphabet, int least, int most, boolean loose) {

        /** Whether it is known also in the middle of other letters. */
        boolean isLong() {
            return prefix.length() >= 4 && !loose;
        }

        /** Nobody writes words like that. */
        boolean isShouted() {
            return alphabet.equals(CAPITALS + DIGITS);
        }

        boolean has(char c) {
            return alphabet.indexOf(c) >= 0;
        }
    }

    private static Stream<Form> forms(String kind, String alphabet, int least, String... prefixes) {
        return Stream.of(prefixes)
                .map(prefix -> new Form(kind, prefix, alphabet, least, LONGEST, false));
    }

    private static final Map<Character, List<Form>> FORMS =
            byFirst(
                    Stream.of(
                                    forms("anthropic key", URL_SAFE, 20, "sk-ant-"),
                                    forms(
                                            "openai key",
                                            URL_SAFE,
                                            20,
                                            "sk-proj-",
                                            "sk-svcacct-",
                                            "sk-admin-"),
                                    forms("openrouter key", LETTERS, 20, "sk-or-v1-"),
                                    Stream.of(
                                            new Form(
                                                    "openai key",
                                                    "sk-",
                                                    LETTERS,
                                                    20,
                                                    LONGEST,
                                                    true)),
                                    Stream.of("AKIA", "ASIA", "ABIA", "ACCA")
                                            .map(prefix ->
                                                    new Form(
                                                            "aws key",
                                                            prefix,
                                                            CAPITALS + DIGITS,
                                                            16,
                                                            16,
                                                            false)),
                                    forms("google key", URL_SAFE, 35, "AIza"),
                                    forms("google token", URL_SAFE, 20, "ya29.", "GOCSPX-"),
                                    forms(
                                            "github token",
                                            LETTERS,
                                            30,
                                            "ghp_",
                                            "gho_",
                                            "ghu_",
                                            "ghs_",
                                            "ghr_"),
                                    forms("github token", LETTERS + "_", 22, "github_pat_"),
                                    forms(
                                            "gitlab token",
                                            URL_SAFE + ".",
                                            20,
                                            "glpat-",
                                            "gldt-",
                                            "glrt-",
                                            "glcbt-",
                                            "glptt-",
                                            "glsoat-",
                                            "glimt-",
                                            "glft-"),
                                    forms(
                                            "slack token",
                                            LETTERS + "-",
                                            20,
                                            "xoxb-",
                                            "xoxa-",
                                            "xoxp-",
                                            "xoxr-",
                                            "xoxs-",
                                            "xoxe-",
                                            "xapp-"),
                                    forms(
                                            "slack webhook",
                                            LETTERS + "/",
                                            20,
                                            "hooks.slack.com/services/"),
                                    forms(
                                            "discord webhook",
                                            URL_SAFE + "/",
                                            40,
                                            "discord.com/api/webhooks/"),
                                    forms(
                                            "stripe key",
                                            LETTERS,
                                            16,
                                            "sk_live_",
                                            "sk_test_",
                                            "rk_live_",
                                            "rk_test_",
                                            "whsec_"),
                                    forms("npm token", LETTERS, 30, "npm_"),
                                    forms("pypi token", URL_SAFE, 40, "pypi-AgE"),
                                    forms("rubygems key", HEX, 40, "rubygems_"),
                                    forms("hugging face token", LETTERS, 30, "hf_"),
                                    forms(
                                            "model vendor key",
                                            URL_SAFE,
                                            30,
                                            "gsk_",
                                            "xai-",
                                            "pplx-",
                                            "r8_"),
                                    forms("sendgrid key", URL_SAFE + ".", 40, "SG."),
                                    Stream.of(new Form("twilio key", "SK", HEX, 32, 32, false)),
                                    forms(
                                            "digitalocean token",
                                            HEX,
                                            40,
                                            "dop_v1_",
                                            "doo_v1_",
                                            "dor_v1_"),
                                    forms("databricks token", HEX, 32, "dapi"),
                                    forms(
                                            "shopify token",
                                            HEX,
                                            32,
                                            "shpat_",
                                            "shpss_",
                                            "shpca_",
                                            "shppa_"),
                                    forms("square token", URL_SAFE, 22, "sq0atp-", "sq0csp-"),
                                    forms("vault token", URL_SAFE, 24, "hvs.", "hvb.", "hvr."),
                                    forms("docker token", URL_SAFE, 24, "dckr_pat_"),
                                    forms("atlassian token", URL_SAFE + "=", 40, "ATATT3"),
                                    forms("grafana token", LETTERS + "_", 30, "glsa_", "glc_"),
                                    forms(
                                            "access token",
                                            URL_SAFE,
                                            20,
                                            "lin_api_",
                                            "figd_",
                                            "PMAK-",
                                            "NRAK-",
                                            "sntrys_",
                                            "sbp_",
                                            "tskey-",
                                            "dp.pt.",
                                            "dt0c01."),
                                    forms("age key", CAPITALS + DIGITS, 40, "AGE-SECRET-KEY-1"),
                                    forms("jwt", URL_SAFE + ".", 30, "eyJ"))
                            .flatMap(forms -> forms)
                            .toList());

    private static Map<Character, List<Form>> byFirst(List<Form> forms) {
        Map<Character, List<Form>> byFirst = new HashMap<>();
        forms.forEach(form ->
                byFirst.computeIfAbsent(form.prefix.charAt(0), _ -> new ArrayList<>()).add(form));
        return byFirst;
    }

    @Override
    public List<Stretch> find(Reading reading) {
        String text = reading.text();
        List<Stretch> found = new ArrayList<>();
        int at = 0;
        int last = 0;
        while (at < text.length()) {
            int end = at + 1;
            boolean first = at == last || !isAlphanumeric(text.charAt(at - 1));
            for (Form form : FORMS.getOrDefault(text.charAt(at), List.of())) {
                int to = first || form.isLong() ? match(form, text, at) : 0;
                if (to > 0) {
                    found.add(new Stretch(at, to, form.kind));
                    last = to;
                }
                if (to != 0) {
                    end = Math.abs(to);
                    break;
                }
            }
            at = end;
        }
        return found;
    }

    /** Where the token ends that begins here; 0: there is none; negative: and none before that. */
    private static int match(Form form, String text, int from) {
        int body = prefixEnd(form.prefix, text, from);
        if (body == 0) {
            return 0;
        }
        int end = run(form, text, body);
        if (end - body < form.least || body - from != form.prefix.length()) {
            return broken(form, text, body);
        }
        if (end - body > form.most) {
            // Something is glued to it; without a digit it may be a sequence of a protein.
            int last = body + form.most;
            return form.isLong() && Randomness.hasDigit(text.substring(body, last)) ? last : 0;
        }
        String token = text.substring(body, end);
        if (form.kind.equals("jwt")) {
            return token.indexOf('.') < 0 ? -end : nextLines(form, text, end);
        }
        if (form.loose && !(Randomness.hasDigit(token) && Randomness.isMixed(token))) {
            return 0;
        }
        return form.most == form.least ? end : nextLines(form, text, end);
    }

    private static int prefixEnd(String prefix, String text, int from) {
        int at = from;
        for (int i = 0; i < prefix.length(); i++) {
            at = i == 0 ? at : afterBlanks(text, at, MOST_BLANKS);
            if (at >= text.length() || text.charAt(at) != prefix.charAt(i)) {
                return 0;
            }
            at++;
        }
        return at;
    }

    private static int run(Form form, String text, int from) {
        int end = from;
        while (end < text.length() && end - from <= form.most && form.has(text.charAt(end))) {
            end++;
        }
        return end;
    }

    /** Words may follow what only looks like a beginning. */
    private static int broken(Form form, String text, int body) {
        StringBuilder joined = new StringBuilder();
        int at = body;
        while (joined.length() < form.least) {
            at = afterBlanks(text, at, MOST_BLANKS);
            if (at >= text.length() || !form.has(text.charAt(at))) {
                return 0;
            }
            joined.append(text.charAt(at++));
        }
        return form.isShouted() || Randomness.isNoProse(joined.toString())
                ? pieces(form, text, at)
                : 0;
    }

    /** What is broken evenly goes on for as long as the pieces are even. */
    private static int pieces(Form form, String text, int from) {
        int end = run(form, text, from);
        int start = from - 1;
        while (form.has(text.charAt(start - 1))) {
            start--;
        }
        int length = end - start;
        int next = afterBlanks(text, end, MOST_BLANKS);
        int to = run(form, text, next);
        while (to - next == length) {
            end = to;
            next = afterBlanks(text, end, MOST_BLANKS);
            to = run(form, text, next);
        }
        boolean last = to - next < length && Randomness.hasDigit(text.substring(next, to));
        return last ? to : end;
    }

    /** A terminal breaks what is too long for it. */
    private static int nextLines(Form form, String text, int end) {
        int last = end;
        while (last < text.length() && (text.charAt(last) == '\n' || text.charAt(last) == '\r')) {
            int next = afterBlanks(text, last, MOST_INDENT);
            int to = run(form, text, next);
            if (to - next < LEAST_OF_NEXT_LINE || !Randomness.isRandom(text.substring(next, to))) {
                return last;
            }
            last = to;
        }
        return last;
    }

    private static int afterBlanks(String text, int from, int most) {
        int at = from;
        while (at < text.length() && at - from < most && isBlank(text.charAt(at))) {
            at++;
        }
        return at;
    }
}
