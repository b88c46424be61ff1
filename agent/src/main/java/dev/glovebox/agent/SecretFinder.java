package dev.glovebox.agent;

import java.util.List;

/** Finds one sort of secrets, in time that grows with the length of the text. */
@FunctionalInterface
interface SecretFinder {

    /** Where they are in the text of the reading. */
    List<Stretch> find(Reading reading);

    static boolean isAlphanumeric(char c) {
        return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
    }

    static boolean isBase64(char c) {
        return isAlphanumeric(c) || c == '+' || c == '/' || c == '=' || c == '-' || c == '_';
    }

    static boolean isBlank(char c) {
        return c == ' ' || c == '\n' || c == '\t' || c == '\r';
    }
}
