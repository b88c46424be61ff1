package dev.glovebox.sandbox.internal;

import dev.glovebox.sandbox.BoxGone;
import dev.glovebox.sandbox.Control;
import dev.glovebox.sandbox.Policy;
import dev.glovebox.sandbox.Program;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * A box behind the jail wall: one bubblewrap with a holder inside that starts commands on order.
 */
final class JailBox extends Box {

    private static final int FOLDER = Kernel.O_RDONLY | Kernel.O_DIRECTORY;

    private final JailProcess process;
    private final Optional<Gate> gate;
    private final int control;
    private final List<Control> controls;

    private JailBox(
            Policy policy,
            JailProcess process,
            Optional<Gate> gate,
            Scratch scratch,
            int control,
            List<Control> controls) {
        super(policy, scratch);
        this.process = process;
        this.gate = gate;
        this.control = control;
        this.controls = controls;
    }

    /** Takes over a jail in which no user code has run yet, and checks that it is one. */
    static JailBox enter(Policy policy, JailProcess process) {
        int tmp = process.openInside(Bubblewrap.TMP);
        int folder = -1;
        int control = -1;
        Optional<Gate> gate = Optional.empty();
        try {
            folder =
                    Kernel.must(
                            Kernel.openBeneath(tmp, "scratch", FOLDER, 0), "opening the scratch");
            control =
                    Kernel.must(
                            Kernel.openBeneath(tmp, ".glovebox", FOLDER, 0),
                            "opening the control directory");
            Scratch scratch = new Scratch(folder, process.owner(), policy.limits().disk().count());
            if (!policy.network().isEmpty()) {
                gate = Optional.of(Gate.open(process, policy));
            }
            return new JailBox(
                    policy,
                    process,
                    gate,
                    scratch,
                    control,
                    Confinement.verify(process, policy, gate, scratch));
        } catch (RuntimeException e) {
            gate.ifPresent(Gate::close);
            Kernel.close(folder);
            Kernel.close(control);
            throw e;
        } finally {
            Kernel.close(tmp);
        }
    }

    @Override
    public String tier() {
        return JailTier.NAME;
    }

    List<Control> controls() {
        return controls;
    }

    JailProcess process() {
        return process;
    }

    Optional<Gate> gate() {
        return gate;
    }

    int control() {
        return control;
    }

    @Override
    String directory() {
        return Bubblewrap.SCRATCH;
    }

    @Override
    Body launch(long number, CommandLine line, Program program) {
        String id = Long.toString(number);
        JailCommand command = new JailCommand(this, id, line);
        try {
            order(id, line, program);
        } catch (BoxGone e) {
            command.discard();
            throw e;
        }
        return command;
    }

    private void order(String id, CommandLine line, Program program) {
        Map<String, String> env = new TreeMap<>();
        gate.ifPresent(way -> env.putAll(way.environment()));
        env.putAll(policy().env());
        env.putAll(program.env());
        List<String> fields = new ArrayList<>(List.of("run", id, Bubblewrap.SCRATCH));
        fields.add(Integer.toString(line.words().size()));
        fields.addAll(line.words());
        fields.add(Integer.toString(env.size()));
        env.forEach((name, value) -> fields.add(name + "=" + value));
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (String field : fields) {
            out.writeBytes(field.getBytes(StandardCharsets.UTF_8));
            out.write(0);
        }
        process.order(out.toByteArray());
    }

    @Override
    void awaitQuiet() {
        process.awaitQuiet();
    }

    @Override
    void clearAtOnce() {
        process.clear(JailProcess.AT_ONCE);
        gate.ifPresent(Gate::hangUp);
    }

    @Override
    void clearAtLeisure() {
        process.clear(JailProcess.AT_LEISURE);
        gate.ifPresent(Gate::hangUp);
    }

    @Override
    void kill() {
        process.kill();
        gate.ifPresent(Gate::hangUp);
    }

    @Override
    void end() {
        gate.ifPresent(Gate::close);
        process.close();
    }

    @Override
    void dispose() {
        Kernel.close(control);
    }
}
