package dev.glovebox.agent;

import dev.glovebox.sandbox.BoxFiles;
import dev.glovebox.sandbox.Execution;
import dev.glovebox.sandbox.Language;
import dev.glovebox.sandbox.Policy;
import dev.glovebox.sandbox.Program;
import dev.glovebox.sandbox.Result;
import dev.glovebox.sandbox.Sandbox;
import dev.glovebox.sandbox.SandboxException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Supplier;

/**
 * One program in a fresh box, which is gone afterwards.
 *
 * <p>It knows nothing of JSON: a command that records nothing starts faster without.
 */
public final class Launch {

    private final Supplier<Policy> policy;
    private final Wall wall;
    private final Program program;
    private final StandardInput input;
    private final Spectator spectator;
    private final List<LayerMount> layers;
    private final boolean keepsFiles;
    private final Optional<Harvest> harvest;

    private Launch(
            Supplier<Policy> policy,
            Wall wall,
            Program program,
            StandardInput input,
            Spectator spectator,
            List<LayerMount> layers,
            boolean keepsFiles,
            Optional<Harvest> harvest) {
        this.policy = policy;
        this.wall = wall;
        this.program = program;
        this.input = input;
        this.spectator = spectator;
        this.layers = List.copyOf(layers);
        this.keepsFiles = keepsFiles;
        this.harvest = harvest;
    }

    /** Takes something out of a box before it is gone; anything may be in it. */
    @FunctionalInterface
    public interface Harvest {

        void take(Result result, BoxFiles files);
    }

    /** A program behind the fastest wall that satisfies a policy. */
    public static Launch of(Policy policy, Program program) {
        return of(() -> policy, Wall.fastest(), program);
    }

    /** A program whose policy is not looked at before it is needed. */
    static Launch of(Supplier<Policy> policy, Wall wall, Program program) {
        return new Launch(
                policy,
                wall,
                program,
                StandardInput.none(),
                Spectator.NONE,
                List.of(),
                false,
                Optional.empty());
    }

    /** Behind that wall, and no other one. */
    public Launch behind(Wall other) {
        return new Launch(policy, other, program, input, spectator, layers, keepsFiles, harvest);
    }

    /** Passes this on to a program that does not bring its own standard input. */
    public Launch input(StandardInput passed) {
        return new Launch(policy, wall, program, passed, spectator, layers, keepsFiles, harvest);
    }

    public Launch watched(Spectator by) {
        return new Launch(policy, wall, program, input, by, layers, keepsFiles, harvest);
    }

    /** Shows it installed packages, beside what the policy shows. */
    public Launch layers(List<LayerMount> shown) {
        return new Launch(policy, wall, program, input, spectator, shown, keepsFiles, harvest);
    }

    /** Keeps the files in the record that the program makes or changes, within bounds. */
    public Launch keepingFiles() {
        return new Launch(policy, wall, program, input, spectator, layers, true, harvest);
    }

    /** Takes something out of the box when the program has ended; not in a replay. */
    public Launch harvest(Harvest taking) {
        return new Launch(
                policy, wall, program, input, spectator, layers, keepsFiles, Optional.of(taking));
    }

    Policy policy() {
        return policy.get();
    }

    Wall wall() {
        return wall;
    }

    List<LayerMount> layers() {
        return layers;
    }

    boolean keepsFiles() {
        return keepsFiles;
    }

    Program program() {
        return program;
    }

    /** Who watches it so far. */
    public Spectator spectator() {
        return spectator;
    }

    /** What came of it. */
    record Ran(Result result, StandardInput.Passed input) {}

    /**
     * Runs it, and records nothing. If the thread is interrupted meanwhile, the program is killed.
     *
     * @throws SandboxException if nothing ran, or the box was lost
     * @throws InterruptedException if that happened before anything ran
     */
    public Result run() throws InterruptedException {
        return run(Instant.MAX).result();
    }

    Ran run(Instant deadline) throws InterruptedException {
        return run(deadline, (ran, box) -> ran);
    }

    /**
     * Runs it, and looks at what it left behind before the box is gone.
     *
     * @param end what to make of the result, and of the box
     */
    <T> T run(Instant deadline, BiFunction<Ran, Sandbox, T> end) throws InterruptedException {
        try (Sandbox box = open()) {
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
            Execution execution = box.start(program, spectator);
            spectator.started(execution);
            StandardInput.Passed passed =
                    program.stdin().isPresent()
                            ? StandardInput.nothing()
                            : input.passTo(execution.stdin());
            Ran ran = new Ran(await(execution, deadline), passed);
            // Who takes nothing does not care whether the box is still there.
            harvest.ifPresent(taking -> taking.take(ran.result(), box.files()));
            return end.apply(ran, box);
        }
    }

    private Sandbox open() {
        Language[] languages =
                program.code() instanceof Program.Script script
                        ? new Language[] {script.language()}
                        : new Language[0];
        Policy shown = policy.get();
        for (LayerMount layer : layers) {
            shown = shown.grant(layer.grant());
        }
        return wall.open(shown, languages);
    }

    /** Whoever interrupts this does not want the program any more, but what it did until then. */
    private static Result await(Execution execution, Instant deadline) {
        try {
            return execution.await();
        } catch (InterruptedException e) {
            execution.cancel(Instant.now().isBefore(deadline) ? "cancelled" : "out of time");
            // It is killed by now, and ends soon, whoever interrupts this once more.
            return execution.awaitOrCancel();
        }
    }
}
