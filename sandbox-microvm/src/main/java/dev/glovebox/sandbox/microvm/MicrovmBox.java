package dev.glovebox.sandbox.microvm;

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
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/** A box that is a virtual machine. */
final class MicrovmBox implements Sandbox {

    static final String PATH = "/usr/local/bin:/usr/bin:/bin";
    static final String TEMPORARY = "/tmp";
    static final String SCRATCH = TEMPORARY + "/scratch";
    // A guest that is sound kills at once; one that does not is killed as a whole.
    private static final Duration KILLING = Duration.ofSeconds(2);
    private static final Duration STARTING = Duration.ofSeconds(15);

    private final Policy policy;
    private final Link link;
    private final Confinement confinement;
    private final GuestFiles files;
    private final Set<GuestCommand> running = ConcurrentHashMap.newKeySet();
    private final Object starting = new Object();
    private final Object killing = new Object();
    private long commands;
    private volatile long crowded;
    private volatile boolean closed;

    MicrovmBox(Policy policy, Link link, Confinement confinement) {
        this.policy = policy;
        this.link = link;
        this.confinement = confinement;
        files = new GuestFiles(link, policy.limits().disk().count(), confinement.inodes());
    }

    Policy policy() {
        return policy;
    }

    Link link() {
        return link;
    }

    long crowded() {
        return crowded;
    }

    void crowded(long times) {
        crowded = times;
    }

    long inodes() {
        return confinement.inodes();
    }

    @Override
    public String tier() {
        return MicrovmTier.NAME;
    }

    @Override
    public Execution start(Program program, Consumer<Chunk> listener) {
        synchronized (starting) {
            requireOpen();
            program.inputs().forEach(files::write);
            List<String> words = words(program, running.isEmpty() ? "" : ++commands + "-");
            synchronized (killing) {
                requireOpen();
                return start(program, words, listener);
            }
        }
    }

    private Execution start(Program program, List<String> words, Consumer<Chunk> listener) {
        GuestCommand command = new GuestCommand(this, program, listener);
        running.add(command);
        try {
            Map<String, ?> request = Map.of("argv", words, "env", environment(program));
            Link.Answer answer =
                    link.ask(command.number(), "start", request, new byte[0], 0, STARTING);
            String error = answer.reply().path("error").asText();
            if (!error.isEmpty()) {
                command.decide(new Outcome.NotStarted(reason(words.getFirst(), error)));
                command.ended();
            }
        } catch (BoxGone e) {
            running.remove(command);
            throw e;
        }
        command.begin();
        return command;
    }

    private static String reason(String word, String error) {
        String why =
                switch (error) {
                    case "ENOENT" -> "not found";
                    case "EACCES" -> "not a program that may be executed";
                    case "ENOEXEC" -> "not a program";
                    case "E2BIG" -> "its arguments are too long";
                    default -> error.matches("[A-Z0-9]{2,20}") ? error : "refused by the guest";
                };
        return "'" + word.substring(0, Math.min(word.length(), 200)) + "': " + why;
    }

    private List<String> words(Program program, String prefix) {
        List<String> words = new ArrayList<>();
        switch (program.code()) {
            case Program.Command(String name) -> words.add(name);
            case Program.Script script -> {
                String name = prefix + script.filename();
                files.write(name, script.source());
                words.add(confinement.interpreter(script.language()));
                words.add(SCRATCH + "/" + name);
            }
        }
        words.addAll(program.arguments());
        return words;
    }

    private Map<String, String> environment(Program program) {
        Map<String, String> all = new TreeMap<>();
        all.put("PATH", PATH);
        all.put("HOME", SCRATCH);
        all.put("TMPDIR", TEMPORARY);
        all.put("LANG", "C.UTF-8");
        all.putAll(policy.env());
        all.putAll(program.env());
        return all;
    }

    private void requireOpen() {
        if (closed) {
            throw new BoxGone("The box is closed");
        }
    }

    /**
     * Ends everything in the box because of one command; returns when nothing runs any more. One
     * that was ended with another meanwhile ends nothing: what runs then was started later.
     */
    void killFor(GuestCommand culprit) {
        synchronized (killing) {
            if (culprit.hasEnded()) {
                return;
            }
            cancelOthers(
                    "another command of the box was stopped, and with it everything in the box",
                    culprit);
            try {
                link.ask("kill", Map.of(), KILLING);
            } catch (BoxGone e) {
                // Killed as a whole.
            }
            running.forEach(GuestCommand::ended);
        }
    }

    private void cancelOthers(String reason, GuestCommand... spared) {
        for (GuestCommand command : running) {
            if (!List.of(spared).contains(command)) {
                command.decide(new Outcome.Cancelled(reason));
            }
        }
    }

    void released(GuestCommand command) {
        running.remove(command);
    }

    ResultFiles outputs(Program program) {
        return files.readAll(program.outputs());
    }

    Receipt receipt(Program program, Output stdout, Output stderr) {
        return confinement.receipt(program, policy, stdout, stderr);
    }

    @Override
    public BoxFiles files() {
        requireOpen();
        return files;
    }

    @Override
    public void close() {
        closed = true;
        cancelOthers("the box was closed");
        // Without waiting for a lock: whoever holds one waits for this machine.
        link.close();
        List<GuestCommand> last;
        synchronized (killing) {
            last = List.copyOf(running);
        }
        boolean interrupted = false;
        for (GuestCommand command : last) {
            command.ended();
            while (!command.done()) {
                try {
                    command.await();
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
