package dev.glovebox.sandbox.opensandbox;

import java.io.IOException;

/** The server refused, answered nonsense, or did not answer. */
final class ServerTrouble extends IOException {

    private static final long serialVersionUID = 1L;
    private static final int NOT_FOUND = 404;
    private static final int LONGEST = 300;

    private final int status;
    private final Kind kind;

    private enum Kind {
        REFUSED,
        NONSENSE,
        GONE,
        UNREACHABLE
    }

    private ServerTrouble(String message, int status, Kind kind) {
        super(message);
        this.status = status;
        this.kind = kind;
    }

    static ServerTrouble refused(int status, String what) {
        return new ServerTrouble(
                "the server answered " + status + (what.isEmpty() ? "" : ": " + line(what)),
                status,
                Kind.REFUSED);
    }

    static ServerTrouble nonsense(String what) {
        return new ServerTrouble("the server answered nonsense: " + line(what), 0, Kind.NONSENSE);
    }

    static ServerTrouble gone(String what) {
        return new ServerTrouble("the server is gone: " + line(what), 0, Kind.GONE);
    }

    static ServerTrouble unreachable(String what) {
        return new ServerTrouble(
                "the server cannot be reached: " + line(what), 0, Kind.UNREACHABLE);
    }

    boolean missing() {
        return status == NOT_FOUND;
    }

    /** Whether it said no, in good form. */
    boolean refusal() {
        return kind == Kind.REFUSED;
    }

    /** Whether there is nobody to talk to any more. */
    boolean gone() {
        return kind == Kind.GONE || kind == Kind.UNREACHABLE;
    }

    /** Whether anything can have come of the request. */
    boolean reached() {
        return kind != Kind.UNREACHABLE;
    }

    /** What a server said may play with a terminal, and have no end. */
    static String line(String text) {
        String cut = text.length() > LONGEST ? text.substring(0, LONGEST) + "…" : text;
        return cut.replaceAll("[^\\P{C}]", "?");
    }
}
