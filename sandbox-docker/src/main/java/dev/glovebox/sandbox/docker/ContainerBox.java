package dev.glovebox.sandbox.docker;

import dev.glovebox.sandbox.BoxFiles;
import dev.glovebox.sandbox.BoxGone;
import dev.glovebox.sandbox.Chunk;
import dev.glovebox.sandbox.Execution;
import dev.glovebox.sandbox.Outcome;
import dev.glovebox.sandbox.Output;
import dev.glovebox.sandbox.Policy;
import dev.glovebox.sandbox.Program;
import dev.glovebox.sandbox.Receipt;
import dev.glovebox.sandbox.Sandbox;
import dev.glovebox.sandbox.spi.ResultFiles;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** A box that stands in a container, with a holder inside that starts commands on order. */
final class ContainerBox implements Sandbox {

    private static final Duration CLEARING = Duration.ofMillis(1500);

    private final Policy policy;
    private final Standby standby;
    private final HolderFiles files;
    private final Set<Command> running = ConcurrentHashMap.newKeySet();
    private final ReentrantLock lifecycle = new ReentrantLock();
    private final AtomicBoolean closed = new AtomicBoolean();
    private final Object closing = new Object();
    private long commands;

    ContainerBox(Policy policy, Standby standby) {
        this.policy = policy;
        this.standby = standby;
        files = new HolderFiles(standby.holder(), policy.limits().disk().count());
    }

    Policy policy() {
        return policy;
    }

    Holder holder() {
        return standby.holder();
    }

    Facts facts() {
        return standby.facts();
    }

    @Override
    public String tier() {
        return standby.tier();
    }

    @Override
    public Execution start(Program program, Consumer<Chunk> listener) {
        running.stream().filter(Command::done).forEach(Command::awaitRelease);
        lifecycle.lock();
        try {
            requireOpen();
            if (holder().gone()) {
                throw new BoxGone("The box is gone: its container has ended");
            }
            boolean first = running.isEmpty();
            program.inputs().forEach(files::write);
            String prefix = first ? "" : ++commands + "-";
            Launch launch = Launch.of(program, policy, standby.interpreters(), prefix);
            launch.script().ifPresent(script -> files.write(script.filename(), script.source()));
            Command command = new Command(this, program, launch, listener);
            running.add(command);
            command.begin();
            return command;
        } finally {
            lifecycle.unlock();
        }
    }

    private void requireOpen() {
        if (closed.get()) {
            throw new BoxGone("The box is closed");
        }
    }

    /** Takes note that a command has ended; the holder itself ends what the last one left. */
    void released(Command command) {
        running.remove(command);
    }

    /** Kills everything because of one command; the others are told whose fault it was. */
    void killFor(Command culprit) {
        killAll(
                "another command of the box was stopped, and with it everything in the box",
                one -> !one.equals(culprit),
                () -> {
                    if (!holder().clear(CLEARING)) {
                        kill();
                    }
                });
    }

    private void killAll(String reason, Predicate<Command> told, Runnable killing) {
        List<Command> hit =
                running.stream()
                        .filter(told)
                        .filter(one -> one.decide(new Outcome.Cancelled(reason)))
                        .toList();
        killing.run();
        hit.forEach(Command::killed);
    }

    /** Ends the container itself. */
    void kill() {
        standby.kill();
    }

    /** How a command ended whose holder is gone. */
    Outcome lost(String reason, Gauge gauge) {
        return standby.autopsy()
                ? gauge.memoryHit(gauge.peak())
                : new Outcome.Unknown(closed.get() ? "the box was closed" : reason);
    }

    Receipt receipt(Program program, Launch launch, Rlimits rlimits, Output stdout, Output stderr) {
        return standby.receipt(policy, program, launch, rlimits, stdout, stderr);
    }

    ResultFiles outputs(Program program) {
        return files.readAll(program.outputs());
    }

    @Override
    public BoxFiles files() {
        requireOpen();
        return files;
    }

    @Override
    public void close() {
        synchronized (closing) {
            if (closed.compareAndSet(false, true)) {
                List<Command> last = List.copyOf(running);
                killAll("the box was closed", one -> true, standby::close);
                last.forEach(Command::awaitOrCancel);
                last.forEach(Command::awaitRelease);
            }
        }
    }
}
