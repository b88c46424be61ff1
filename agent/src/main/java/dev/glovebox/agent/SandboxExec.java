package dev.glovebox.agent;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.glovebox.run.Call;
import dev.glovebox.run.Cost;
import dev.glovebox.run.Done;
import dev.glovebox.run.Effect;
import dev.glovebox.run.Failure;
import dev.glovebox.sandbox.Connection;
import dev.glovebox.sandbox.InvalidPolicy;
import dev.glovebox.sandbox.NotEnforceable;
import dev.glovebox.sandbox.Result;
import dev.glovebox.sandbox.Sandbox;
import dev.glovebox.trace.BlobRef;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CancellationException;

/**
 * A program in a fresh box, as a recorded effect.
 *
 * <p>A fresh box does no harm, so what was interrupted is done again. Content is private: its
 * digests tell nothing, and each part can be redacted. A program that ends badly is a result, not a
 * failure; the effect fails if nothing ran, with {@link Failure#NOT_ENFORCEABLE} if no wall here
 * satisfies the policy.
 */
public final class SandboxExec implements Effect<Job, Executed> {

    /** The kind of effect. */
    public static final String KIND = "sandbox.exec";

    /** What of {@link Job} and {@link Executed} is kept as content of its own. */
    public static final Map<String, String> APART =
            Map.of(
                    "source", BlobRef.TEXT,
                    "arguments", BlobRef.JSON,
                    "inputs", BlobRef.BYTES,
                    "stdin", BlobRef.BYTES,
                    "stdout", BlobRef.TEXT,
                    "stderr", BlobRef.TEXT,
                    "files", BlobRef.BYTES,
                    "receipt", BlobRef.JSON);

    private final Job job;
    private final Launch launch;

    private SandboxExec(Job job, Launch launch) {
        this.job = job;
        this.launch = launch;
    }

    public static SandboxExec of(Launch launch) {
        return new SandboxExec(Job.of(launch), launch);
    }

    /** A program that is on record. */
    static SandboxExec of(Job job, StandardInput input) {
        // One of somebody's own is not found by its name, so that nothing runs behind another.
        Wall wall = job.tier().map(Wall::named).orElseGet(Wall::fastest);
        Launch plain = Launch.of(job::readPolicy, wall, job.program()).layers(job.mounts());
        Launch launch = job.keepsFiles() ? plain.keepingFiles() : plain;
        return new SandboxExec(job, launch.input(input));
    }

    /** One line for people, with nothing private in it. */
    public String title() {
        return job.title();
    }

    @Override
    public Done<Executed> perform(Call call) throws InterruptedException {
        Ended ended;
        try {
            ended = launch.run(call.deadline(), this::end);
        } catch (InterruptedException e) {
            launch.spectator().failed(new CancellationException("Interrupted before it began"));
            throw e;
        } catch (RuntimeException e) {
            launch.spectator().failed(e);
            throw failure(e);
        }
        Result result = ended.result();
        launch.spectator().ended(result);
        Executed executed = ended.executed();
        Cost used = Cost.NONE.sandbox(result.usage().wall());
        ObjectNode details = JsonNodeFactory.instance.objectNode();
        tell(executed, details);
        return new Done<>(executed, used, () -> details);
    }

    private record Ended(Result result, Executed executed) {}

    private Ended end(Launch.Ran ran, Sandbox box) {
        Result result = ran.result();
        if (!job.keepsFiles()) {
            return new Ended(result, Executed.of(result, ran.input()));
        }
        LeftFiles left = LeftFiles.in(box, job.filesBefore());
        return new Ended(result, Executed.of(result, ran.input(), left));
    }

    /** Puts into the details of an effect what everybody may know of a program that it ran. */
    static void tell(Executed executed, ObjectNode details) {
        details.set("tier", executed.receipt().path("tier"));
        details.set("outcome", OutcomeJson.tree(executed.outcome()));
        details.put("stdoutBytes", executed.out().total());
        details.put("stderrBytes", executed.err().total());
        if (executed.stdinBytes() > 0) {
            details.put("stdinBytes", executed.stdinBytes());
        }
        if (!executed.connections().isEmpty()) {
            details.put("connections", executed.connections().size());
            details.put(
                    "connectionsDenied",
                    executed.connections().stream()
                            .filter(one -> one.fate() == Connection.Fate.DENIED)
                            .count());
        }
    }

    private static Failure failure(RuntimeException problem) {
        String message = String.valueOf(problem.getMessage());
        String code =
                switch (problem) {
                    case NotEnforceable e -> Failure.NOT_ENFORCEABLE;
                    case InvalidPolicy e -> "invalid-policy";
                    default -> "not-run";
                };
        // The reason is private: it may name files of the host.
        ObjectNode details = JsonNodeFactory.instance.objectNode();
        details.putObject("outcome").put("type", "not-started");
        return Failure.lasting(code, message).details(details);
    }

    @Override
    public String kind() {
        return KIND;
    }

    @Override
    public String name() {
        return job.what();
    }

    @Override
    public Job arguments() {
        return job;
    }

    @Override
    public Class<Executed> resultType() {
        return Executed.class;
    }

    @Override
    public Map<String, String> apart() {
        return APART;
    }

    @Override
    public JsonNode details() {
        return JsonNodeFactory.instance
                .objectNode()
                .put("codeLength", job.codeLength())
                .put("timeoutMillis", job.wall().toMillis())
                .put("memoryBytes", job.memory().count());
    }

    @Override
    public boolean isPrivate() {
        return true;
    }

    @Override
    public Cost atMost() {
        return Cost.NONE.sandbox(job.wall());
    }

    @Override
    public IfUnknown ifUnknown() {
        return IfUnknown.REPEAT;
    }

    @Override
    public Optional<String> difference(Executed recorded, Executed again) {
        return recorded.difference(again);
    }
}
