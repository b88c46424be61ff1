package dev.glovebox.run;

import dev.glovebox.trace.Trace;
import dev.glovebox.trace.spi.TraceStore;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/**
 * Wakes the runs of an engine that wait, as soon as there is something for them, whoever left it in
 * the store.
 */
final class Waking implements AutoCloseable {

    // How often those that wait are looked at one by one, at most.
    private static final Duration EVERY = Duration.ofSeconds(1);

    private final Trace trace;
    private final Clock clock;
    private final Letters letters;
    private final Alarms alarms;
    private final Map<String, Run<?>> live;
    private final Consumer<Run<?>> wake;
    private final Mail mail;
    private final TraceStore.Watch watch;
    private final AtomicBoolean polling = new AtomicBoolean();
    private final AtomicBoolean due = new AtomicBoolean();

    /**
     * @param live the runs of the engine, by name
     * @param wake lets a run go on that there is something for
     */
    Waking(
            Trace trace,
            Clock clock,
            Letters letters,
            Alarms alarms,
            Map<String, Run<?>> live,
            Consumer<Run<?>> wake) {
        this.trace = trace;
        this.clock = clock;
        this.letters = letters;
        this.alarms = alarms;
        this.live = live;
        this.wake = wake;
        this.mail = new Mail(this::lookOrPoll);
        this.watch = trace.watch(this::news);
    }

    /** Looks after a run that waits from now on. */
    void begin(Run<?> run, Status.Waiting<?> waiting) {
        // What came between the last look and now nobody else would notice.
        visit(run);
        waiting.questions().forEach(question -> question.until().ifPresent(this::remind));
    }

    /** Looks when it is too late for an answer; the clock may be slower than the timer. */
    private void remind(Instant until) {
        Duration left = Duration.between(clock.instant(), until);
        if (left.isPositive()) {
            var _ = alarms.after(left, () -> remind(until));
        } else {
            mail.news();
        }
    }

    /** Looks whether there is something for a run: an order to stop, an answer, a time-out. */
    void visit(Run<?> run) {
        Optional<Answer> order = letters.find(run.name(), Letters.CANCEL);
        if (order.isPresent() && run.halt(new StopReason.Cancelled(order.get().by()))) {
            return;
        }
        if (order.isPresent()
                || run.isOverdue(clock.instant())
                || run.questions().stream()
                        .anyMatch(asked -> letters.find(run.name(), asked.key()).isPresent())) {
            wake.accept(run);
        }
    }

    void poll() {
        look();
        live.values().forEach(this::visitAwaited);
    }

    /** Tells whoever waits for the end of a run that it went on elsewhere, if it did. */
    void visitAwaited(Run<?> run) {
        // Of thousands that wait, each would be a question to the store.
        if (run.isAwaited()) {
            var _ = isLost(run);
        }
    }

    /** Whether a run that waits here went on elsewhere; then it is not here any more. */
    boolean isLost(Run<?> run) {
        boolean lost = run.isWaiting() && run.lost(trace.run(run.name()).records());
        if (lost) {
            live.remove(run.name(), run);
        }
        return lost;
    }

    private void look() {
        Set<String> addressed = letters.addressees();
        for (Run<?> run : live.values()) {
            if (addressed.contains(run.name()) || run.isOverdue(clock.instant())) {
                visit(run);
            }
        }
    }

    /** Something was recorded, here or elsewhere. */
    private void news() {
        mail.news();
        if (!polling.get() && !live.isEmpty() && polling.compareAndSet(false, true)) {
            var _ = alarms.after(EVERY, this::pollSoon);
        }
    }

    private void pollSoon() {
        polling.set(false);
        due.set(true);
        mail.news();
    }

    private void lookOrPoll() {
        if (due.getAndSet(false)) {
            poll();
        } else {
            look();
        }
    }

    @Override
    public void close() {
        watch.close();
        mail.close();
    }
}
