package dev.glovebox.telemetry;

import dev.glovebox.trace.BlobRef;
import dev.glovebox.trace.Entry;
import dev.glovebox.trace.Event;
import dev.glovebox.trace.Event.BlobRedacted;
import dev.glovebox.trace.Event.EffectId;
import dev.glovebox.trace.Event.EffectIntent;
import dev.glovebox.trace.Event.EffectOutcome;
import dev.glovebox.trace.Event.NodeFailed;
import dev.glovebox.trace.Event.NodeFinished;
import dev.glovebox.trace.Event.NodeStarted;
import dev.glovebox.trace.Event.Noted;
import dev.glovebox.trace.Event.Other;
import dev.glovebox.trace.Event.RunClaimed;
import dev.glovebox.trace.Event.RunFinished;
import dev.glovebox.trace.Event.RunStarted;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.common.AttributesBuilder;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * Shows one run, from record to record.
 *
 * <p>A run may be seen from its middle on. Then its root begins with the first record that was
 * seen, and a node or effect whose beginning was not seen begins where its end says that it did.
 */
final class RunSpans {

    // Neither good nor bad: somebody wanted it so, or has to say something first.
    private static final Set<String> NEITHER = Set.of("cancelled", "needsinput");
    private static final String COMPLETED = "completed";
    // The node in which an agent with a run of its own asks its model.
    private static final String THINK = "think";

    private final Spans spans;
    private final Measures measures;
    private final String run;
    private Attributes about;
    private final Span root;
    private final long startedAt;
    private final OpenSpans open = new OpenSpans();
    private long seq = -1;
    private long at;
    private boolean counts = true;

    RunSpans(Spans spans, Measures measures, Entry first, Event event) {
        this.spans = spans;
        this.measures = measures;
        run = first.run();
        startedAt = first.at();
        about = about(run, event);
        root =
                spans.begin(
                        run,
                        DerivedIds.root(),
                        Span.getInvalid(),
                        EffectKind.named(
                                Names.INVOKE_WORKFLOW,
                                Optional.ofNullable(about.get(Names.WORKFLOW)).orElse("")),
                        SpanKind.INTERNAL,
                        about,
                        startedAt);
    }

    // The title is not among them: it may be what somebody asked.
    private static Attributes about(String run, Event event) {
        AttributesBuilder attributes =
                Attributes.builder()
                        .put(Names.OPERATION, Names.INVOKE_WORKFLOW)
                        .put(Names.RUN_ID, run);
        return event instanceof RunStarted started
                ? attributes
                        .put(Names.WORKFLOW, started.kind())
                        .put(Names.SOFTWARE, started.software())
                        .build()
                : attributes.put(Names.PARTIAL, true).build();
    }

    /** Whether what comes is counted. */
    RunSpans counting(boolean isNew) {
        counts = isNew;
        return this;
    }

    /**
     * Shows one more record; one that was seen before is passed over.
     *
     * @param preview the beginning of what a program wrote to its standard error
     * @param attempts that the run has made, if this is its end
     * @return whether it was the last one
     */
    boolean accept(Entry entry, Event event, Optional<String> preview, RunAttempts attempts) {
        if (entry.seq() <= seq) {
            return false;
        }
        seq = entry.seq();
        at = entry.at();
        switch (event) {
            case RunStarted e -> {}
            case RunClaimed e ->
                    happened(
                            root,
                            entry,
                            Attributes.of(Names.EPOCH, e.epoch(), Names.CLAIMED_BY, e.by()));
            case NodeStarted e -> nodeStarted(entry, e);
            case NodeFinished e -> nodeFinished(e);
            case NodeFailed e -> nodeFailed(e);
            case EffectIntent e -> intended(entry, e);
            case EffectOutcome e -> cameOut(e, preview);
            // The text of a note is not shown: nobody knows what is in it.
            case Noted e ->
                    happened(
                            around(e.path()),
                            entry,
                            Attributes.of(Names.PATH, e.path(), Names.ORDINAL, e.ordinal()));
            case BlobRedacted e -> happened(root, entry, Attributes.empty());
            case Other e ->
                    happened(
                            around(e.rawBody().path("derived").path("path").asText("")),
                            entry,
                            Attributes.of(Names.VERSION, e.version()));
            case RunFinished e -> {
                finished(e, attempts);
                return true;
            }
        }
        return false;
    }

    private void nodeStarted(Entry entry, NodeStarted event) {
        // If somebody took the run over and does the node again, it is the same node.
        open.node(event.path())
                .ifPresentOrElse(
                        node -> happened(node, entry, Attributes.empty()),
                        () -> open.addNode(event.path(), node(event.path(), at)));
    }

    private Span node(String path, long from) {
        return spans.begin(
                run,
                DerivedIds.node(path),
                around(path),
                EffectKind.named(Names.NODE, path.substring(path.lastIndexOf('/') + 1)),
                SpanKind.INTERNAL,
                Attributes.of(Names.PATH, path),
                from);
    }

    private void nodeFinished(NodeFinished event) {
        Span node = ended(event.path(), event.took());
        node.setAttribute(Names.EDGE, event.edge());
        end(node);
    }

    private void nodeFailed(NodeFailed event) {
        // What went wrong is not shown: nobody knows what is in it.
        Span node = ended(event.path(), event.took());
        node.setStatus(StatusCode.ERROR);
        end(node);
    }

    private Span ended(String path, Duration took) {
        return open.removeNode(path).orElseGet(() -> node(path, before(took)));
    }

    private void intended(Entry entry, EffectIntent event) {
        open.effect(event.id().key())
                .ifPresentOrElse(
                        effect -> happened(effect.span(), entry, Attributes.empty()),
                        () -> {
                            OpenSpans.Effect effect = effect(event, at);
                            open.addEffect(effect);
                            if (isOfAgent(effect)) {
                                nameAgent(effect.before());
                            }
                        });
    }

    /** Whether the run is that of one agent: it is asked for as such, and has its name. */
    private boolean isOfAgent(OpenSpans.Effect effect) {
        String agent = effect.before().get(Names.AGENT);
        return effect.kind() instanceof ModelCall
                && agent != null
                && agent.equals(about.get(Names.WORKFLOW))
                && effect.id().path().split("#", 2)[0].equals(THINK);
    }

    /** Only its first question shows that it is one; to ask again changes nothing. */
    private void nameAgent(Attributes question) {
        if (about.get(Names.AGENT) != null) {
            return;
        }
        AttributesBuilder agent =
                about.toBuilder()
                        .put(Names.OPERATION, Names.INVOKE_AGENT)
                        .put(Names.AGENT, question.get(Names.AGENT));
        Optional.ofNullable(question.get(Names.PROVIDER))
                .ifPresent(provider -> agent.put(Names.PROVIDER, provider));
        about = agent.build();
        root.updateName(EffectKind.named(Names.INVOKE_AGENT, about.get(Names.AGENT)));
        root.setAllAttributes(about);
    }

    private OpenSpans.Effect effect(EffectIntent intent, long from) {
        EffectId id = intent.id();
        EffectKind kind = EffectKind.of(id.kind());
        Attributes before = before(kind, intent);
        Span span =
                spans.begin(
                        run,
                        DerivedIds.effect(id.key()),
                        around(intent),
                        kind.spanName(intent),
                        kind.spanKind(),
                        before,
                        from);
        return new OpenSpans.Effect(intent, kind, before, span);
    }

    private static Attributes before(EffectKind kind, EffectIntent intent) {
        return kind.before(intent).toBuilder()
                .put(Names.PATH, intent.id().path())
                .put(Names.EFFECT_KEY, intent.id().key())
                .build();
    }

    private void cameOut(EffectOutcome outcome, Optional<String> preview) {
        OpenSpans.Effect effect =
                open.removeEffect(outcome.id().key()).orElseGet(() -> unseen(outcome));
        preview.ifPresent(text -> effect.span().setAttribute(Names.STDERR_PREVIEW, text));
        if (effect.kind() instanceof ToolCall && SandboxExec.isIn(outcome)) {
            cameOut(program(effect, outcome), outcome);
        }
        cameOut(effect, outcome);
    }

    private void cameOut(OpenSpans.Effect effect, EffectOutcome outcome) {
        EffectKind kind = effect.kind();
        Attributes after = kind.after(outcome);
        Span span = effect.span();
        span.setAllAttributes(after);
        span.setStatus(after.get(Names.ERROR_TYPE) == null ? kind.fine() : StatusCode.ERROR);
        end(span);
        if (counts) {
            Attributes all = effect.before().toBuilder().putAll(after).build();
            kind.measure(all, outcome.took(), measures);
        }
    }

    /** The program that a tool ran as a part of its own effect. */
    private OpenSpans.Effect program(OpenSpans.Effect tool, EffectOutcome outcome) {
        SandboxExec kind = new SandboxExec();
        Attributes before = before(kind, tool.intent());
        Span span =
                spans.begin(
                        run,
                        DerivedIds.program(outcome.id().key()),
                        tool.span(),
                        kind.spanName(tool.intent()),
                        kind.spanKind(),
                        before,
                        before(outcome.took()));
        return new OpenSpans.Effect(tool.intent(), kind, before, span);
    }

    private OpenSpans.Effect unseen(EffectOutcome outcome) {
        BlobRef nothing = new BlobRef(Entry.NOTHING, 0, BlobRef.BYTES, false);
        return effect(
                new EffectIntent(outcome.id(), "", nothing, Event.NONE), before(outcome.took()));
    }

    private void finished(RunFinished event, RunAttempts attempts) {
        AttributesBuilder ended = about.toBuilder().put(Names.STOP, event.stop());
        String stop = event.stop().toLowerCase(Locale.ROOT).replaceAll("[^a-z]", "");
        StatusCode status = StatusCode.UNSET;
        if (stop.equals(COMPLETED)) {
            status = StatusCode.OK;
        } else if (!NEITHER.contains(stop)) {
            status = StatusCode.ERROR;
            ended.put(Names.ERROR_TYPE, event.stop());
        }
        Attributes all = ended.build();
        open.removeAll().forEach(this::endUnfinished);
        root.setAllAttributes(all);
        root.setStatus(status);
        end(root);
        if (counts) {
            count(all, attempts);
        }
    }

    private void count(Attributes ended, RunAttempts attempts) {
        measures.stop(ended);
        measures.attempts(ended, attempts);
        if (about.get(Names.PARTIAL) != null) {
            return;
        }
        Duration took = Duration.of(at - startedAt, ChronoUnit.MICROS);
        if (about.get(Names.AGENT) == null) {
            measures.run(ended, took);
        } else {
            measures.agent(ended, took);
        }
    }

    /** Ends all that is open, as of the last record that was seen. */
    void abandon() {
        open.removeAll().forEach(this::endUnfinished);
        endUnfinished(root);
    }

    private void endUnfinished(Span span) {
        span.setAttribute(Names.UNFINISHED, true);
        end(span);
    }

    private void end(Span span) {
        span.end(at, TimeUnit.MICROSECONDS);
    }

    private void happened(Span span, Entry entry, Attributes attributes) {
        span.addEvent(entry.type(), attributes, at, TimeUnit.MICROSECONDS);
    }

    private long before(Duration took) {
        return Math.max(0, at - took.toNanos() / 1_000);
    }

    private Span around(String path) {
        return open.around(path).orElse(root);
    }

    /** The effect that the details name; its id is known even if its beginning was not seen. */
    private Span around(EffectIntent intent) {
        return Member.textOf(intent.details().path("parent"))
                .map(key ->
                        open.effect(key)
                                .map(OpenSpans.Effect::span)
                                .orElseGet(() -> elsewhere(key)))
                .orElseGet(() -> around(intent.id().path()));
    }

    private Span elsewhere(String key) {
        return Spans.elsewhere(run, DerivedIds.effect(key), root.getSpanContext().getTraceFlags());
    }
}
