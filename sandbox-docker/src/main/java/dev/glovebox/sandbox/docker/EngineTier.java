package dev.glovebox.sandbox.docker;

import com.github.dockerjava.api.command.InspectContainerResponse;
import com.github.dockerjava.api.model.Info;
import dev.glovebox.sandbox.Control;
import dev.glovebox.sandbox.Interpreter;
import dev.glovebox.sandbox.Language;
import dev.glovebox.sandbox.NotEnforceable;
import dev.glovebox.sandbox.Policy;
import dev.glovebox.sandbox.Sandbox;
import dev.glovebox.sandbox.spi.Availability;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What both walls have in common on an engine: finds it, makes boxes on it, removes them. */
final class EngineTier implements Ground {

    private static final Logger LOG = LoggerFactory.getLogger(EngineTier.class);
    private static final Duration GREETING = Duration.ofSeconds(20);

    private static final String IMAGE = "image";
    private static final Duration FRESH = Duration.ofSeconds(5);

    private record Image(String digest, long at) {}

    private final Wall wall;
    private final Settings settings;
    private final Engine engine;
    private final Removals removals = new Removals();
    private final Pool pool;
    private final AtomicBoolean swept = new AtomicBoolean();
    private final Map<String, Image> images = new ConcurrentHashMap<>();

    EngineTier(Wall wall, Settings settings) {
        this.wall = wall;
        this.settings = settings;
        engine = new Engine(settings);
        pool = new Pool(settings.pool(), this::make);
        Departures.add(pool, removals);
    }

    @Override
    public Availability probe() {
        try {
            requireEngine();
            try (Standby box = pool.take(spec(Policy.denyAll()))) {
                return new Availability.Works(box.identity().version(), box.identity().controls());
            }
        } catch (NotEnforceable e) {
            return new Availability.Missing(e.reason(), e.remedy());
        } catch (EngineFault e) {
            return new Availability.Missing(e.getMessage(), remedy());
        }
    }

    /** Fetches the image and makes boxes, before anybody waits for one. */
    @Override
    public void prepare() {
        try {
            requireEngine();
            if (engine.image(settings.image()).isEmpty()) {
                LOG.info("Pulling the image {}", settings.image());
                engine.pull(
                        settings.image(),
                        progress -> LOG.info("{}: {}", settings.image(), progress));
            }
            pool.activate();
            pool.fill(spec(Policy.denyAll().isolation(wall.isolation())));
        } catch (NotEnforceable | EngineFault e) {
            LOG.info("The tier {} cannot be prepared: {}", wall.tier(), e.getMessage());
        }
    }

    @Override
    public int sweep() {
        try {
            return settings.host().isEmpty() ? 0 : Leftovers.sweep(engine);
        } catch (EngineFault e) {
            return 0;
        }
    }

    @Override
    public Optional<Interpreter> interpreter(Language language, Policy policy) {
        try {
            requireEngine();
            ContainerSpec spec = spec(policy);
            Standby box = pool.take(spec);
            Optional<Interpreter> found = box.interpreters().find(language, policy);
            pool.giveBack(spec, box);
            return found;
        } catch (NotEnforceable e) {
            if (policy.image().isPresent() && e.control().equals(IMAGE)) {
                throw e;
            }
            return Optional.empty();
        } catch (EngineFault e) {
            return Optional.empty();
        }
    }

    @Override
    public void check(Policy policy) {
        if (!policy.network().isEmpty()) {
            throw new NotEnforceable(
                    "network",
                    "the "
                            + wall.tier()
                            + " tier has no network; single hosts can be allowed in the"
                            + " jail");
        }
        if (settings.host().isPresent()) {
            checkFiles(policy);
        }
    }

    @Override
    public Sandbox open(Policy policy) {
        check(policy);
        try {
            requireEngine();
            return new ContainerBox(policy, pool.take(spec(policy)));
        } catch (EngineFault e) {
            throw new NotEnforceable("isolation", e.getMessage(), remedy());
        }
    }

    /** Whether there is an engine, with gVisor if that is asked for. */
    boolean there() {
        try {
            requireEngine();
            return true;
        } catch (NotEnforceable | EngineFault e) {
            return false;
        }
    }

    private void checkFiles(Policy policy) {
        if (!policy.files().isEmpty() && !settings.local()) {
            throw new NotEnforceable(
                    "files", "an engine on another machine cannot show files of this one");
        }
        Optional<Path> socket =
                settings.host().filter(uri -> settings.local()).map(uri -> Path.of(uri.getPath()));
        policy.files()
                .forEach(grant -> {
                    if (socket.filter(path -> path.startsWith(grant.current())).isPresent()) {
                        throw new NotEnforceable(
                                "files",
                                "no box may see the engine's own socket, in " + grant.host());
                    }
                });
    }

    private void requireEngine() {
        if (settings.host().isEmpty()) {
            throw new NotEnforceable(
                    "isolation", "there is no container engine's socket on this machine", remedy());
        }
        engine.nature().require(wall, settings);
        if (wall == Wall.GVISOR) {
            Info info = engine.info();
            if (info.getRuntimes() == null
                    || !info.getRuntimes().containsKey(settings.gvisorRuntime())) {
                throw new NotEnforceable(
                        "isolation",
                        "the engine has no runtime '" + settings.gvisorRuntime() + "'",
                        "Install gVisor's runsc, and name it under \"runtimes\" in the engine's daemon.json");
            }
        }
    }

    /** One that has answered is there, but without root it may not be given what boxes need. */
    private String remedy() {
        return engine.known()
                .map(Nature::remedy)
                .filter(text -> !text.isEmpty())
                .orElse(
                        "Install and start one: apt install docker.io; or name one with DOCKER_HOST");
    }

    private ContainerSpec spec(Policy policy) {
        return ContainerSpec.of(image(policy.image().orElse(settings.image())), policy);
    }

    /** The digest that an image's name has; asked anew every few seconds. */
    private String image(String name) {
        Image known = images.get(name);
        if (known == null || System.nanoTime() - known.at() > FRESH.toNanos()) {
            images.values().removeIf(one -> System.nanoTime() - one.at() > FRESH.toNanos());
            known = new Image(imageNow(name), System.nanoTime());
            images.put(name, known);
        }
        return known.digest();
    }

    private String imageNow(String name) {
        return engine.image(name)
                .orElseThrow(() ->
                        new NotEnforceable(
                                IMAGE,
                                "the engine has no image '" + name + "'",
                                "Fetch it: "
                                        + engine.nature().dialect().program()
                                        + " pull "
                                        + name
                                        + (name.equals(settings.image())
                                                ? "; or name another with GLOVEBOX_CONTAINER_IMAGE"
                                                : "")));
    }

    private Standby make(ContainerSpec spec) {
        if (swept.compareAndSet(false, true)) {
            Thread.ofVirtual().start(this::sweep);
        }
        int uid = Uids.take();
        Dialect dialect = engine.nature().dialect();
        Creation creation = Creation.of(dialect, wall, spec, uid, runtime(), Owner.self());
        EngineContainer vessel = null;
        try {
            vessel = EngineContainer.start(engine, creation);
            return lookOver(spec, uid, vessel);
        } catch (RuntimeException e) {
            Uids.release(uid);
            if (vessel != null) {
                vessel.line().close();
                removals.remove(vessel);
            }
            throw e;
        }
    }

    private Optional<String> runtime() {
        return wall == Wall.GVISOR ? Optional.of(settings.gvisorRuntime()) : Optional.empty();
    }

    private Standby lookOver(ContainerSpec spec, int uid, EngineContainer vessel) {
        Holder holder = new Holder(vessel.line(), spec.limits().disk().count() + (1 << 20));
        Facts facts =
                holder.greeting(GREETING)
                        .orElseThrow(() ->
                                new NotEnforceable(
                                        "isolation",
                                        "The holder of the box did not start"
                                                + complaint(vessel.line()),
                                        "The image needs Python 3.8 or newer as 'python3'"));
        InspectContainerResponse said = engine.inspect(vessel.id());
        Nature nature = engine.nature();
        List<Control> controls = Readback.verify(wall, nature, facts, spec, uid, said);
        // What gVisor's kernel is to the host is not what its programs are.
        OptionalLong hostUid =
                settings.local() && wall == Wall.CONTAINER
                        ? HostProcess.user(said, vessel.id())
                        : OptionalLong.empty();
        Standby.Identity identity =
                new Standby.Identity(wall.tier(), nature.title(), spec.image(), hostUid, controls);
        Vessel slow = Throttled.around(vessel, HostProcess.throttle(said, spec.disks()));
        return new Standby(identity, slow, holder, facts, removals, uid);
    }

    private static String complaint(Line line) {
        String said = line.complaints().lines().reduce("", (first, second) -> second);
        return said.isEmpty() ? "" : " (it said: " + said + ")";
    }
}
