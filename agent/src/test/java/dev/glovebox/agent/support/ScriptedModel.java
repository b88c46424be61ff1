package dev.glovebox.agent.support;

import dev.glovebox.agent.Message;
import dev.glovebox.agent.Model;
import dev.glovebox.agent.ModelProblem;
import dev.glovebox.agent.Prompt;
import dev.glovebox.agent.Reply;
import dev.glovebox.agent.Usage;
import dev.glovebox.run.Failure;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/** A model that answers from a script, and remembers what it was asked. */
public final class ScriptedModel implements Model {

    private final Script script;
    private final List<Prompt> prompts = new CopyOnWriteArrayList<>();
    private final List<AssertionError> problems = new CopyOnWriteArrayList<>();

    public ScriptedModel(Turn... turns) {
        this(Script.of(turns));
    }

    public ScriptedModel(Script script) {
        this.script = script;
    }

    @Override
    public String name() {
        return "scripted:model";
    }

    /** What it was asked, in order. */
    public List<Prompt> prompts() {
        return List.copyOf(prompts);
    }

    /**
     * What went wrong here: that it was asked more than its script has. To a run that is a failure
     * of the model like another, so a test that expects one looks here.
     */
    public List<AssertionError> problems() {
        return List.copyOf(problems);
    }

    @Override
    public Reply ask(Prompt prompt, Duration within, Consumer<String> words)
            throws InterruptedException {
        prompts.add(prompt);
        Turn turn = next(prompt);
        while (turn instanceof Turn.Slow slow) {
            Thread.sleep(slow.time());
            turn = slow.then();
        }
        return switch (turn) {
            case Turn.Says says -> said(says, prompt, words);
            case Turn.Holds holds ->
                    said(new Turn.Says(holds.text(), List.of(), false), prompt, words);
            case Turn.Fails fails -> throw failure(fails);
            case Turn.Cut cut -> throw Failure.passing(ModelProblem.UNREACHABLE, "cut");
            case Turn.Ends ends -> throw Failure.passing(ModelProblem.UNREACHABLE, "cut");
            case Turn.Stops stops -> throw Failure.passing(ModelProblem.UNREACHABLE, "cut");
            case Turn.Breaks breaks ->
                    throw Failure.passing(ModelProblem.OVERLOADED, breaks.message());
            case Turn.Refuses refuses -> throw Failure.lasting(ModelProblem.REFUSED, refuses.why());
            case Turn.Filters filters -> throw Failure.lasting(ModelProblem.REFUSED, "filtered");
            case Turn.Endless endless -> {
                Thread.sleep(within);
                throw Failure.passing(ModelProblem.TIME_OUT, "no end");
            }
            case Turn.Garbage garbage ->
                    throw Failure.passing(ModelProblem.MALFORMED, garbage.text());
            case Turn.Slow slow -> throw new AssertionError(slow);
        };
    }

    private static Reply said(Turn.Says says, Prompt prompt, Consumer<String> words) {
        words.accept(says.text());
        long read = prompt.messages().stream().mapToLong(m -> m.text().length()).sum();
        Usage usage = Usage.of(read / 4 + 1, says.text().length() / 4 + 1);
        return new Reply(new Message.Assistant(says.text(), says.calls()), usage, says.isCut());
    }

    private Turn next(Prompt prompt) {
        try {
            return script.next(prompt.toString());
        } catch (AssertionError e) {
            problems.add(e);
            throw e;
        }
    }

    private static Failure failure(Turn.Fails fails) {
        return switch (fails.status()) {
            case 401, 403 -> Failure.lasting(ModelProblem.INVALID_KEY, fails.body());
            case 404 -> Failure.lasting(ModelProblem.NO_SUCH_MODEL, fails.body());
            case 429 -> Failure.passing(ModelProblem.RATE_LIMIT, fails.body());
            case 400 -> Failure.lasting(ModelProblem.INVALID_REQUEST, fails.body());
            default -> Failure.passing(ModelProblem.OVERLOADED, fails.body());
        };
    }
}
