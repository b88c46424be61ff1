package dev.glovebox.sandbox.docker;

import com.github.dockerjava.api.DockerClient;
import com.github.dockerjava.api.async.ResultCallback;
import com.github.dockerjava.api.command.InspectContainerResponse;
import com.github.dockerjava.api.command.InspectVolumeResponse;
import com.github.dockerjava.api.exception.DockerException;
import com.github.dockerjava.api.exception.NotFoundException;
import com.github.dockerjava.api.exception.NotModifiedException;
import com.github.dockerjava.api.model.Container;
import com.github.dockerjava.api.model.Info;
import com.github.dockerjava.api.model.PullResponseItem;
import com.github.dockerjava.core.DefaultDockerClientConfig;
import com.github.dockerjava.core.DockerClientConfig;
import com.github.dockerjava.core.DockerClientImpl;
import com.github.dockerjava.zerodep.ZerodepDockerHttpClient;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A container engine; each question to it is given up after a while, so that one that hangs holds
 * nobody up.
 */
final class Engine {

    private static final Duration QUICK = Duration.ofSeconds(5);
    // Podman starts programs to find out its own version.
    private static final Duration ABOUT = Duration.ofSeconds(15);
    private static final Duration SLOW = Duration.ofSeconds(60);
    private static final Duration PULL = Duration.ofMinutes(30);
    private static final Duration ENDING = Duration.ofMillis(1500);
    private static final Duration REMOVAL = Duration.ofSeconds(20);

    /** Each costs a connection that is kept. */
    static final int QUESTIONS_AT_ONCE = 8;

    private final Semaphore questions = new Semaphore(QUESTIONS_AT_ONCE);
    private final Settings settings;
    private @Nullable Clients made;
    private volatile @Nullable Nature nature;

    /** Those for questions, and those for boxes, which stay connected. */
    private record Clients(DockerClient questions, DockerClient attachments) {}

    Engine(Settings settings) {
        this.settings = settings;
    }

    private DockerClient client() {
        return clients().questions();
    }

    /** Made by the first one who asks: an address or a certificate may be of no use. */
    private synchronized Clients clients() {
        Clients known = made;
        if (known == null) {
            DefaultDockerClientConfig.Builder builder =
                    DefaultDockerClientConfig.createDefaultConfigBuilder();
            settings.host().ifPresent(host -> builder.withDockerHost(host.toString()));
            builder.withDockerTlsVerify(settings.certificates().isPresent());
            settings.certificates()
                    .ifPresent(folder -> builder.withDockerCertPath(folder.toString()));
            DockerClientConfig config = builder.build();
            known =
                    new Clients(
                            client(config, QUESTIONS_AT_ONCE), client(config, Integer.MAX_VALUE));
            made = known;
        }
        return known;
    }

    private static DockerClient client(DockerClientConfig config, int connections) {
        return DockerClientImpl.getInstance(
                config,
                new ZerodepDockerHttpClient.Builder()
                        .dockerHost(config.getDockerHost())
                        .sslConfig(config.getSSLConfig())
                        .maxConnections(connections)
                        .connectionTimeout(QUICK)
                        .build());
    }

    /** What it is; asked once, and again after it was gone: another may stand in its place. */
    Nature nature() {
        Nature known = nature;
        if (known == null) {
            known =
                    Nature.of(
                            ask("its version", ABOUT, () -> client().versionCmd().exec()), info());
            nature = known;
        }
        return known;
    }

    /** What it is, if it has said so by now. */
    Optional<Nature> known() {
        return Optional.ofNullable(nature);
    }

    Info info() {
        return ask("its state", ABOUT, () -> client().infoCmd().exec());
    }

    /** The digest of an image that the engine has. */
    Optional<String> image(String name) {
        return ask(
                "the image " + name,
                QUICK,
                () -> {
                    try {
                        return Optional.ofNullable(client().inspectImageCmd(name).exec().getId());
                    } catch (NotFoundException e) {
                        return Optional.empty();
                    }
                });
    }

    /** Fetches an image, and tells how far it is. */
    void pull(String name, Consumer<String> progress) {
        ask(
                "pulling " + name,
                PULL,
                () ->
                        client().pullImageCmd(name)
                                .exec(
                                        new ResultCallback.Adapter<PullResponseItem>() {
                                            @Override
                                            public void onNext(PullResponseItem item) {
                                                progress.accept(
                                                        item.getId() + " " + item.getStatus());
                                            }
                                        })
                                .awaitCompletion());
    }

    String create(Creation creation) {
        return ask("a container", SLOW, () -> creation.command(client()).exec().getId());
    }

    Line attach(String container) {
        return ask(
                "the way to a container",
                QUICK,
                () -> DockerLine.open(clients().attachments(), container));
    }

    void start(String container) {
        ask("the start of a container", SLOW, () -> client().startContainerCmd(container).exec());
    }

    InspectContainerResponse inspect(String container) {
        return ask(
                "the state of a container",
                QUICK,
                () -> client().inspectContainerCmd(container).exec());
    }

    /** What the engine says about a container right now, if it says anything soon. */
    Optional<InspectContainerResponse> glance(String container) {
        try {
            return Optional.of(
                    ask(
                            "the state of a container",
                            ENDING,
                            () -> client().inspectContainerCmd(container).exec()));
        } catch (EngineFault e) {
            return Optional.empty();
        }
    }

    void kill(String container) {
        ask("the end of a container", ENDING, () -> client().killContainerCmd(container).exec());
    }

    void remove(String container) {
        ask(
                "the removal of a container",
                REMOVAL,
                () ->
                        client().removeContainerCmd(container)
                                .withForce(true)
                                .withRemoveVolumes(true)
                                .exec());
    }

    void createVolume(String name, Map<String, String> options, Map<String, String> labels) {
        ask(
                "a volume",
                SLOW,
                () ->
                        client().createVolumeCmd()
                                .withName(name)
                                .withDriver("local")
                                .withDriverOpts(options)
                                .withLabels(labels)
                                .exec());
    }

    /** Removes a volume that no container uses. */
    void removeVolume(String name) {
        ask("the removal of a volume", REMOVAL, () -> client().removeVolumeCmd(name).exec());
    }

    List<InspectVolumeResponse> volumes(String label) {
        return ask(
                "its volumes",
                QUICK,
                () ->
                        Optional.ofNullable(
                                        client().listVolumesCmd()
                                                .withFilter("label", List.of(label))
                                                .exec()
                                                .getVolumes())
                                .orElse(List.of()));
    }

    List<Container> containers(List<String> labels) {
        return ask(
                "its containers",
                QUICK,
                () ->
                        client().listContainersCmd()
                                .withShowAll(true)
                                .withLabelFilter(labels)
                                .exec());
    }

    private <T> T ask(String what, Duration patience, Callable<T> question) {
        FutureTask<T> task =
                new FutureTask<>(() -> {
                    questions.acquire();
                    try {
                        return question.call();
                    } finally {
                        questions.release();
                    }
                });
        Thread.ofVirtual().start(task);
        try {
            return task.get(patience.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            task.cancel(true);
            throw new EngineFault(
                    "The engine did not give " + what + " within " + patience.toMillis() + " ms",
                    e);
        } catch (ExecutionException e) {
            Throwable cause = e.getCause() == null ? e : e.getCause();
            if (!(cause instanceof DockerException)) {
                nature = null;
            }
            String why =
                    cause instanceof DockerException
                            ? reason(cause)
                            : "it is gone or cannot be reached: " + reason(cause);
            throw new EngineFault("The engine did not give " + what + ": " + why, cause);
        } catch (InterruptedException e) {
            task.cancel(true);
            Thread.currentThread().interrupt();
            throw new EngineFault("Interrupted while waiting for the engine", e);
        }
    }

    private static String reason(Throwable cause) {
        Throwable deepest = cause;
        while (deepest.getCause() != null && !(deepest instanceof DockerException)) {
            deepest = deepest.getCause();
        }
        String text = String.valueOf(deepest.getMessage()).strip();
        return text.substring(0, Math.min(text.length(), 500));
    }

    /** Whether it failed only since the container is gone or has ended already. */
    static boolean over(EngineFault fault) {
        return fault.getCause() instanceof NotFoundException
                || fault.getCause() instanceof NotModifiedException;
    }
}
