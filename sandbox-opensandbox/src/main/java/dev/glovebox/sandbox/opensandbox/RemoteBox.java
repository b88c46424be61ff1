package dev.glovebox.sandbox.opensandbox;

import dev.glovebox.sandbox.BoxFiles;
import dev.glovebox.sandbox.BoxGone;
import dev.glovebox.sandbox.Chunk;
import dev.glovebox.sandbox.Control;
import dev.glovebox.sandbox.Execution;
import dev.glovebox.sandbox.Interpreter;
import dev.glovebox.sandbox.Language;
import dev.glovebox.sandbox.Limits;
import dev.glovebox.sandbox.NotEnforceable;
import dev.glovebox.sandbox.Outcome;
import dev.glovebox.sandbox.Policy;
import dev.glovebox.sandbox.Program;
import dev.glovebox.sandbox.Result;
import dev.glovebox.sandbox.Sandbox;
import dev.glovebox.sandbox.spi.ResultFiles;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledFuture;
import java.util.function.Consumer;
import org.slf4j.LoggerFactory;

/** A box on the server, and the programs that share it. */
final class RemoteBox implements Sandbox {

    private static final Duration READY = Duration.ofMinutes(1);
    private static final Duration GLANCE = Duration.ofMillis(50);
    private static final Duration RENEWAL = Duration.ofSeconds(30);

    private static final String CHECK =
            "Check " + Settings.DOMAIN + ", " + Settings.KEY + " and " + Settings.IMAGE;

    private final Lifecycle server;
    private final String id;
    private final Policy policy;
    private final Execd execd;
    private final RemoteFiles files;
    private final List<Control> inForce;
    private final Set<RemoteCommand> running = ConcurrentHashMap.newKeySet();
    private final ScheduledFuture<?> renewal;
    private Map<Language, Interpreter> interpreters = Map.of();
    private volatile boolean closed;
    private volatile boolean lost;
    private long commands;

    private RemoteBox(
            Lifecycle server, String id, Policy policy, Execd execd, List<Control> inForce) {
        this.server = server;
        this.id = id;
        this.policy = policy;
        this.execd = execd;
        this.inForce = inForce;
        files = new RemoteFiles(execd, scratch(), policy.limits().disk(), () -> closed || lost);
        renewal = Clockwork.every(RENEWAL, this::renew);
    }

    /**
     * Makes a box and looks whether it is what was asked for.
     *
     * @param interpreters those of the image; empty if they are still to be found
     * @throws NotEnforceable if it is not; then it is removed again
     */
    static RemoteBox open(
            Lifecycle server, Policy policy, Map<Language, Interpreter> interpreters) {
        String id;
        try {
            id = server.create(policy, Marks.own());
        } catch (IOException e) {
            throw notToBeHad(e);
        }
        RemoteBox box = null;
        try {
            awaitRunning(server, id);
            Execd execd = new Execd(server.endpoint(id, Execd.PORT));
            awaitPing(execd);
            List<Control> inForce = InForce.read(server, id, execd, policy);
            box = new RemoteBox(server, id, policy, execd, inForce);
            execd.makeDirectory(box.scratch());
            box.interpreters = interpreters.isEmpty() ? Interpreters.found(box) : interpreters;
            return box;
        } catch (IOException | RuntimeException e) {
            if (box == null) {
                remove(server, id);
            } else {
                box.close();
            }
            throw e instanceof RuntimeException known ? known : notToBeHad((IOException) e);
        }
    }

    private static NotEnforceable notToBeHad(IOException e) {
        return new NotEnforceable(
                "isolation", "the OpenSandbox server gives no box: " + e.getMessage(), CHECK);
    }

    private static void awaitRunning(Lifecycle server, String id) throws IOException {
        long deadline = System.nanoTime() + READY.toNanos();
        String state = server.state(id);
        while (!state.equals("Running")) {
            if (!state.equals("Pending") || System.nanoTime() > deadline) {
                throw ServerTrouble.nonsense("the new box is '" + ServerTrouble.line(state) + "'");
            }
            pause();
            state = server.state(id);
        }
    }

    private static void awaitPing(Execd execd) throws IOException {
        long deadline = System.nanoTime() + READY.toNanos();
        while (true) {
            try {
                execd.ping();
                return;
            } catch (ServerTrouble e) {
                if (!e.refusal() || System.nanoTime() > deadline) {
                    throw e;
                }
                pause();
            }
        }
    }

    private static void pause() throws IOException {
        try {
            Thread.sleep(GLANCE);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw ServerTrouble.gone("interrupted while it made a box");
        }
    }

    private static void remove(Lifecycle server, String id) {
        try {
            server.remove(id);
        } catch (IOException e) {
            LoggerFactory.getLogger(RemoteBox.class)
                    .warn(
                            "A box could not be removed, and ends with its lease: {}",
                            e.getMessage());
        }
    }

    private void renew() {
        try {
            server.renew(id);
        } catch (ServerTrouble e) {
            if (e.missing()) {
                lose("the server no longer knows the box");
            }
        } catch (IOException e) {
            // The next renewal comes before the lease is over.
        }
    }

    Policy policy() {
        return policy;
    }

    Lifecycle server() {
        return server;
    }

    Execd execd() {
        return execd;
    }

    List<Control> inForce() {
        return inForce;
    }

    Map<Language, Interpreter> interpreters() {
        return interpreters;
    }

    String scratch() {
        return server.settings().root() + "/scratch";
    }

    String jobs() {
        return server.settings().root() + "/jobs";
    }

    ResultFiles outputs(Program program) {
        return files.readAll(program.outputs());
    }

    @Override
    public String tier() {
        return OpenSandboxTier.NAME;
    }

    /** Runs what is ours, whatever the policy allows programs. */
    Result look(Program program) {
        return start(program.stdin(new byte[0]), Limits.DEFAULT, chunk -> {}).awaitOrCancel();
    }

    @Override
    public Execution start(Program program, Consumer<Chunk> listener) {
        return start(program, policy.limits(), listener);
    }

    private Execution start(Program program, Limits limits, Consumer<Chunk> listener) {
        RemoteCommand command;
        String prefix;
        synchronized (this) {
            requireOpen();
            commands++;
            prefix = running.isEmpty() ? "" : commands + "-";
            command = new RemoteCommand(this, program, jobs() + "/" + commands, limits, listener);
            running.add(command);
        }
        try {
            program.inputs().forEach(files::write);
            command.begin(Job.of(program, this, files, prefix));
            return command;
        } catch (BoxGone e) {
            command.abandon(new Outcome.NotStarted(e.getMessage()));
            lose(e.getMessage());
            return command;
        } catch (RuntimeException e) {
            running.remove(command);
            throw e;
        }
    }

    private void requireOpen() {
        if (closed || lost) {
            throw new BoxGone(closed ? "The box is closed" : "The box on the server is gone");
        }
    }

    void killOthers(RemoteCommand culprit) {
        for (RemoteCommand command : running) {
            if (!command.equals(culprit)) {
                command.kill(
                        new Outcome.Cancelled(
                                "another command of the box was stopped, and with it everything in"
                                        + " the box"));
            }
        }
    }

    void released(RemoteCommand command) {
        running.remove(command);
    }

    /** Takes note that the box cannot be used any more, and makes sure that it is no more. */
    void lose(String reason) {
        if (!lost && !closed) {
            lost = true;
            renewal.cancel(false);
            running.forEach(command -> command.abandon(new Outcome.Unknown(reason)));
            Clockwork.apart(() -> remove(server, id));
        }
    }

    @Override
    public BoxFiles files() {
        requireOpen();
        return files;
    }

    @Override
    public void close() {
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
        }
        renewal.cancel(false);
        running.forEach(command -> command.abandon(new Outcome.Cancelled("the box was closed")));
        remove(server, id);
    }
}
