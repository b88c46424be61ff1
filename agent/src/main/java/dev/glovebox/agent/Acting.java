package dev.glovebox.agent;

import dev.glovebox.run.Context;
import dev.glovebox.run.EffectFailed;
import dev.glovebox.run.Failure;
import dev.glovebox.run.Graph;
import dev.glovebox.run.Join;
import dev.glovebox.run.OutcomeUnknown;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;

/** The node in which what a model wants is done: all its calls at once. */
final class Acting {

    private static final String GIVE = "give";
    private static final String TOOLS = "tools";
    private static final String WORK = "work";
    private static final String LOOK = "look";

    private static final String CUT =
            "\nThe answer was cut off since it is too long, perhaps in this call. Give a shorter one.";

    // More at once is nonsense of a model, or worse.
    private static final int MOST_CALLS = 64;
    private static final int AT_ONCE = 16;

    private final String agent;
    private final Toolbox tools;
    private final SequencedMap<String, Agent> delegates;

    private final Guardrails guardrails;
    private final Lessons lessons;

    Acting(Agent.Builder parts, Lessons lessons) {
        this.lessons = lessons;
        this.agent = parts.name;
        this.tools = parts.tools;
        this.delegates = parts.delegates;
        this.guardrails = parts.guardrails;
    }

    /**
     * A call.
     *
     * @param task for which it is made, where there is something to be learned from it
     */
    record Wanted(ToolCall call, String task) {}

    /** What one tool, or one of the other agents, is called for, and what came of it. */
    record Share(List<Wanted> calls, List<Message.ToolResult> results) {

        private static Share of(List<Wanted> calls) {
            return new Share(calls, List.of());
        }

        private Share with(List<Message.ToolResult> came) {
            return new Share(calls, came);
        }
    }

    Graph.Builder<Conversation> into(Graph.Builder<Conversation> graph, String node) {
        if (delegates.isEmpty()) {
            return graph.map(
                    node,
                    Message.ToolResult.class,
                    this::calls,
                    this::act,
                    AT_ONCE,
                    Join.all(this::acted, Acting::came));
        }
        return graph.fanOut(
                node,
                Share.class,
                this::branches,
                Join.all(
                        (talk, shares) -> acted(talk, results(shares)),
                        (talk, shares) -> came(talk, results(shares))));
    }

    private void branches(Graph.Branches<Conversation, Share> branches) {
        Graph<Share> all =
                Graph.of(TOOLS, Share.class)
                        .map(
                                GIVE,
                                Message.ToolResult.class,
                                Share::calls,
                                this::act,
                                AT_ONCE,
                                Join.all(Share::with))
                        .edge(GIVE, Graph.END)
                        .build();
        branches.add(
                TOOLS,
                all.within(
                        talk ->
                                Share.of(
                                        calls(talk).stream()
                                                .filter(wanted ->
                                                        !delegates.containsKey(
                                                                wanted.call().name()))
                                                .toList()),
                        (talk, share) -> share));
        delegates.forEach((name, delegate) ->
                branches.add(
                        name,
                        given(delegate)
                                .within(
                                        talk ->
                                                Share.of(
                                                        calls(talk).stream()
                                                                .filter(wanted ->
                                                                        wanted.call()
                                                                                .name()
                                                                                .equals(name))
                                                                .toList()),
                                        (talk, share) -> share)));
    }

    /** First it is asked whether the task may be given to the other agent, then that one works. */
    private Graph<Share> given(Agent delegate) {
        Graph.Builder<Share> graph = Graph.of(delegate.name(), Share.class);
        graph.map(
                        GIVE,
                        Message.ToolResult.class,
                        Share::calls,
                        this::act,
                        AT_ONCE,
                        Join.all(Share::with))
                .map(
                        WORK,
                        Message.ToolResult.class,
                        Share::results,
                        delegate.inner().within(given -> task(delegate, given), Acting::report),
                        AT_ONCE,
                        Join.all(Share::with))
                .edge(GIVE, WORK);
        if (guardrails.isEmpty()) {
            return graph.edge(WORK, Graph.END).build();
        }
        return graph.edge(WORK, LOOK).node(LOOK, this::looked).edge(LOOK, Graph.END).build();
    }

    /** What another agent is given to do: nothing, if it was not to be. */
    private static Conversation task(Agent delegate, Message.ToolResult given) {
        return given.isError()
                ? Conversation.of("").ended("not given")
                : delegate.begin(given.text());
    }

    /** To who gave it the task, what another agent says is what a tool gives back. */
    private static Message.ToolResult report(Message.ToolResult given, Conversation talk) {
        if (given.isError()) {
            return given;
        }
        if (talk.failure().isPresent()) {
            String why = talk.failure().get().word();
            return result(given, "The agent could not do it: " + why, true);
        }
        return result(given, talk.answer(), false);
    }

    /** What others have answered, as it may be read. */
    private Share looked(Share share, Context context) {
        Inspection inspection = new Inspection(guardrails, agent);
        List<Message.ToolResult> results =
                share.results().stream().map(result -> looked(result, inspection)).toList();
        inspection.note(context);
        return share.with(results);
    }

    private static Message.ToolResult looked(Message.ToolResult came, Inspection inspection) {
        if (came.isError()) {
            return came; // Our own words.
        }
        Guarded answer = inspection.look(Guardrail.Point.TOOL_RESULT, came.tool(), came.text());
        return answer.blocked()
                .map(why -> result(came, "The answer of the agent is withheld: " + why, true))
                .orElseGet(() -> result(came, answer.text(), false));
    }

    private static Message.ToolResult result(
            Message.ToolResult given, String text, boolean isError) {
        return new Message.ToolResult(given.call(), given.tool(), text, isError);
    }

    /** Whether it is one call, of a tool: then there is nothing to be done at once. */
    boolean isOne(Conversation talk) {
        return talk.pending().size() == 1
                && !delegates.containsKey(talk.pending().getFirst().name());
    }

    /** One call after the other. */
    Conversation inTurn(Conversation talk, Context context) {
        List<Message.ToolResult> results = new ArrayList<>();
        String task = lessons.about(talk);
        for (ToolCall call : some(talk.pending())) {
            results.add(act(call, task, context));
        }
        return acted(talk, results);
    }

    private List<Wanted> calls(Conversation talk) {
        String task = lessons.about(talk);
        return some(talk.pending()).stream().map(call -> new Wanted(call, task)).toList();
    }

    private static List<ToolCall> some(List<ToolCall> wanted) {
        return wanted.size() > MOST_CALLS ? wanted.subList(0, MOST_CALLS) : wanted;
    }

    private Message.ToolResult act(Wanted wanted, Context context) {
        return act(wanted.call(), wanted.task(), context);
    }

    private Message.ToolResult act(ToolCall call, String task, Context context) {
        ToolOutput output =
                switch (tools.check(call)) {
                    case ToolCheck.Unfit unfit -> unfit.error();
                    case ToolCheck.Fit fit ->
                            lessons.during(task, context, () -> use(fit, call, context));
                };
        return new Message.ToolResult(call.id(), call.name(), output.text(), output.isError());
    }

    private ToolOutput use(ToolCheck.Fit fit, ToolCall call, Context context) {
        try {
            // What a delegate is given to do was looked at as arguments, and is nobody's result.
            Guardrails after = fit.tool() instanceof Delegation ? Guardrails.none() : guardrails;
            return context.perform(
                    new ToolUse(fit.tool(), fit.arguments(), agent, call.id(), after));
        } catch (EffectFailed e) {
            if (e.code().equals(Failure.NOT_ENFORCEABLE)) {
                // No model can do anything about it, and none should try another way.
                throw e;
            }
            return ToolOutput.error("The tool did not do it: " + e.getMessage());
        } catch (OutcomeUnknown e) {
            return ToolOutput.error(
                    "The tool was called, and nobody knows whether it did what it should");
        }
    }

    private static List<Message.ToolResult> results(List<Share> shares) {
        return shares.stream().flatMap(share -> share.results().stream()).toList();
    }

    /** What is known of some calls when the run ends in the middle of others. */
    private static Conversation came(Conversation talk, List<Message.ToolResult> results) {
        return talk.acted(results, Optional.empty());
    }

    /** Puts the results into the order of the calls. */
    private Conversation acted(Conversation talk, List<Message.ToolResult> results) {
        List<Message.ToolResult> all = new ArrayList<>();
        Optional<String> to = Optional.empty();
        for (ToolCall call : talk.pending()) {
            Message.ToolResult result = result(call, results);
            all.add(result);
            if (to.isEmpty() && !result.isError()) {
                to = tools.handsTo(call.name());
            }
        }
        if (talk.progress().isCut()) {
            all.add(cut(all.removeLast()));
        }
        return talk.acted(all, to);
    }

    /** Who does not know why its call came to nothing writes the same again, and so for ever. */
    private static Message.ToolResult cut(Message.ToolResult last) {
        return last.isError() ? result(last, last.text() + CUT, true) : last;
    }

    // There are not many: see above.
    private static Message.ToolResult result(ToolCall call, List<Message.ToolResult> results) {
        for (Message.ToolResult result : results) {
            if (result.call().equals(call.id())) {
                return result;
            }
        }
        return tooMany(call);
    }

    private static Message.ToolResult tooMany(ToolCall call) {
        return new Message.ToolResult(
                call.id(),
                call.name(),
                "Not called: at most %d tools are called at once".formatted(MOST_CALLS),
                true);
    }
}
