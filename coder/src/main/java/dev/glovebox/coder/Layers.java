package dev.glovebox.coder;

import dev.glovebox.agent.Executed;
import dev.glovebox.agent.Launch;
import dev.glovebox.agent.LayerMount;
import dev.glovebox.agent.OutcomeJson;
import dev.glovebox.agent.SandboxExec;
import dev.glovebox.run.Context;
import dev.glovebox.sandbox.BoxFiles;
import dev.glovebox.sandbox.Connection;
import dev.glovebox.sandbox.Interpreter;
import dev.glovebox.sandbox.Language;
import dev.glovebox.sandbox.Outcome;
import dev.glovebox.sandbox.Policy;
import dev.glovebox.sandbox.Result;
import dev.glovebox.sandbox.SandboxException;
import dev.glovebox.sandbox.Sandboxes;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * The packages that programs depend on: each set of them is installed once, into a layer, which
 * later programs see read-only.
 */
public final class Layers {

    private final LayerStore store;
    private final PackageSettings settings;

    private Layers(LayerStore store, PackageSettings settings) {
        this.store = store;
        this.settings = settings;
    }

    /**
     * Those of a user.
     *
     * @param environment where {@code GLOVEBOX_HOME} is, and how pip and npm are configured
     */
    public static Layers of(Map<String, String> environment) {
        return new Layers(
                LayerStore.of(environment), new PackageSettings(environment, PublicIndex::of));
    }

    /** Those in a folder. */
    static Layers in(Path folder, Map<String, String> environment) {
        return in(folder, environment, PublicIndex::of);
    }

    /**
     * The same.
     *
     * @param clients know where they go by themselves
     */
    static Layers in(
            Path folder,
            Map<String, String> environment,
            Function<Language, Optional<PublicIndex>> clients) {
        return new Layers(new LayerStore(folder), new PackageSettings(environment, clients));
    }

    /** What came of the wish to have packages. */
    sealed interface Prepared {

        record Ready(LayerMount mount) implements Prepared {}

        /**
         * They are not there.
         *
         * @param ran the installation; empty: there was none
         */
        record Failed(String why, Optional<Executed> ran) implements Prepared {}
    }

    /** Why what code depends on cannot be installed; empty: it can, or is. Recorded. */
    Optional<String> problem(
            CodeArtifact code, Policy policy, Optional<String> tier, Context context) {
        Packages packages;
        try {
            packages = new Packages(code.language(), code.dependencies());
        } catch (IllegalArgumentException e) {
            return Optional.of(String.valueOf(e.getMessage()));
        }
        LayerState state =
                context.perform(new LayerLookup(packages, () -> look(packages, policy, tier)));
        return state.digest().isPresent() || state.index().isPresent()
                ? Optional.empty()
                : Optional.of(state.problem());
    }

    /** Finds packages, or installs them; each step is recorded. */
    Prepared prepare(Packages packages, Policy policy, Optional<String> tier, Context context) {
        LayerState before =
                context.perform(new LayerLookup(packages, () -> look(packages, policy, tier)));
        if (before.digest().isPresent()) {
            return ready(packages, before);
        }
        if (before.index().isEmpty()) {
            return new Prepared.Failed(before.problem(), Optional.empty());
        }
        PackageIndex index = before.index().get();
        Keeping keeping = new Keeping(packages, before, index);
        Launch launch = Installer.launch(packages, index, policy, tier).harvest(keeping);
        Executed ran = context.perform(SandboxExec.of(launch));
        if (!ran.outcome().success()) {
            return new Prepared.Failed(
                    why(index, ran.outcome(), ran.connections()), Optional.of(ran));
        }
        LayerState after =
                context.perform(
                        new LayerLookup(
                                packages, () -> keeping.lookAgain(look(packages, policy, tier))));
        return after.digest().isPresent()
                ? ready(packages, after)
                : new Prepared.Failed(after.problem(), Optional.of(ran));
    }

    /** What came of the wish to have packages ahead. */
    public sealed interface Added {

        /**
         * They are there.
         *
         * @param fresh whether they were installed just now
         */
        record There(Layer layer, boolean fresh) implements Added {}

        /**
         * They are not.
         *
         * @param said what pip or npm said
         */
        record Failed(String why, String said) implements Added {}
    }

    /**
     * Installs packages ahead. Whoever asks for them allows the package index to be reached.
     *
     * @param names as in {@code numpy} or {@code left-pad@1.3.0}
     * @param running runs the installation, and perhaps writes it down
     * @throws IllegalArgumentException if one of them is something else
     * @throws SandboxException if no box can be had
     */
    public Added add(
            Language language,
            List<String> names,
            Policy policy,
            Optional<String> tier,
            Function<Launch, Result> running) {
        Packages packages = new Packages(language, names);
        Policy open = policy.install(new Policy.Install(policy.install().wall(), true));
        LayerState before = look(packages, open, tier);
        Optional<Layer> found = store.find(before.key());
        if (found.isPresent() && before.digest().isPresent()) {
            return new Added.There(found.get(), false);
        }
        if (before.index().isEmpty()) {
            return new Added.Failed(before.problem(), "");
        }
        PackageIndex index = before.index().get();
        Keeping keeping = new Keeping(packages, before, index);
        Result ran = running.apply(Installer.launch(packages, index, open, tier).harvest(keeping));
        String said = ran.stderr().text();
        if (!ran.outcome().success()) {
            return new Added.Failed(why(index, ran.outcome(), ran.connections()), said);
        }
        return store.find(before.key())
                .<Added>map(layer -> new Added.There(layer, true))
                .orElseGet(() -> new Added.Failed(keeping.problem, said));
    }

    /** All that there are, oldest first. */
    public List<Layer> list() {
        return store.list();
    }

    /**
     * Removes one.
     *
     * @return whether it was there
     */
    public boolean remove(String key) {
        return store.remove(key);
    }

    private Prepared ready(Packages packages, LayerState state) {
        Language language = packages.language();
        Path shown = Installer.shown(language, store.tree(state.key()));
        return new Prepared.Ready(
                new LayerMount(
                        state.digest().orElseThrow(), Installer.seenAt(language), () -> shown));
    }

    private LayerState look(Packages packages, Policy policy, Optional<String> tier) {
        Language language = packages.language();
        String interpreter =
                interpreter(language, policy, tier).map(Interpreter::version).orElse("none");
        String key = key(packages, interpreter);
        Optional<String> digest = store.find(key).map(Layer::digest);
        Optional<PackageIndex> index = Optional.empty();
        String problem = "";
        if (digest.isEmpty()) {
            try {
                PackageIndex named = index(language, policy);
                problem = named.problem().orElse("");
                index = problem.isEmpty() ? Optional.of(named) : Optional.empty();
            } catch (PackageIndex.Unusable e) {
                problem = String.valueOf(e.getMessage());
            }
        }
        return new LayerState(key, interpreter, digest, index, problem);
    }

    private PackageIndex index(Language language, Policy policy) {
        if (!policy.install().packageIndex()) {
            throw new PackageIndex.Unusable(
                    "The policy does not let the install step reach the package index;"
                            + " it would with install: {network: package-index}");
        }
        Optional<String> unreachable = store.problem();
        if (unreachable.isPresent()) {
            throw new PackageIndex.Unusable(unreachable.get());
        }
        return settings.index(language);
    }

    private static Optional<Interpreter> interpreter(
            Language language, Policy policy, Optional<String> tier) {
        return Sandboxes.tiers().stream()
                .filter(one -> tier.isEmpty() ? !one.onlyByName() : tier.get().equals(one.name()))
                .filter(one -> one.isolation().atLeast(policy.isolation()))
                .flatMap(one -> one.interpreter(language, policy).stream())
                .findFirst();
    }

    private static String key(Packages packages, String interpreter) {
        MessageDigest digest = LayerTree.sha256();
        String all =
                String.join(
                        "\n",
                        packages.language().toString(),
                        interpreter,
                        System.getProperty("os.arch"),
                        Installer.VERSION,
                        String.join("\n", packages.requirements()));
        return LayerTree.hex(digest.digest(all.getBytes(StandardCharsets.UTF_8)));
    }

    private static String why(PackageIndex index, Outcome outcome, List<Connection> connections) {
        boolean reached =
                connections.stream().anyMatch(one -> one.fate() == Connection.Fate.ALLOWED);
        if (reached || connections.isEmpty()) {
            return "The installation from the package index %s failed: %s"
                    .formatted(index.places().getFirst(), OutcomeJson.words(outcome));
        }
        return "The package index %s cannot be reached: %s"
                .formatted(index.places().getFirst(), connections.getLast().detail());
    }

    /** Keeps what was installed, or knows why not. */
    private final class Keeping implements Launch.Harvest {

        private final Packages packages;
        private final LayerState state;
        private final PackageIndex index;
        private String problem = "The packages were installed, and are gone";

        Keeping(Packages packages, LayerState state, PackageIndex index) {
            this.packages = packages;
            this.state = state;
            this.index = index;
        }

        @Override
        public void take(Result result, BoxFiles files) {
            if (!result.outcome().success()) {
                return;
            }
            Layer made =
                    new Layer(
                            state.key(),
                            "",
                            packages.language().toString(),
                            state.interpreter(),
                            packages.requirements(),
                            index.url(),
                            0,
                            0,
                            Instant.now().truncatedTo(ChronoUnit.SECONDS).toString());
            try {
                store.keep(made, files, Installer.FOLDER);
            } catch (LayerTree.Unfit | SandboxException e) {
                problem = "What was installed is not kept: " + e.getMessage();
            } catch (UncheckedIOException e) {
                problem = String.valueOf(e.getMessage());
            }
        }

        LayerState lookAgain(LayerState now) {
            return now.digest().isPresent()
                    ? now
                    : new LayerState(
                            now.key(),
                            now.interpreter(),
                            Optional.empty(),
                            Optional.empty(),
                            problem);
        }
    }
}
