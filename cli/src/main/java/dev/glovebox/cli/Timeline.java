package dev.glovebox.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.glovebox.agent.SandboxExec;
import dev.glovebox.trace.Blob;
import dev.glovebox.trace.BlobRef;
import dev.glovebox.trace.Entry;
import dev.glovebox.trace.Event;
import dev.glovebox.trace.Malformed;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The records of a run as lines for people. */
final class Timeline {

    private static final int MOST_LINES = 6;
    private static final int WIDEST = 100;
    private static final int LARGEST_SHOWN = 1 << 20;
    private static final String INDENT = " ".repeat(26);

    private static final JsonMapper MAPPER = new JsonMapper();

    private final Function<String, Optional<Blob>> blobs;
    private final long start;
    private final Paint paint;
    private final Set<String> begun = new HashSet<>();

    Timeline(Function<String, Optional<Blob>> blobs, long start, Paint paint) {
        this.blobs = blobs;
        this.start = start;
        this.paint = paint;
    }

    /** One line on what happened, and some of the content. */
    List<String> lines(Entry entry) {
        List<String> lines = new ArrayList<>();
        Event event = event(entry);
        switch (event) {
            case Event.RunStarted e -> {
                lines.add(line(entry, "", "run started by " + e.software()));
            }
            case Event.RunClaimed e ->
                    lines.add(line(entry, "", "taken over by " + e.by() + " (" + e.epoch() + ")"));
            case Event.NodeStarted e -> lines.add(line(entry, "", "> " + e.path()));
            case Event.NodeFinished e ->
                    lines.add(
                            line(
                                    entry,
                                    "",
                                    "< " + e.path() + " then " + e.edge() + took(e.took())));
            case Event.NodeFailed e ->
                    lines.add(
                            line(
                                    entry,
                                    "",
                                    "< " + e.path() + " failed" + said(e) + took(e.took())));
            case Event.EffectIntent e when !begun.add(e.id().key()) ->
                    lines.add(
                            line(
                                    entry,
                                    before(e.id()),
                                    e.id().kind() + "  " + e.name() + "  once more"));
            case Event.EffectIntent e -> {
                lines.add(line(entry, before(e.id()), e.id().kind() + "  " + e.name()));
                if (e.id().kind().equals(SandboxExec.KIND)) {
                    stream("", e.details().path("source"), lines);
                    stream("args ", e.details().path("arguments"), lines);
                } else {
                    show("", e.arguments(), lines);
                }
            }
            case Event.EffectOutcome e -> {
                begun.remove(e.id().key());
                lines.add(line(entry, after(e.id()), e.id().kind() + "  " + outcome(e)));
                if (e.status() == Event.Status.DONE && !e.id().kind().equals(SandboxExec.KIND)) {
                    e.result().ifPresent(result -> show("", result, lines));
                }
                stream("in ", e.details().path("stdin"), lines);
                stream("", e.details().path("stdout"), lines);
                stream("err ", e.details().path("stderr"), lines);
            }
            case Event.Noted e -> lines.add(line(entry, "", "note: " + e.text()));
            case Event.BlobRedacted e ->
                    lines.add(line(entry, "", "content deleted: " + e.reason()));
            case Event.RunFinished e -> lines.add(line(entry, "", "run finished: " + e.stop()));
            case Event.Other e -> lines.add(line(entry, "", e.type()));
        }
        return lines;
    }

    /** What the trace says may be anything; verifying it is for another command. */
    private static Event event(Entry entry) {
        try {
            return entry.event();
        } catch (Malformed e) {
            return new Event.Other(entry.type(), entry.version(), entry.rawBody());
        }
    }

    private String line(Entry entry, String step, String what) {
        String at =
                String.format(
                        Locale.ROOT, "%5d %9.3f s  ", entry.seq(), (entry.at() - start) / 1e6);
        String padded = String.format(Locale.ROOT, "%-8s", step);
        String painted =
                switch (step) {
                    case "think" -> paint.thought(padded);
                    case "act" -> paint.act(padded);
                    case "observe" -> paint.good(padded);
                    default -> padded;
                };
        return paint.faint(at) + painted + Shell.oneLine(what);
    }

    private static String before(Event.EffectId id) {
        return id.kind().equals(Event.EffectId.MODEL) ? "think" : "act";
    }

    private static String after(Event.EffectId id) {
        return id.kind().equals(Event.EffectId.MODEL) ? "think" : "observe";
    }

    private String outcome(Event.EffectOutcome effect) {
        JsonNode how = effect.details().path("outcome");
        String type = how.path("type").asText(effect.status().name().toLowerCase(Locale.ROOT));
        String facts =
                how.properties().stream()
                        .filter(member -> !member.getKey().equals("type"))
                        .map(member -> " " + member.getValue().asText())
                        .collect(Collectors.joining());
        return type + facts + why(effect) + took(effect.took());
    }

    /** Why nothing came of it: in the record, or apart from it if that is private. */
    private String why(Event.EffectOutcome effect) {
        if (effect.status() == Event.Status.DONE) {
            return "";
        }
        JsonNode told =
                effect.result()
                        .flatMap(kept -> blobs.apply(kept.digest()))
                        .map(Timeline::json)
                        .orElseGet(effect::details);
        String message = told.at("/problem/message").asText();
        return message.isEmpty() ? "" : ": " + message;
    }

    private static JsonNode json(Blob blob) {
        try {
            return MAPPER.readTree(blob.content());
        } catch (IOException e) {
            return MissingNode.getInstance(); // verifying is for another command
        }
    }

    /** The records of private runs do not say why. */
    private static String said(Event.NodeFailed node) {
        return node.told().map(problem -> ": " + problem).orElse("");
    }

    private static String took(Duration duration) {
        return "  " + Times.took(duration);
    }

    private void stream(String name, JsonNode reference, List<String> lines) {
        if (reference.has("blob")) {
            show(name, BlobRef.of(reference), lines);
        }
    }

    private void show(String name, BlobRef reference, List<String> lines) {
        if (reference.bytes() == 0 || reference.bytes() > LARGEST_SHOWN || reference.list()) {
            return;
        }
        Optional<Blob> blob = blobs.apply(reference.digest());
        if (blob.isEmpty()) {
            lines.add(INDENT + paint.faint(name + "(deleted)"));
            return;
        }
        Optional<String> text = JsonReport.text(blob.get().content());
        if (text.isEmpty()) {
            lines.add(INDENT + paint.faint(name + reference.bytes() + " bytes"));
            return;
        }
        List<String> all = text.get().lines().toList();
        for (String line : all.subList(0, Math.min(MOST_LINES, all.size()))) {
            lines.add(INDENT + paint.faint(name + "| ") + cut(Shell.printable(line)));
        }
        if (all.size() > MOST_LINES) {
            lines.add(
                    INDENT
                            + paint.faint(
                                    name + "| … " + (all.size() - MOST_LINES) + " more lines"));
        }
    }

    private static String cut(String line) {
        return line.length() <= WIDEST ? line : line.substring(0, WIDEST - 1) + "…";
    }
}
