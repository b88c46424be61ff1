package dev.glovebox.sandbox.internal;

import dev.glovebox.sandbox.HostPort;
import dev.glovebox.sandbox.InvalidPolicy;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a client asks a proxy for: a tunnel to a place, or one request to be passed on to it.
 *
 * <p>The place is what the request line says, never what a field says.
 */
sealed interface GateRequest {

    Pattern LINE =
            Pattern.compile("([!#$%&'*+.^_`|~0-9A-Za-z-]{1,32}) ([\\x21-\\x7e]+) (HTTP/1\\.[01])");
    Pattern URL = Pattern.compile("(?i:http)://([^/?#]*)([/?][^#]*)?");
    Pattern WITH_PORT = Pattern.compile(".*:[0-9]{1,5}");
    int HTTP_PORT = 80;
    int LONGEST_SHOWN = 255;

    /** Where it wants to go. */
    HostPort place();

    /** CONNECT: bytes in both directions, whatever they mean. */
    record Tunnel(HostPort place) implements GateRequest {}

    /** A request with its whole address in the first line, as it is passed on. */
    record Single(HostPort place, String method, HttpHead head, HttpBody body)
            implements GateRequest {}

    /** What was asked for, in the client's own words, for the record of what was refused. */
    static String target(HttpHead head) {
        String[] words = head.first().split(" ", 3);
        String target = words.length > 1 ? words[1] : head.first();
        String shown = target.replaceAll("[^\\x21-\\x7e]", "?");
        return shown.length() <= LONGEST_SHOWN ? shown : shown.substring(0, LONGEST_SHOWN) + "…";
    }

    static GateRequest of(HttpHead head) throws Refused {
        Matcher line = LINE.matcher(head.first());
        if (!line.matches()) {
            throw Refused.unclear("it is not a request of HTTP/1");
        }
        String method = line.group(1);
        String target = line.group(2);
        HttpBody body = head.body();
        if (method.equals("CONNECT")) {
            return new Tunnel(place(target));
        }
        Matcher url = URL.matcher(target);
        if (!url.matches()) {
            throw Refused.unclear(
                    "only CONNECT and whole http:// addresses are served here, for this is a proxy");
        }
        String authority = url.group(1);
        HostPort place =
                place(WITH_PORT.matcher(authority).matches() ? authority : authority + ":80");
        String path = url.group(2) == null ? "/" : url.group(2);
        String first =
                method + " " + (path.startsWith("?") ? "/" : "") + path + " " + line.group(3);
        List<HttpHead.Field> fields = new ArrayList<>();
        String host = place.port() == HTTP_PORT ? place.host() : place.toString();
        fields.add(new HttpHead.Field("Host", host));
        fields.addAll(body.fields());
        fields.add(new HttpHead.Field("Connection", "close"));
        HttpHead passed =
                head.passedOn(first, Set.of("host"), fields.toArray(HttpHead.Field[]::new));
        return new Single(place, method.toUpperCase(Locale.ROOT), passed, body);
    }

    private static HostPort place(String text) throws Refused {
        try {
            return HostPort.parse(text);
        } catch (InvalidPolicy e) {
            throw Refused.forbidden(e.getMessage());
        }
    }
}
