package dev.glovebox.sandbox;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** One port of one host that a box may connect to; the name is kept in lower case. */
public record HostPort(String host, int port) {

    private static final String LABEL = "[a-zA-Z0-9]([a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?";
    private static final Pattern NAME =
            Pattern.compile("(?=.{1,253}$)" + LABEL + "(\\." + LABEL + ")*");
    private static final Pattern NUMERIC = Pattern.compile("(.*\\.)?([0-9]+|0[xX][0-9a-fA-F]*)");
    private static final Pattern BYTE =
            Pattern.compile("25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9]");
    private static final Pattern IPV4 = Pattern.compile("((" + BYTE + ")\\.){3}(" + BYTE + ")");
    private static final Pattern TEXT = Pattern.compile("([^:]+):([0-9]{1,5})");
    private static final int LAST_PORT = 65535;

    public HostPort {
        // Resolvers read 0x7f.1 and 2130706433 as 127.0.0.1: whatever ends in a number is an
        // address.
        boolean address = NUMERIC.matcher(host).matches();
        if (!(address ? IPV4 : NAME).matcher(host).matches()) {
            throw new InvalidPolicy(Wording.quote(host) + " is not a host name or IPv4 address");
        }
        if (port < 1 || port > LAST_PORT) {
            throw new InvalidPolicy("Port " + port + " of " + host + " is not between 1 and 65535");
        }
        host = host.toLowerCase(Locale.ROOT);
    }

    /**
     * Reads {@code host:port}.
     *
     * @throws InvalidPolicy if it is something else
     */
    public static HostPort parse(String text) {
        Matcher matcher = TEXT.matcher(text);
        if (!matcher.matches()) {
            throw new InvalidPolicy(
                    Wording.quote(text) + " is not HOST:PORT, such as api.example.com:443");
        }
        return new HostPort(matcher.group(1), Integer.parseInt(matcher.group(2)));
    }

    @Override
    public String toString() {
        return host + ":" + port;
    }
}
