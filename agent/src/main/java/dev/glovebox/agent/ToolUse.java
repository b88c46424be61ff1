package dev.glovebox.agent;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.glovebox.run.Call;
import dev.glovebox.run.Cost;
import dev.glovebox.run.Done;
import dev.glovebox.run.Effect;
import dev.glovebox.run.Failure;
import dev.glovebox.run.Retry;
import dev.glovebox.trace.BlobRef;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The effect of calling a tool.
 *
 * <p>A tool that throws has a result like another one: an error that the model reads.
 */
final class ToolUse implements Effect<ObjectNode, ToolOutput> {

    static final String KIND = "tool";

    /** What of {@link ToolOutput} is kept as content of its own. */
    static final Map<String, String> APART = Map.of("executed", BlobRef.JSON);

    private static final int LONGEST_MESSAGE = 2_000;

    /** What guardrails see of a text behind what is kept of it: they know no half of a secret. */
    private static final int BEYOND = 8 << 10;

    private static final int LONGEST_ID = 200;
    private static final int LONGEST_DESCRIPTION = 200;

    private final Tool tool;
    private final ToolOffer offer;
    private final String name;
    private final ToolTraits traits;
    private final ObjectNode arguments;
    private final String agent;
    private final String callId;
    private final Guardrails guardrails;

    /**
     * A call.
     *
     * @param arguments that follow the schema of the tool
     * @param callId by which the model recognises the result
     */
    ToolUse(Tool tool, ObjectNode arguments, String agent, String callId, Guardrails guardrails) {
        this.tool = tool;
        this.offer = tool.offer();
        this.name = offer.name();
        this.traits = tool.traits();
        this.arguments = arguments;
        this.agent = agent;
        this.callId = callId;
        this.guardrails = guardrails;
    }

    @Override
    public Done<ToolOutput> perform(Call call) throws Exception {
        ToolInput input = new ToolInput(arguments, agent, call);
        Inspection inspection = new Inspection(guardrails, agent);
        ToolOutput output = guarded(result(input), inspection);
        Cost most = atMost();
        Cost used = output.executed().map(ran -> most.sandbox(ran.usage().wall())).orElse(most);
        return new Done<>(output, used, () -> details(output, inspection));
    }

    private static ObjectNode details(ToolOutput output, Inspection inspection) {
        ObjectNode details = JsonNodeFactory.instance.objectNode().put("isError", output.isError());
        if (!inspection.json().isEmpty()) {
            details.set(Finding.DETAILS, inspection.json());
        }
        output.executed().ifPresent(executed -> SandboxExec.tell(executed, details));
        return details;
    }

    /**
     * Nothing that is not guarded is recorded, or read by a model; not what it did not read either.
     */
    private ToolOutput guarded(Raw result, Inspection inspection) {
        ToolOutput raw = result.output();
        Guarded guarded =
                look(Excerpt.beginning(raw.text(), (long) result.most() + BEYOND), inspection);
        Optional<Executed> ran = raw.executed().map(executed -> guarded(executed, inspection));
        return guarded.blocked()
                .map(why -> new ToolOutput("The result of the tool is withheld: " + why, true, ran))
                .orElseGet(() ->
                        new ToolOutput(
                                result.bounded(guarded.text()),
                                raw.isError(),
                                ran,
                                raw.wroteFile()));
    }

    private Executed guarded(Executed ran, Inspection inspection) {
        return guardrails.isEmpty() ? ran : ran.printing(text -> look(text, inspection).text());
    }

    private Guarded look(String text, Inspection inspection) {
        return inspection.look(Guardrail.Point.TOOL_RESULT, name, text);
    }

    /**
     * What a tool gave back.
     *
     * @param most how many bytes of its text are kept
     */
    private record Raw(ToolOutput output, int most) {

        /** Cuts what guardrails made of a text that is too long. */
        String bounded(String guarded) {
            long bytes = Tokens.bytes(output.text());
            return bytes <= most
                    ? guarded
                    : Injection.within(guarded, text -> Excerpt.bytes(text, most, bytes));
        }
    }

    private Raw result(ToolInput input) throws Exception {
        try {
            return new Raw(given(tool.call(input)), traits.mostBytes());
        } catch (Failure e) {
            throw guarded(e);
        } catch (InterruptedException e) {
            throw interrupted();
        } catch (Exception | LinkageError | AssertionError | StackOverflowError e) {
            // Whoever makes another exception of an interruption leaves no other trace of it.
            if (Thread.currentThread().isInterrupted()
                    || !Instant.now().isBefore(input.deadline())) {
                // Nobody waits any more, and nobody knows how far it came.
                throw interrupted();
            }
            return new Raw(failed(e.getMessage()), Math.min(LONGEST_MESSAGE, traits.mostBytes()));
        } catch (Error e) {
            throw guarded(e);
        }
    }

    private static ToolOutput failed(@Nullable String why) {
        return ToolOutput.error(
                "The tool failed: " + (why == null || why.isBlank() ? "it does not say why" : why));
    }

    private Failure guarded(Throwable cause) {
        return new Inspection(guardrails, agent).failure(Guardrail.Point.TOOL_RESULT, name, cause);
    }

    /** Without what the tool said, which nobody has looked at. */
    private InterruptedException interrupted() {
        return new InterruptedException(name + " was interrupted");
    }

    // Tools are written by anybody, who may not care for annotations.
    @SuppressWarnings({"ConstantValue", "NullAway"})
    private static ToolOutput given(ToolOutput output) {
        if (output == null || output.text() == null) {
            return failed("it gave nothing back");
        }
        return output.executed() == null
                ? new ToolOutput(
                        output.text(), output.isError(), Optional.empty(), output.wroteFile())
                : output;
    }

    @Override
    public String kind() {
        return KIND;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public ObjectNode arguments() {
        return arguments;
    }

    @Override
    public Class<ToolOutput> resultType() {
        return ToolOutput.class;
    }

    @Override
    public String agent() {
        return agent;
    }

    @Override
    public Map<String, String> apart() {
        return APART;
    }

    @Override
    public String about() {
        return ShownArguments.of(arguments).orElse("It has more arguments than can be shown.");
    }

    @Override
    public JsonNode details() {
        ObjectNode details =
                JsonNodeFactory.instance
                        .objectNode()
                        .put("callId", Excerpt.line(callId, LONGEST_ID))
                        .put("toolType", "function");
        if (!offer.description().isBlank()) {
            details.put("description", Excerpt.line(offer.description(), LONGEST_DESCRIPTION));
        }
        if (tool instanceof ProgramTool program) {
            program.tell(arguments, details);
        }
        return details;
    }

    @Override
    public boolean isPrivate() {
        return traits.isPrivate();
    }

    @Override
    public Cost atMost() {
        Cost most = traits.atMost();
        return most.toolCalls(Math.max(1, most.toolCalls()));
    }

    @Override
    public Retry retry() {
        return traits.retry();
    }

    @Override
    public Optional<Duration> within() {
        return Optional.of(traits.within());
    }

    @Override
    public IfUnknown ifUnknown() {
        return traits.ifUnknown();
    }

    @Override
    public Optional<String> difference(ToolOutput recorded, ToolOutput again) {
        if (recorded.executed().isPresent() && again.executed().isPresent()) {
            return recorded.executed().get().difference(again.executed().get());
        }
        return recorded.text().equals(again.text()) && recorded.isError() == again.isError()
                ? Optional.empty()
                : Optional.of("the result");
    }
}
