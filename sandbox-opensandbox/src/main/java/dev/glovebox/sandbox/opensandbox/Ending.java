package dev.glovebox.sandbox.opensandbox;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.databind.JsonNode;
import dev.glovebox.sandbox.Limit;
import dev.glovebox.sandbox.Limits;
import dev.glovebox.sandbox.Outcome;
import dev.glovebox.sandbox.Pressure;
import java.time.Duration;
import java.util.List;

/**
 * What the agent says of a program's end; the program could have spoken for it.
 *
 * @param kind why it ended
 * @param status what the kernel said; negative if it said nothing
 * @param peak the most that was seen of what was too much
 */
record Ending(
        String kind,
        int status,
        long peak,
        Duration took,
        Duration cpu,
        long memory,
        boolean filesFull,
        Sum out,
        Sum err,
        String reason) {

    /** How much was written to a stream, and its SHA-256. */
    record Sum(long total, String digest) {

        static final Sum NONE = new Sum(0, "");

        private static Sum of(JsonNode told) {
            String digest = told.path("digest").asText();
            return digest.matches("[0-9a-f]{64}")
                    ? new Sum(Math.max(0, told.path("total").asLong()), digest)
                    : NONE;
        }
    }

    static final Ending NONE =
            new Ending(
                    "none", -1, 0, Duration.ZERO, Duration.ZERO, 0, false, Sum.NONE, Sum.NONE, "");

    private static final int SIGNAL = 0x7f;

    static Ending read(String text) throws ServerTrouble {
        try {
            JsonNode told = Wire.JSON.readTree(text);
            return new Ending(
                    told.path("kind").asText(),
                    told.path("status").isInt() ? told.path("status").asInt() & 0xffff : -1,
                    Math.max(0, told.path("peak").asLong()),
                    time(told.path("took")),
                    time(told.path("cpu")),
                    Math.max(0, told.path("memory").asLong()),
                    told.path("pressure").toString().contains("open-files"),
                    Sum.of(told.path("out")),
                    Sum.of(told.path("err")),
                    ServerTrouble.line(told.path("reason").asText()));
        } catch (JacksonException e) {
            throw ServerTrouble.nonsense("an end that is no JSON");
        }
    }

    private static Duration time(JsonNode told) {
        return Duration.ofMillis(Math.clamp(told.asLong(), 0, Integer.MAX_VALUE));
    }

    static long number(String text) {
        return text.matches("[0-9]{1,15}") ? Long.parseLong(text) : 0;
    }

    Outcome outcome(Limits limits) {
        return switch (kind) {
            case "ended" -> byStatus();
            case "wall" -> new Outcome.TimedOut(limits.wall());
            case "memory" -> hit(Limit.MEMORY, limits.memory().count());
            case "cpu-time" -> hit(Limit.CPU_TIME, limits.cpuTime().toMillis());
            case "processes" -> hit(Limit.PROCESSES, limits.processes());
            case "disk" -> hit(Limit.DISK, limits.disk().count());
            case "killed" -> new Outcome.Cancelled("somebody in the box asked for it");
            case "not-started" -> new Outcome.NotStarted(reason);
            default -> new Outcome.Unknown("the agent says: " + ServerTrouble.line(kind + reason));
        };
    }

    private Outcome hit(Limit limit, long value) {
        return new Outcome.LimitHit(limit, value, Math.max(value, peak));
    }

    private Outcome byStatus() {
        if (status < 0) {
            return new Outcome.Unknown("the agent does not know how it ended");
        }
        int signal = status & SIGNAL;
        return signal == 0 ? new Outcome.Exited(status >> 8) : new Outcome.Signalled(signal);
    }

    List<Pressure> pressure(Limits limits) {
        return filesFull
                ? List.of(
                        new Pressure(
                                Limit.OPEN_FILES,
                                "no more than " + limits.openFiles() + " files open at once"))
                : List.of();
    }
}
