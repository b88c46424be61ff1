package dev.glovebox.agent;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.glovebox.run.Cost;
import dev.glovebox.run.Effect.IfUnknown;
import dev.glovebox.run.Failure;
import dev.glovebox.sandbox.Language;
import dev.glovebox.sandbox.NotEnforceable;
import dev.glovebox.sandbox.Policy;
import dev.glovebox.sandbox.Program;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A tool that runs what a model has written, in a fresh box with the files of the run. */
final class ProgramTool implements Tool {

    // To open a box, and to bring its files in and out.
    private static final Duration BESIDE = Duration.ofSeconds(30);

    private static final Set<String> SCRIPTS =
            Stream.of(Language.values())
                    .map(ProgramTool::script)
                    .collect(Collectors.toUnmodifiableSet());

    private final Language language;
    private final Policy policy;
    private final Wall wall;
    private final Workspace workspace;
    private final ToolTraits traits;

    ProgramTool(Language language, Policy policy, Wall wall, Workspace workspace) {
        this(language, policy, wall, workspace, traits(policy));
    }

    private ProgramTool(
            Language language, Policy policy, Wall wall, Workspace workspace, ToolTraits traits) {
        this.language = language;
        this.policy = policy;
        this.wall = wall;
        this.workspace = workspace;
        this.traits = traits;
    }

    /** Still a program, of which the record tells more than of other tools. */
    ProgramTool with(ToolTraits other) {
        return new ProgramTool(language, policy, wall, workspace, other);
    }

    private static String name(Language language) {
        return switch (language) {
            case PYTHON -> "run_python";
            case JAVASCRIPT -> "run_javascript";
            case BASH -> "run_shell";
        };
    }

    /** Its own name, so that it is not in the way of what a model calls its files. */
    private static String script(Language language) {
        String name = language.filename();
        return name(language) + name.substring(name.lastIndexOf('.'));
    }

    static boolean isScript(String path) {
        return SCRIPTS.contains(path);
    }

    @Override
    public ToolOffer offer() {
        ObjectNode schema = JsonNodeFactory.instance.objectNode().put("type", "object");
        schema.putObject("properties")
                .putObject(argument())
                .put("type", "string")
                .put("description", language == Language.BASH ? "For bash" : "The whole program");
        schema.putArray("required").add(argument());
        schema.put("additionalProperties", false);
        return new ToolOffer(name(language), description(), schema);
    }

    private String argument() {
        return language == Language.BASH ? "command" : "code";
    }

    private String description() {
        String network =
                policy.network().isEmpty()
                        ? "There is no network."
                        : "It can connect to nothing but "
                                + policy.network().stream()
                                        .map(Object::toString)
                                        .collect(Collectors.joining(", "))
                                + ".";
        return """
        Runs %s in a fresh sandbox and gives back what it printed. The files of the workspace \
        are in its directory, and files that it writes there are kept for later calls, \
        except new hidden ones (.name); nothing else is. It has %d seconds and %s of memory. %s\
        """
                .formatted(
                        switch (language) {
                            case PYTHON -> "a Python 3 program";
                            case JAVASCRIPT -> "a JavaScript program (Node.js)";
                            case BASH -> "a command in bash";
                        },
                        policy.limits().wall().toSeconds(),
                        policy.limits().memory(),
                        network);
    }

    @Override
    public ToolTraits traits() {
        return traits;
    }

    private static ToolTraits traits(Policy policy) {
        Duration wall = policy.limits().wall();
        return ToolTraits.standard()
                .within(wall.plus(BESIDE))
                // A fresh box does no harm.
                .ifUnknown(IfUnknown.REPEAT)
                .atMost(Cost.NONE.toolCalls(1).sandbox(wall))
                .inPrivate();
    }

    @Override
    public ToolOutput call(ToolInput input) throws InterruptedException {
        Map<String, byte[]> files = workspace.before(input);
        byte[] source = input.argument(argument()).asText().getBytes(UTF_8);
        Program plain = Program.script(language, source, script(language));
        Program program =
                new Program(
                        plain.code(),
                        plain.arguments(),
                        plain.env(),
                        plain.stdin(),
                        files,
                        plain.outputs());
        try {
            return Launch.of(policy, program)
                    .behind(wall)
                    .run(
                            input.deadline(),
                            (ran, box) -> {
                                LeftFiles left =
                                        workspace.kept(
                                                input,
                                                LeftFiles.in(box, files),
                                                FilePolicy.of(policy));
                                return ProgramReport.of(
                                        Executed.of(ran.result(), ran.input(), left), left);
                            });
        } catch (NotEnforceable e) {
            throw Failure.lasting(Failure.NOT_ENFORCEABLE, e.getMessage());
        }
    }

    /** Puts into the details of the effect what is known of a program before it runs. */
    void tell(ObjectNode arguments, ObjectNode details) {
        details.put("codeLength", arguments.path(argument()).asText().getBytes(UTF_8).length)
                .put("timeoutMillis", policy.limits().wall().toMillis())
                .put("memoryBytes", policy.limits().memory().count());
        wall.name().ifPresent(name -> details.put("tier", name));
    }
}
