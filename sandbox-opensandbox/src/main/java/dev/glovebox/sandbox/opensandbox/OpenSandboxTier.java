package dev.glovebox.sandbox.opensandbox;

import dev.glovebox.sandbox.Control;
import dev.glovebox.sandbox.Interpreter;
import dev.glovebox.sandbox.Isolation;
import dev.glovebox.sandbox.Language;
import dev.glovebox.sandbox.NotEnforceable;
import dev.glovebox.sandbox.Policy;
import dev.glovebox.sandbox.Sandbox;
import dev.glovebox.sandbox.spi.Availability;
import dev.glovebox.sandbox.spi.Tier;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/** Boxes on an OpenSandbox server: somebody else's machine, used only when asked for by name. */
public final class OpenSandboxTier implements Tier {

    static final String NAME = "opensandbox";

    private static final String SAY_WHERE =
            "Set "
                    + Settings.DOMAIN
                    + " to its HOST:PORT, "
                    + Settings.KEY
                    + " to your key and, if need be, "
                    + Settings.IMAGE
                    + " to an image with Python 3";

    private static final int MOST_IMAGES = 64;

    private final Supplier<Optional<Settings>> settings;
    // Those of each image, looked for once.
    private final Map<String, Map<Language, Interpreter>> interpreters = new ConcurrentHashMap<>();

    /** The tier for the server that the environment names. */
    public OpenSandboxTier() {
        this(System.getenv());
    }

    /**
     * The tier for a server of its own, for instance that of one tenant.
     *
     * @param environment names it as the environment would, such as {@code OPEN_SANDBOX_DOMAIN}
     */
    public OpenSandboxTier(Map<String, String> environment) {
        this(() -> Settings.of(environment));
    }

    OpenSandboxTier(Supplier<Optional<Settings>> settings) {
        this.settings = settings;
    }

    @Override
    public String name() {
        return NAME;
    }

    /** What such servers make of boxes: containers. That it is so is their word. */
    @Override
    public Isolation isolation() {
        return Isolation.CONTAINER;
    }

    @Override
    public Duration typicalStart() {
        return Duration.ofMinutes(5);
    }

    @Override
    public boolean onlyByName() {
        return true;
    }

    @Override
    public boolean takesImages() {
        return true;
    }

    @Override
    public boolean ownInterpreters() {
        return true;
    }

    @Override
    public int sweep() {
        try {
            Optional<Settings> known = settings.get();
            return known.isEmpty() ? 0 : Marks.sweep(new Lifecycle(known.get()));
        } catch (IOException | IllegalArgumentException e) {
            return 0; // what is left there ends by itself when its lease is over
        }
    }

    /** Opens a box, since only a box shows whether the server does what it is asked for. */
    @Override
    public Availability probe() {
        try (RemoteBox box = box(Policy.denyAll())) {
            List<Control> controls = new ArrayList<>();
            controls.add(new Control("machine", "not this one", "nothing about it is checked"));
            controls.addAll(box.inForce());
            Settings server = box.server().settings();
            return new Availability.Works(
                    "OpenSandbox at " + server.server() + ", image " + server.image(), controls);
        } catch (NotEnforceable e) {
            return new Availability.Missing(
                    e.reason(), e.remedy().isEmpty() ? SAY_WHERE : e.remedy());
        }
    }

    /** What the image has; the first time, a box is opened to look. */
    @Override
    public Optional<Interpreter> interpreter(Language language, Policy policy) {
        try {
            check(policy);
            Map<Language, Interpreter> known =
                    interpreters.getOrDefault(settings(policy).image(), Map.of());
            if (known.isEmpty()) {
                Policy look = Policy.denyAll();
                try (RemoteBox box = box(policy.image().map(look::image).orElse(look))) {
                    known = box.interpreters();
                }
            }
            return Optional.ofNullable(known.get(language));
        } catch (NotEnforceable e) {
            if (policy.image().isPresent()) {
                throw e;
            }
            return Optional.empty(); // who opens a box is told why
        }
    }

    @Override
    public void check(Policy policy) {
        if (!isolation().atLeast(policy.isolation())) {
            throw new NotEnforceable(
                    "isolation", "an OpenSandbox server counts as a container and not as more");
        }
        Demands.check(policy);
    }

    @Override
    public Sandbox open(Policy policy) {
        check(policy);
        return box(policy);
    }

    private RemoteBox box(Policy policy) {
        Settings known = settings(policy);
        Map<Language, Interpreter> found = interpreters.getOrDefault(known.image(), Map.of());
        RemoteBox box = RemoteBox.open(new Lifecycle(known), policy, found);
        if (interpreters.size() >= MOST_IMAGES) {
            interpreters.clear();
        }
        interpreters.put(known.image(), box.interpreters());
        return box;
    }

    private Settings settings(Policy policy) {
        Optional<Settings> known;
        try {
            known = settings.get();
        } catch (IllegalArgumentException e) {
            throw new NotEnforceable("isolation", String.valueOf(e.getMessage()), SAY_WHERE);
        }
        return known.map(usual -> policy.image().map(usual::image).orElse(usual))
                .orElseThrow(() ->
                        new NotEnforceable(
                                "isolation", "no OpenSandbox server is configured", SAY_WHERE));
    }
}
