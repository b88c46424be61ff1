package dev.glovebox.cli;

import dev.glovebox.sandbox.Bytes;
import dev.glovebox.sandbox.Durations;
import dev.glovebox.sandbox.FileGrant;
import dev.glovebox.sandbox.HostPort;
import dev.glovebox.sandbox.Isolation;
import dev.glovebox.sandbox.Policy;
import java.time.Duration;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** The options that make a policy: a file, and what overrides it. */
final class PolicyOptions {

    static final String TIER = "--tier";

    private static final String POLICY = "--policy";
    private static final String TIMEOUT = "--timeout";
    private static final String MEMORY = "--memory";
    private static final String ENV = "--env";
    private static final String MOUNT = "--mount";
    private static final String ALLOW = "--allow";
    private static final String IMAGE = "--image";

    private PolicyOptions() {}

    static void addTo(CommandSpec spec) {
        spec.addOption(
                        Options.one(
                                TIER,
                                "TIER",
                                "The wall: jail, process, …; by default the fastest that satisfies the"
                                        + " policy."))
                .addOption(
                        Options.one(
                                POLICY,
                                "FILE",
                                "A policy file; the options that follow override it."))
                .addOption(
                        Options.one(
                                TIMEOUT, "TIME", "How long it may take, such as 500ms, 10s or 2m."))
                .addOption(Options.one(MEMORY, "SIZE", "How much memory it may use, such as 256m."))
                .addOption(
                        Options.many(
                                ENV,
                                "K=V",
                                "An environment variable; again for more, as all that follow."))
                .addOption(
                        Options.many(
                                MOUNT,
                                "HOST:BOX[:rw]",
                                "Shows a file or folder of this machine to the box, read-only unless"
                                        + " :rw."))
                .addOption(
                        Options.many(
                                ALLOW,
                                "HOST:PORT",
                                "A place it may connect to, through a proxy that it is told of."))
                .addOption(
                        Options.one(
                                IMAGE,
                                "NAME",
                                "What the box is made of, behind a wall that is made of images."));
    }

    static Policy policy(ParseResult parsed, Shell shell) {
        @Nullable String file = Options.one(parsed, POLICY);
        Policy policy = file == null ? Policy.denyAll() : Policy.load(shell.path(file));
        if (Isolation.PROCESS.toString().equals(Options.one(parsed, TIER))) {
            // The one wall below the default: accepted because it was named, here and now.
            policy = policy.isolation(Isolation.PROCESS);
        }
        @Nullable String timeout = Options.one(parsed, TIMEOUT);
        if (timeout != null) {
            Duration wall = parse(TIMEOUT, timeout, Durations::parse);
            policy = policy.wall(wall);
            if (file == null && wall.compareTo(policy.limits().cpuTime()) > 0) {
                // Who asks for two minutes does not mean thirty seconds of processor time.
                policy = policy.cpuTime(wall);
            }
        }
        @Nullable String memory = Options.one(parsed, MEMORY);
        if (memory != null) {
            policy = policy.memory(parse(MEMORY, memory, Bytes::parse));
        }
        for (String one : Options.many(parsed, ENV)) {
            int equals = one.indexOf('=');
            if (equals < 1) {
                throw new BadInput("--env '" + one + "' is not NAME=VALUE");
            }
            policy = policy.env(one.substring(0, equals), one.substring(equals + 1));
        }
        for (String one : Options.many(parsed, MOUNT)) {
            policy = policy.grant(FileGrant.parse(one, shell.directory()));
        }
        for (String one : Options.many(parsed, ALLOW)) {
            HostPort place = HostPort.parse(one);
            policy = policy.allow(place.host(), place.port());
        }
        @Nullable String image = Options.one(parsed, IMAGE);
        return image == null ? policy : policy.image(image);
    }

    /** Of a task: where no file says otherwise, what it needs may come from the package index. */
    static Policy ofTask(ParseResult parsed, Shell shell) {
        Policy policy = policy(parsed, shell);
        return Options.one(parsed, POLICY) == null
                ? policy.install(new Policy.Install(policy.install().wall(), true))
                : policy;
    }

    private static <T> T parse(String option, String text, Function<String, T> parser) {
        try {
            return parser.apply(text);
        } catch (IllegalArgumentException e) {
            throw new BadInput(option + ": " + e.getMessage(), e);
        }
    }
}
