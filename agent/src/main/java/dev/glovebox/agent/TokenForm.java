package dev.glovebox.agent;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * How the tokens of a vendor look.
 *
 * @param loose whether the beginning is also that of ordinary words
 */
record TokenForm(String kind, String prefix, String alphabet, int least, int most, boolean loose) {

    private static final int LONGEST = Integer.MAX_VALUE;

    private static final String CAPITALS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
    private static final String DIGITS = "0123456789";
    private static final String HEX = DIGITS + "abcdef";
    private static final String LETTERS = CAPITALS + "abcdefghijklmnopqrstuvwxyz" + DIGITS;
    private static final String URL_SAFE = LETTERS + "_-";

    private static Stream<TokenForm> forms(
            String kind, String alphabet, int least, String... prefixes) {
        return Stream.of(prefixes)
                .map(prefix -> new TokenForm(kind, prefix, alphabet, least, LONGEST, false));
    }

    private static final Map<Character, List<TokenForm>> BY_FIRST =
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
                                            new TokenForm(
                                                    "openai key",
                                                    "sk-",
                                                    LETTERS,
                                                    20,
                                                    LONGEST,
                                                    true)),
                                    Stream.of("AKIA", "ASIA", "ABIA", "ACCA")
                                            .map(prefix ->
                                                    new TokenForm(
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
                                    Stream.of(
                                            new TokenForm("twilio key", "SK", HEX, 32, 32, false)),
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

    private static Map<Character, List<TokenForm>> byFirst(List<TokenForm> forms) {
        Map<Character, List<TokenForm>> byFirst = new HashMap<>();
        forms.forEach(form ->
                byFirst.computeIfAbsent(form.prefix().charAt(0), _ -> new ArrayList<>()).add(form));
        return byFirst;
    }

    /** Those that begin with a character. */
    static List<TokenForm> of(char first) {
        return BY_FIRST.getOrDefault(first, List.of());
    }

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
