package dev.glovebox.sandbox.wasm;

import dev.glovebox.sandbox.BoxFiles;
import dev.glovebox.sandbox.BoxGone;
import dev.glovebox.sandbox.Chunk;
import dev.glovebox.sandbox.Execution;
import dev.glovebox.sandbox.Outcome;
import dev.glovebox.sandbox.Output;
import dev.glovebox.sandbox.Policy;
import dev.glovebox.sandbox.Program;
import dev.glovebox.sandbox.Receipt;
import dev.glovebox.sandbox.Result;
import dev.glovebox.sandbox.Sandbox;
import dev.glovebox.sandbox.spi.ResultFiles;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/** A box without a process: a directory in memory and the programs that share it. */
final class WasmBox implements Sandbox {

    private final Policy policy;
    private final Tree tree;
    private final MemoryFiles files;
    private final Pages pages;
    private final Processors processors;
    private final Set<Command> running = ConcurrentHashMap.newKeySet();
    private long commands;
    private boolean closed;

    WasmBox(Policy policy) {
        this.policy = policy;
        tree = new Tree(policy.limits().disk());
        files = new MemoryFiles(tree);
        pages = new Pages(policy.limits().memory());
        processors = new Processors(policy.limits().cpus());
    }

    Policy policy() {
        return policy;
    }

    @Override
    public String tier() {
        return WasmTier.NAME;
    }

    /** Without the thread that a listener would cost. */
    @Override
    public Result run(Program program) {
        Program complete = program.stdin().isPresent() ? program : program.stdin(new byte[0]);
        return start(complete, Outlet.NOBODY).awaitOrCancel();
    }

    @Override
    public synchronized Execution start(Program program, Consumer<Chunk> listener) {
        requireOpen();
        boolean first = running.isEmpty();
        if (first) {
            pages.restart();
        }
        commands++;
        program.inputs().forEach(files::write);
        Launch launch = Launch.of(program, policy, files, first ? "" : commands + "-");
        Command command = new Command(this, program, launch.words(), launch.body(), listener);
        running.add(command);
        command.begin();
        return command;
    }

    private void requireOpen() {
        if (closed) {
            throw new BoxGone("The box is closed");
        }
    }

    /** What a program of this box can reach. */
    Guest guest(Inlet inlet, List<String> words, Map<String, String> own, Guest.Owner owner) {
        Map<String, String> environment = new TreeMap<>();
        environment.put("PATH", "/");
        environment.put("HOME", "/");
        environment.put("TMPDIR", "/");
        environment.put("LANG", "C.UTF-8");
        environment.putAll(policy.env());
        environment.putAll(own);
        return new Guest(
                tree,
                new Descriptors(tree, policy.limits().openFiles()),
                inlet,
                processors,
                pages,
                words,
                environment,
                owner);
    }

    void killOthers(Command culprit) {
        killAll(
                "another command of the box was stopped, and with it everything in the box",
                culprit);
    }

    private void killAll(String reason, Command... spared) {
        for (Command command : running) {
            if (!List.of(spared).contains(command)
                    && command.decide(new Outcome.Cancelled(reason))) {
                command.interrupt();
            }
        }
    }

    void released(Command command) {
        running.remove(command);
    }

    ResultFiles outputs(Program program) {
        return files.readAll(program.outputs());
    }

    Receipt receipt(Program program, Guest guest, Output stdout, Output stderr) {
        return Receipts.of(program, policy, guest, processors, stdout, stderr);
    }

    @Override
    public synchronized BoxFiles files() {
        requireOpen();
        return files;
    }

    @Override
    public void close() {
        List<Command> last;
        synchronized (this) {
            closed = true;
            last = List.copyOf(running);
        }
        killAll("the box was closed");
        boolean interrupted = false;
        for (Command command : last) {
            while (!command.done()) {
                try {
                    command.await();
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        }
        tree.close();
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
