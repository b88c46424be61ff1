package dev.glovebox.agent;

import dev.glovebox.sandbox.HostPort;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Finds hosts that are not to be reached. */
final class NetworkText {

    private static final String NETWORK = "network";
    private static final String METADATA = "cloud credentials";

    private static final Map<String, Integer> PORTS =
            Map.of(
                    "http", 80, "https", 443, "ws", 80, "wss", 443, "ftp", 21, "ssh", 22, "git",
                    9418);

    private static final Pattern URL =
            Pattern.compile(
                    "(?i)(?=[hwfsgtulrpmankci])(?<![a-z0-9+.-])"
                            + "(https?|wss?|ftps?|sftp|ssh|git|tcp|udp|ldaps?|gopher|smb|telnet|rsync|nfs"
                            + "|rediss?|postgres(?:ql)?|mysql|mariadb|mongodb(?:\\+srv)?|amqps?|mqtts?|nats"
                            + "|kafka|imaps?|smtps?|pop3s?|rtmps?|rtsps?)"
                            + ":[/\\\\]{1,8}+([^\\s/?#\\\\\"'`<>]{1,2048}+)");

    private static final Pattern COMMAND =
            Pattern.compile(
                    "(?i)\\b(?:curl|wget|telnet|nslookup|dig|ping|nc|ncat|netcat|ssh|scp|rsync)"
                            + "(?:[ \t]{1,3}-{1,2}[a-z0-9-]{1,20}+){0,6}+[ \t]{1,3}"
                            + "(?:[a-z0-9._-]{1,32}@)?"
                            + "([a-z0-9](?:[a-z0-9-]{0,62}+\\.){1,8}(?:[a-z0-9-]{2,63}+|[0-9])|localhost)(?:[ \t:]{1,2}([0-9]{1,5}))?");

    private static final Pattern SHELL =
            Pattern.compile("/dev/(?:tcp|udp)/([^\\s/\"'`]{1,253}+)/([0-9]{1,5})");

    /** Names of vocabularies: nobody goes there. */
    private static final Set<String> VOCABULARIES =
            Set.of("www.w3.org", "json-schema.org", "schemas.xmlsoap.org", "purl.org", "xmlns.com");

    private final List<HostPort> allowed;

    NetworkText(List<HostPort> allowed) {
        this.allowed = allowed;
    }

    /**
     * Looks for hosts.
     *
     * @param all whether every host counts that is not allowed, or only those at which clouds hand
     *     out credentials
     */
    List<Stretch> find(String text, boolean all) {
        List<Stretch> found = new ArrayList<>(Addresses.ofMetadata(text, METADATA));
        if (all) {
            Matcher url = BoundedPattern.matcher(URL, text);
            Torn torn = new Torn(text);
            while (url.find()) {
                int standard = PORTS.getOrDefault(url.group(1).toLowerCase(Locale.ROOT), 0);
                Authority authority = Authority.of(url.group(2), standard);
                String host = torn.isAt(url.end()) ? "" : authority.host();
                add(found, url, host, authority.port());
            }
            Matcher command = BoundedPattern.matcher(COMMAND, text);
            while (command.find()) {
                add(found, command, command.group(1), port(command.group(2), 0));
            }
            Matcher shell = BoundedPattern.matcher(SHELL, text);
            while (shell.find()) {
                add(found, shell, shell.group(1), port(shell.group(2), 0));
            }
        }
        return found;
    }

    private void add(List<Stretch> found, Matcher matcher, String host, int port) {
        String name = host.toLowerCase(Locale.ROOT).replaceAll("\\.$", "");
        boolean passes =
                VOCABULARIES.contains(name)
                        || allowed.stream()
                                .anyMatch(one ->
                                        one.host().equals(name)
                                                && (port == 0 || one.port() == port));
        if (!passes) {
            found.add(new Stretch(matcher.start(), matcher.end(), NETWORK));
        }
    }

    /**
     * Tells whether a backslash parts a host from a sign that makes it the name of a user: some
     * readers of https://a\\@b go to the one, some to the other. The attack on the time is a row of
     * such hosts, so what was looked at for one of them is not looked at again for the next.
     */
    private static final class Torn {

        private static final String SIGNS = "@/ \t\r\n\"'`<>";

        private final String text;
        private int at;

        Torn(String text) {
            this.text = text;
        }

        /** Asked from the beginning of the text to its end. */
        boolean isAt(int end) {
            if (!text.startsWith("\\", end)) {
                return false;
            }
            at = Math.max(at, end);
            int most = Math.min(text.length(), end + Authority.LONGEST);
            while (at < most && SIGNS.indexOf(text.charAt(at)) < 0) {
                at++;
            }
            return at < most && text.charAt(at) == '@';
        }
    }

    private static int port(@Nullable String written, int otherwise) {
        return written == null ? otherwise : Integer.parseInt(written);
    }
}
