package dev.glovebox.telemetry;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.glovebox.trace.Blob;
import dev.glovebox.trace.BlobRef;
import dev.glovebox.trace.Entry;
import dev.glovebox.trace.Event;
import dev.glovebox.trace.Event.EffectId;
import dev.glovebox.trace.Event.EffectIntent;
import dev.glovebox.trace.Event.EffectOutcome;
import dev.glovebox.trace.Event.NodeFinished;
import dev.glovebox.trace.Event.NodeStarted;
import dev.glovebox.trace.Event.RunFinished;
import dev.glovebox.trace.Event.RunStarted;
import dev.glovebox.trace.Event.Status;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A run written by hand: each record comes so many milliseconds after the one before. */
final class Tape {

    /** When every tape begins, in microseconds since 1970. */
    static final long START = 1_700_000_000_000_000L;

    private static final JsonMapper JSON = new JsonMapper();
    private static final BlobRef SOMETHING = blob("something").reference(BlobRef.TEXT);

    private final String run;
    private final List<Entry> entries = new ArrayList<>();
    private final Map<String, Long> since = new HashMap<>();
    private long at = START;

    Tape(String run) {
        this.run = run;
    }

    static Blob blob(String text) {
        return Blob.of(text.getBytes(UTF_8));
    }

    static Blob privateBlob(String text) {
        return Blob.salted(text.getBytes(UTF_8));
    }

    /** JSON with single quotes. */
    static JsonNode json(String text) {
        try {
            return JSON.readTree(text.replace('\'', '"'));
        } catch (JsonProcessingException e) {
            throw new AssertionError(text, e);
        }
    }

    Tape after(long millis, Event event) {
        at += millis * 1_000;
        String prev = entries.isEmpty() ? Entry.NOTHING : entries.getLast().hash();
        entries.add(Entry.of(run, entries.size(), at, prev, event));
        return this;
    }

    Tape starts(String kind) {
        return after(0, new RunStarted(kind, "What somebody asked", SOMETHING, "glovebox 0.1.0"));
    }

    Tape stops(long after, String stop) {
        return after(after, new RunFinished(stop, Optional.empty(), Entry.NOTHING));
    }

    Tape enters(long after, String path) {
        since.put(path, at + after * 1_000);
        return after(after, new NodeStarted(path, SOMETHING));
    }

    Tape leaves(long after, String path, String edge) {
        return after(after, new NodeFinished(path, SOMETHING, edge, took(path, after)));
    }

    Tape intends(long after, String path, int ordinal, String kind, String name, String details) {
        EffectId id = id(path, ordinal, kind);
        since.put(id.key(), at + after * 1_000);
        return after(after, new EffectIntent(id, name, SOMETHING, json(details)));
    }

    Tape gets(long after, String path, int ordinal, String kind, Status status, String details) {
        EffectId id = id(path, ordinal, kind);
        return after(
                after,
                new EffectOutcome(
                        id, status, Optional.of(SOMETHING), took(id.key(), after), json(details)));
    }

    private Duration took(String what, long after) {
        long end = at + after * 1_000;
        return Duration.ofNanos((end - since.getOrDefault(what, end)) * 1_000);
    }

    static EffectId id(String path, int ordinal, String kind) {
        return new EffectId(path, ordinal, path + "#" + ordinal, kind);
    }

    List<Entry> entries() {
        return List.copyOf(entries);
    }

    void play(Telemetry telemetry) {
        entries.forEach(telemetry);
    }

    /** A planner that asks a model, then an agent whose tool runs a program that fails. */
    static Tape coder(String run, BlobRef stderr) {
        return new Tape(run)
                .starts("coder")
                .enters(1, "planner")
                .intends(
                        2,
                        "planner",
                        0,
                        "model",
                        "openai:gpt-4o",
                        "{'agent':'planner','provider':'openai','maxTokens':500,"
                                + "'outputType':'json'}")
                .gets(
                        1500,
                        "planner",
                        0,
                        "model",
                        Status.DONE,
                        "{'server':'api.example.com','port':443,'stream':true,"
                                + "'firstChunkMicros':250000,'responseModel':'gpt-4o-2024',"
                                + "'responseId':'r-1','inputTokens':1200,'outputTokens':80,"
                                + "'cacheReadTokens':1000,'cacheCreationTokens':100,"
                                + "'reasoningTokens':30,'finishReasons':['stop'],"
                                + "'cost':{'microDollars':2500}}")
                .leaves(3, "planner", "agent")
                .enters(1, "agent")
                .intends(
                        1,
                        "agent",
                        0,
                        "tool",
                        "run_python",
                        "{'callId':'call-9','toolType':'function','description':'Runs Python'}")
                .intends(
                        2,
                        "agent/run_python",
                        0,
                        "sandbox.exec",
                        "python3",
                        "{'tier':'jail','codeLength':42,'timeoutMillis':1500,"
                                + "'memoryBytes':268435456}")
                .gets(
                        30,
                        "agent/run_python",
                        0,
                        "sandbox.exec",
                        Status.DONE,
                        "{'outcome':{'type':'exited','code':1},'stdoutBytes':17,'stderr':"
                                + stderr.json()
                                + "}")
                .gets(1, "agent", 0, "tool", Status.DONE, "{}")
                .leaves(1, "agent", "end")
                .stops(1, "completed");
    }
}
