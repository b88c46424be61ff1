package dev.glovebox.cli;

import dev.glovebox.sandbox.Interpreter;
import dev.glovebox.sandbox.Language;
import dev.glovebox.sandbox.NotEnforceable;
import dev.glovebox.sandbox.Policy;
import dev.glovebox.sandbox.Program;
import dev.glovebox.sandbox.Sandboxes;
import dev.glovebox.sandbox.spi.Availability;
import dev.glovebox.sandbox.spi.Tier;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Who takes part in the measurement on this machine. */
final class Contenders implements AutoCloseable {

    private static final String CONTAINER_IMAGE = "glovebox.container.image";

    private final Shell shell;
    private final Path folder;
    private final List<Contender> all = new ArrayList<>();

    private Contenders(Shell shell, Path folder) {
        this.shell = shell;
        this.folder = folder;
    }

    static Contenders assemble(Shell shell) {
        try {
            Contenders contenders =
                    new Contenders(shell, Files.createTempDirectory("glovebox-bench"));
            try {
                contenders.add();
            } catch (IOException | RuntimeException e) {
                contenders.close();
                throw e;
            }
            return contenders;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    List<Contender> all() {
        return all;
    }

    private void add() throws IOException {
        Interpreter python =
                Sandboxes.tiers().stream()
                        .filter(tier -> !tier.onlyByName()) // its files are not of this machine
                        .flatMap(tier ->
                                tier.interpreter(Language.PYTHON, Policy.denyAll()).stream())
                        .findFirst()
                        .orElseThrow(() ->
                                new NotEnforceable(
                                        "runtime", "There is no Python here to measure with"));
        Path script = Files.writeString(folder.resolve("main.py"), Contender.PROGRAM);
        List<String> words = List.of(python.path().toString(), script.toString());
        all.add(new Command("bare", words, environment()));
        Optional<DockerImage> docker = DockerImage.build(python.path(), shell);
        docker.ifPresent(image -> useForContainers());
        List<Tier> tiers = Sandboxes.tiers().stream().filter(this::works).toList();
        tiers.forEach(Tier::prepare);
        for (Tier tier : tiers) {
            if (has(tier, Language.PYTHON)) {
                all.add(new BoxContender(tier.name(), tier, Program.python(Contender.PROGRAM)));
            }
        }
        addJavaScript(
                tiers.stream()
                        .filter(tier -> !has(tier, Language.PYTHON))
                        .filter(tier -> has(tier, Language.JAVASCRIPT))
                        .toList());
        Optional.ofNullable(System.getProperty("glovebox.launcher"))
                .ifPresent(launcher ->
                        all.add(
                                new Command(
                                        "glovebox exec",
                                        List.of(launcher, "exec", script.toString()),
                                        Map.of())));
        docker.ifPresent(image ->
                all.add(new Command("docker run", image.command(Contender.PROGRAM), Map.of())));
    }

    /** The same image for both, unless somebody chose one. */
    private static void useForContainers() {
        if (System.getenv("GLOVEBOX_CONTAINER_IMAGE") == null
                && System.getProperty(CONTAINER_IMAGE) == null) {
            System.setProperty(CONTAINER_IMAGE, DockerImage.NAME);
        }
    }

    private boolean works(Tier tier) {
        boolean works = tier.probe() instanceof Availability.Works;
        if (!works) {
            shell.say("left out: " + tier.name() + ", which does not work here");
        }
        return works;
    }

    private static boolean has(Tier tier, Language language) {
        return tier.interpreter(language, Policy.denyAll()).isPresent();
    }

    /** Walls without Python run the same in JavaScript, beside a bare process that does. */
    private void addJavaScript(List<Tier> tiers) throws IOException {
        if (tiers.isEmpty()) {
            return;
        }
        Path script = Files.writeString(folder.resolve("main.js"), Contender.JAVASCRIPT);
        Sandboxes.tiers().stream()
                .filter(tier -> !tiers.contains(tier) && !tier.onlyByName())
                .flatMap(tier -> tier.interpreter(Language.JAVASCRIPT, Policy.denyAll()).stream())
                .map(node -> List.of(node.path().toString(), script.toString()))
                .findFirst()
                .ifPresent(words -> all.add(new Command("bare node", words, environment())));
        tiers.forEach(tier ->
                all.add(
                        new BoxContender(
                                tier.name(), tier, Program.javascript(Contender.JAVASCRIPT))));
    }

    /** What the tiers give a program, for the bare one too. */
    private Map<String, String> environment() {
        return Map.of(
                "PATH",
                "/usr/local/bin:/usr/bin:/bin",
                "HOME",
                folder.toString(),
                "TMPDIR",
                folder.toString(),
                "LANG",
                "C.UTF-8");
    }

    @Override
    public void close() {
        try {
            Files.deleteIfExists(folder.resolve("main.py"));
            Files.deleteIfExists(folder.resolve("main.js"));
            Files.deleteIfExists(folder);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * A process, as a Java program starts one.
     *
     * @param environment all of it; empty means our own
     */
    private record Command(String name, List<String> words, Map<String, String> environment)
            implements Contender {

        @Override
        public void run() {
            ProcessBuilder builder =
                    new ProcessBuilder(words).redirectError(ProcessBuilder.Redirect.DISCARD);
            if (!environment.isEmpty()) {
                builder.environment().clear();
                builder.environment().putAll(environment);
            }
            try {
                Process process = builder.start();
                process.getOutputStream().close();
                String output =
                        new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
                process.waitFor();
                Contender.check(name, output);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException("Interrupted", e);
            }
        }
    }
}
