package dev.glovebox.run;

import dev.glovebox.trace.Conflict;
import dev.glovebox.trace.Recorder;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A run of this process: goes on by itself, and can be waited for and cancelled. */
public final class Run<S> {

    private final Runs runs;
    private final Graph<S> graph;
    private final String name;
    private final CompletableFuture<Status<S>> end = new CompletableFuture<>();
    private CompletableFuture<Status<S>> status = new CompletableFuture<>();
    private Scope scope = new Scope();
    private final AtomicInteger awaited = new AtomicInteger();
    private List<OpenQuestion> questions = List.of();
    private boolean working = true;
    private boolean left;
    private @Nullable Recorder recorder;
    private long epoch;
    private long records;

    Run(Runs runs, Graph<S> graph, String name) {
        this.runs = runs;
        this.graph = graph;
        this.name = name;
    }

    /** By which the run is found in the trace. */
    public String name() {
        return name;
    }

    Graph<S> graph() {
        return graph;
    }

    /**
     * Waits until the run has ended, or somebody must answer.
     *
     * @throws Suspended if the engine was closed before
     * @throws dev.glovebox.trace.TraceException if it could not be recorded any more, or somebody
     *     else has taken it over
     */
    public Status<S> await() {
        CompletableFuture<Status<S>> current;
        synchronized (this) {
            current = status;
        }
        return joined(current);
    }

    /**
     * Waits until the run has ended, through all questions, whoever answers them.
     *
     * @throws Suspended if the engine was closed before
     * @throws dev.glovebox.trace.TraceException if it could not be recorded any more, or somebody
     *     else has taken it over
     */
    public Status<S> awaitEnd() {
        awaited.incrementAndGet();
        try {
            runs.visitAwaited(this);
            return joined(end);
        } finally {
            awaited.decrementAndGet();
        }
    }

    /**
     * Has something done, on a thread of its own, when the run has ended; nothing if the engine is
     * closed before, or somebody else takes the run over. Nobody has to wait for it until then.
     */
    public void whenEnded(Consumer<Status<S>> then) {
        var _ =
                end.thenAccept(status ->
                        Thread.ofVirtual()
                                .name("glovebox end of " + name)
                                .start(() -> then.accept(status)));
    }

    private static <T> T joined(CompletableFuture<T> future) {
        try {
            return future.join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof RuntimeException problem) {
                throw problem;
            }
            throw e;
        }
    }

    /**
     * Ends the run, wherever it is: what it does is interrupted, and it keeps the state that it has
     * reached.
     *
     * @param by who wants that, for the record
     */
    public void cancel(String by) {
        if (!halt(new StopReason.Cancelled(by))) {
            runs.cancel(name, by);
        }
    }

    /** Ends what is going on; whether anything was. */
    synchronized boolean halt(StopReason reason) {
        if (working) {
            scope.cancel(reason);
        }
        return working;
    }

    /** Ends what is going on, for good: it does not wake any more; what is done when it has. */
    synchronized CompletableFuture<Status<S>> leave() {
        left = true;
        scope.suspend();
        if (!working) {
            end.completeExceptionally(new Suspended(name));
        }
        return status;
    }

    synchronized Scope scope() {
        return scope;
    }

    /** What it waits for. */
    synchronized List<OpenQuestion> questions() {
        return working ? List.of() : questions;
    }

    /** Whether it waits for an answer that it is too late for. */
    boolean isOverdue(Instant now) {
        return questions().stream()
                .anyMatch(question ->
                        question.until().filter(until -> !now.isBefore(until)).isPresent());
    }

    /** Begins to work again; whether it did not do so already. */
    synchronized boolean wake() {
        if (left || working || !(status.getNow(null) instanceof Status.Waiting)) {
            return false;
        }
        working = true;
        questions = List.of();
        status = new CompletableFuture<>();
        scope = new Scope();
        return true;
    }

    /** Goes on in a new scope, on another thread; what has ended the old one ends it as well. */
    synchronized void renew() {
        Scope before = scope;
        scope = new Scope();
        before.passOn(scope);
    }

    /** Has come to rest; not if it was to wait, and has been told to end meanwhile. */
    synchronized boolean rest(Status<S> reached) {
        if (!(reached instanceof Status.Waiting<S> waiting)) {
            end.complete(reached);
        } else if (left) {
            end.completeExceptionally(new Suspended(name));
        } else if (scope.isCancelled()) {
            return false;
        } else {
            questions = waiting.questions();
            records = recorder == null ? 0 : recorder.size();
            recorder = null;
        }
        working = false;
        status.complete(reached);
        return true;
    }

    /** Rests without having begun: its graph is another one. */
    Run<S> differing(Divergence divergence) {
        var _ = rest(new Status.Differs<>(name, divergence));
        return this;
    }

    /** From now on this records it. */
    synchronized void recorded(Recorder by) {
        recorder = by;
        epoch = by.epoch();
    }

    /** Of the last one who recorded it here. */
    synchronized long epoch() {
        return epoch;
    }

    /** Whether it waits for somebody. */
    synchronized boolean isWaiting() {
        return !working && !left && !end.isDone();
    }

    /** Whether somebody waits for its end. */
    boolean isAwaited() {
        return awaited.get() > 0;
    }

    /**
     * Ends to wait if somebody else goes on with it; whether that is so.
     *
     * @param now how many records there are
     */
    synchronized boolean lost(long now) {
        if (!isWaiting() || now <= records) {
            return false;
        }
        left = true;
        end.completeExceptionally(new Conflict(name, records));
        return true;
    }

    synchronized void fail(Throwable problem) {
        working = false;
        status.completeExceptionally(problem);
        end.completeExceptionally(problem);
    }
}
