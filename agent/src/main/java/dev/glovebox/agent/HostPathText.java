package dev.glovebox.agent;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Finds paths of the host, and files in which people keep credentials. */
final class HostPathText {

    private static final String HOST_PATH = "host path";
    private static final String CREDENTIALS = "credentials";

    /** In characters; a path is not longer on any system. */
    private static final int LONGEST = 4096;

    private static final int LETTERS_OF_OPTION = 4;

    private static final String BEFORE = " \t\r\n\"'`([{<>=:,;|&@!";
    private static final String NOT_IN_PATH = " \t\r\n\"'`()[]{}<>,;|&*?!";

    private static final Pattern CREDENTIAL_FILES =
            Pattern.compile(
                    "(?i)(?=[._iakdcpnl])(?<![a-z0-9_.-])(?:\\.ssh(?=[/\\\\\\s\"'`]|$)|id_(?:rsa|dsa|ecdsa|ed25519)(?![a-z0-9_]|\\.pub)"
                            + "|\\.aws[/\\\\]|\\.gnupg\\b|\\.kube[/\\\\]config|\\.docker[/\\\\]config"
                            + "|\\.netrc\\b|_netrc\\b|\\.pgpass\\b|\\.git-credentials\\b|\\.pypirc\\b"
                            + "|\\.vault-token\\b|\\.bash_history\\b|\\.zsh_history\\b"
                            + "|application_default_credentials\\.json|kubernetes\\.io[/\\\\]serviceaccount"
                            + "|(?:docker|containerd|podman|crio)\\.sock\\b|docker_engine\\b"
                            + "|ntds\\.dit\\b|ntuser\\.dat\\b|login\\.keychain)");

    private static final Pattern WINDOWS =
            Pattern.compile(
                    "(?i)(?<![a-z0-9])[a-z]:[/\\\\](?:users|windows|winnt|programdata|program files"
                            + "|documents and settings|inetpub)\\b"
                            + "|%(?:userprofile|appdata|localappdata|systemroot|windir|homepath)%"
                            + "|\\$env:(?:userprofile|appdata|localappdata|systemroot)\\b");

    private static final Pattern HOME =
            Pattern.compile("(?:~[a-z0-9_-]{0,32}+|\\$HOME\\b|\\$\\{HOME\\})[/\\\\]\\.[A-Za-z]");

    private final HostPlaces places;

    HostPathText(HostPlaces places) {
        this.places = places;
    }

    /**
     * Where they are.
     *
     * @param asks whether the text asks for something; if not, it may be code
     */
    List<Stretch> find(String text, boolean asks) {
        List<Stretch> found = new ArrayList<>();
        all(CREDENTIAL_FILES, CREDENTIALS, text, found);
        all(HOME, CREDENTIALS, text, found);
        all(WINDOWS, HOST_PATH, text, found);
        int at = 0;
        while (at < text.length()) {
            int end = end(text, at);
            int from = begin(text, at, end);
            if (from < end && places.has(text.substring(from, end), asks)) {
                found.add(new Stretch(from, end, HOST_PATH));
            }
            at = end + 1;
        }
        return found;
    }

    private static void all(Pattern pattern, String kind, String text, List<Stretch> found) {
        Matcher matcher = BoundedPattern.matcher(pattern, text);
        while (matcher.find()) {
            found.add(new Stretch(matcher.start(), matcher.end(), kind));
        }
    }

    /** Where a word ends: a list of paths, or an option and a path, are as many words. */
    private static int end(String text, int from) {
        int end = from;
        while (end < text.length()
                && end - from < LONGEST
                && NOT_IN_PATH.indexOf(text.charAt(end)) < 0
                && BEFORE.indexOf(text.charAt(end)) < 0) {
            end++;
        }
        return end;
    }

    /**
     * Where in a word a path begins that is absolute or climbs out; the end, if there is none. What
     * follows a host in a URL is neither.
     *
     * <p>The attacks: {@code a/../../../etc/shadow} begins like a path that stays where it is, and
     * {@code -f/etc/shadow} like none.
     */
    private static int begin(String text, int at, int end) {
        boolean url =
                at > 0
                        && text.charAt(at - 1) == ':'
                        && text.startsWith("//", at)
                        && !text.regionMatches(true, at - 5, "file:", 0, 5);
        if (url) {
            return end;
        }
        if (climbs(text.substring(at, end))) {
            return at;
        }
        boolean begins = at == 0 || BEFORE.indexOf(text.charAt(at - 1)) >= 0;
        int from = begins ? afterOption(text, at, end) : at;
        while (from < end && !(begins && isPath(text, from))) {
            begins = isForeign(text.charAt(from));
            from++;
        }
        return from;
    }

    private static boolean isPath(String text, int at) {
        return text.charAt(at) == '/' || text.startsWith("../", at);
    }

    /** Behind a few letters of an option; where a line begins, it is one that a patch removes. */
    private static int afterOption(String text, int at, int end) {
        boolean line = at > 0 && "\r\n".indexOf(text.charAt(at - 1)) >= 0;
        if (line || at == end || text.charAt(at) != '-') {
            return at;
        }
        int last = at + 1;
        while (last < end
                && last - at <= LETTERS_OF_OPTION
                && SecretFinder.isAlphanumeric(text.charAt(last))) {
            last++;
        }
        return last < end && isPath(text, last) ? last : at;
    }

    /** Whether there may be no blank between it and a path: quotes, dashes, scripts without. */
    private static boolean isForeign(char c) {
        return c >= 0x2000 || (c >= 0x80 && !Character.isLetterOrDigit(c));
    }

    /** Whether it leaves the folder that it begins in. */
    private static boolean climbs(String written) {
        if (!written.contains("..")) {
            return false;
        }
        int depth = 0;
        for (String name : written.replace('\\', '/').split("/")) {
            if (name.equals("..")) {
                depth--;
            } else if (!name.isEmpty() && !name.equals(".")) {
                depth++;
            }
            if (depth < 0) {
                return true;
            }
        }
        return false;
    }
}
