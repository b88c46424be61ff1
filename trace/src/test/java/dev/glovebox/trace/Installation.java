package dev.glovebox.trace;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.glovebox.trace.Event.EffectId;
import dev.glovebox.trace.Event.EffectIntent;
import dev.glovebox.trace.Event.EffectOutcome;
import dev.glovebox.trace.Event.Noted;
import dev.glovebox.trace.Event.Status;
import dev.glovebox.trace.conformance.StoreInFront;
import dev.glovebox.trace.spi.Append;
import dev.glovebox.trace.spi.TraceStore;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;

/** An installation in memory, with runs as agents make them. */
final class Installation implements AutoCloseable {

    final MemoryStore store;
    final Path keys;
    final Trace trace;
    // What the next appends get for an answer, without being kept.
    final Queue<CompletableFuture<Void>> answers = new ConcurrentLinkedQueue<>();
    volatile Runnable beforeErasing = () -> {};

    /** Does what a test wants before the store does what it is asked to. */
    private final class Hooked extends StoreInFront {

        Hooked(TraceStore store) {
            super(store);
        }

        @Override
        public CompletableFuture<Void> append(Append append) {
            CompletableFuture<Void> answer = answers.poll();
            return answer == null ? super.append(append) : answer;
        }

        @Override
        public boolean erase(String digest, Set<String> runs) {
            beforeErasing.run();
            return super.erase(digest, runs);
        }
    }

    Installation(Path keys) {
        this(new MemoryStore(), keys);
    }

    Installation(MemoryStore store, Path keys) {
        this.store = store;
        this.keys = keys;
        this.trace = Trace.open(new Hooked(store), keys);
    }

    static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    Recorder start(String title) {
        return trace.start("test", title, utf8("input of " + title), BlobRef.TEXT);
    }

    /** A run with so many records: model calls over a growing list, tools, notes. */
    String finished(String title, int records) {
        Recorder recorder = unfinished(title, records - 1);
        recorder.finish("Completed", recorder.keep(utf8("result"), BlobRef.TEXT));
        return recorder.run();
    }

    Recorder unfinished(String title, int records) {
        Recorder recorder = start(title);
        List<JsonNode> messages = new ArrayList<>();
        KeptList before = KeptList.EMPTY;
        while (recorder.size() < records) {
            long i = recorder.size();
            EffectId id =
                    new EffectId("agent/loop:" + i, i, "key-" + i, i % 3 == 0 ? "model" : "tool");
            if (i % 50 == 1 && recorder.size() + 1 < records) {
                messages.add(
                        JsonNodeFactory.instance.objectNode().put("role", "user").put("at", i));
                messages.add(recorder.keep(utf8("message " + i), BlobRef.TEXT).json());
                KeptList list = recorder.keepList(before, messages);
                before = list;
                var _ =
                        recorder.submit(
                                new EffectIntent(id, "a-model", list.reference(), Event.NONE));
            } else if (i % 50 == 2) {
                var _ =
                        recorder.submit(
                                new EffectOutcome(
                                        id,
                                        Status.DONE,
                                        Optional.of(
                                                recorder.keepPrivate(
                                                        utf8("secret " + i), BlobRef.JSON)),
                                        Duration.ofMillis(i),
                                        Event.NONE));
            } else {
                var _ = recorder.submit(new Noted("agent/loop:" + i, i, title + " \u00e9 " + i));
            }
        }
        return recorder;
    }

    byte[] export(String run) {
        try {
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            trace.export(run, out);
            return out.toByteArray();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    List<VerifyingKey> trusted() {
        return List.of(trace.key());
    }

    @Override
    public void close() {
        trace.close();
    }
}
