package dev.glovebox.agent;

import dev.glovebox.run.Context;
import dev.glovebox.run.Graph;
import dev.glovebox.run.Prices;
import dev.glovebox.run.Run;
import dev.glovebox.run.RunOptions;
import dev.glovebox.run.Runs;
import dev.glovebox.run.Status;
import dev.glovebox.run.Stop;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;

/**
 * A model with instructions and tools, which works on a task until it is done.
 *
 * <p>It holds nothing of a task, and never changes: any number of tasks may be worked on at once.
 * What it does is a graph, so each task is a run: recorded, budgeted, resumable.
 */
public final class Agent {

    private final Builder parts;
    private final AgentLoop loop;
    private final Graph<Conversation> graph;

    private Agent(Builder parts) {
        this.parts = parts;
        this.loop = new AgentLoop(parts);
        this.graph = loop.graph();
    }

    /**
     * Begins an agent.
     *
     * @param name letters, digits, dashes; by which permissions and traces know it
     * @param model the small one, and larger ones for when it fails
     */
    public static Builder named(String name, Model... model) {
        return named(name, Route.of(model));
    }

    public static Builder named(String name, Route route) {
        return new Builder(name, route);
    }

    public String name() {
        return parts.name;
    }

    /** What other agents are told of it. */
    public String description() {
        return parts.description;
    }

    /** What it does, to be run, resumed, replayed, or made part of another graph. */
    public Graph<Conversation> graph() {
        return graph;
    }

    /** The same as part of another graph, which goes on when this has failed. */
    Graph<Conversation> inner() {
        return loop.inner();
    }

    /** The agents that it can hand over to. */
    List<String> handoffs() {
        return parts.tools.tools().stream()
                .filter(Handoff.class::isInstance)
                .map(tool -> ((Handoff) tool).to())
                .toList();
    }

    /** Works on a task, and waits for the end; also while people are asked. */
    public TaskResult run(Runs runs, String task) {
        return run(runs, task, RunOptions.titled(name()));
    }

    public TaskResult run(Runs runs, String task, RunOptions options) {
        return run(runs, List.of(), task, options);
    }

    /** Goes on with a conversation: works on a task behind what was said before. */
    public TaskResult run(Runs runs, List<Message> before, String task) {
        return run(runs, before, task, RunOptions.titled(name()));
    }

    public TaskResult run(Runs runs, List<Message> before, String task, RunOptions options) {
        TaskResult result = result(begun(runs, before, task, options));
        loop.behind(result);
        return result;
    }

    /** Begins to work on a task. */
    public Run<Conversation> start(Runs runs, String task, RunOptions options) {
        return start(runs, List.of(), task, options);
    }

    /** Begins to go on with a conversation. */
    public Run<Conversation> start(
            Runs runs, List<Message> before, String task, RunOptions options) {
        Run<Conversation> run = begun(runs, before, task, options);
        if (parts.memory.isPresent()) {
            run.whenEnded(end -> loop.behind(result(end)));
        }
        return run;
    }

    private Run<Conversation> begun(
            Runs runs, List<Message> before, String task, RunOptions options) {
        return runs.start(graph, begin(before, task, ""), options);
    }

    /** The state of a run that is given a task. */
    Conversation begin(String task) {
        return begin(List.of(), task, "");
    }

    /**
     * The same.
     *
     * @param before what was said before it
     * @param heard what is told behind it, and was looked at as messages
     */
    Conversation begin(List<Message> before, String task, String heard) {
        Guarded guarded = guarded(task);
        List<Message> messages = new ArrayList<>(before);
        messages.add(new Message.User(guarded.text() + heard));
        Conversation begun = Conversation.of(messages).with(guarded.findings());
        return guarded.blocked().map(AgentLoop::tripped).map(begun::failed).orElse(begun);
    }

    /** A task as its guardrails leave it. */
    Guarded guarded(String task) {
        return parts.guardrails.check(
                new Guardrail.Passage(Guardrail.Point.TASK, parts.name, "", task));
    }

    /** For what others say to it. */
    Inspection inspection() {
        return new Inspection(parts.guardrails, parts.name);
    }

    Guardrails guardrails() {
        return parts.guardrails;
    }

    Prices prices() {
        return parts.prices;
    }

    /**
     * Answers with a record, within a node of another graph. An agent that delegates to others
     * needs a graph of its own, and one that hands over a team.
     *
     * @param type its output
     * @throws Stop if it does not come to an answer, since its models failed, or a guardrail
     *     blocked one
     */
    public <T extends Record> T answer(String task, Class<T> type, Context context) {
        if (parts.output.filter(type::equals).isEmpty() || !parts.delegates.isEmpty()) {
            throw new IllegalArgumentException(
                    "The agent %s cannot answer with a %s within a node"
                            .formatted(name(), type.getSimpleName()));
        }
        if (!handoffs().isEmpty()) {
            throw new IllegalArgumentException(
                    "%s hands over to %s, and cannot answer within a node: hand-offs are for Team.handoff"
                            .formatted(name(), String.join(", ", handoffs())));
        }
        Conversation talk = loop.within(begin(task), context);
        if (talk.failure().isPresent()) {
            throw new Stop(talk.failure().get());
        }
        return new RecordAnswer<>(type).read(talk.answer());
    }

    /** Waits for the end of a run. */
    public static TaskResult result(Run<Conversation> run) {
        return result(run.awaitEnd());
    }

    private static TaskResult result(Status<Conversation> status) {
        return switch (status) {
            case Status.Finished<Conversation> end ->
                    new TaskResult(end.run(), end.reason(), end.state(), end.spent());
            case Status.Waiting<Conversation> asks ->
                    throw new IllegalStateException("A run that waits has not ended: " + asks);
            case Status.Differs<Conversation> differs ->
                    throw new IllegalStateException(differs.divergence().sentence());
        };
    }

    /** Puts an agent together. */
    public static final class Builder {

        private static final int MOST_TURNS = 50;
        private static final int MOST_REPAIRS = 3;
        private static final Duration ANSWER_WITHIN = Duration.ofMinutes(2);

        final String name;
        final Route route;
        String description = "";
        String instructions = "";
        Toolbox tools = Toolbox.empty();
        final SequencedMap<String, Agent> delegates = new LinkedHashMap<>();
        final List<Validator> validators = new ArrayList<>();
        Optional<Class<? extends Record>> output = Optional.empty();
        Optional<Termination> until = Optional.empty();
        Prices prices = Prices.listed();
        int mostTurns = MOST_TURNS;
        int mostRepairs = MOST_REPAIRS;
        int mostTokens = Prompt.TOKENS;
        Duration answerWithin = ANSWER_WITHIN;
        Guardrails guardrails = Guardrails.none();
        Optional<WorkingMemory> window = Optional.empty();
        Optional<Memory> memory = Optional.empty();
        WordListener words = (agent, text) -> {};

        private Builder(String name, Route route) {
            this.name = name;
            this.route = route;
        }

        private Builder(Builder other) {
            this.name = other.name;
            this.route = other.route.guarded(other.guardrails, other.name);
            this.description = other.description;
            this.instructions = other.instructions;
            this.tools = other.tools;
            this.delegates.putAll(other.delegates);
            this.validators.addAll(other.validators);
            this.output = other.output;
            this.until = other.until;
            this.prices = other.prices;
            this.mostTurns = other.mostTurns;
            this.mostRepairs = other.mostRepairs;
            this.mostTokens = other.mostTokens;
            this.answerWithin = other.answerWithin;
            this.guardrails = other.guardrails;
            this.window = other.window;
            this.memory = other.memory;
            this.words = other.words;
        }

        /** What other agents are told of it. */
        public Builder description(String text) {
            description = text;
            return this;
        }

        /** What its model is told before everything else. */
        public Builder instructions(String text) {
            instructions = text;
            return this;
        }

        /**
         * Gives it tools.
         *
         * @throws IllegalArgumentException if two have the same name
         */
        public Builder tools(Tool... more) {
            tools = tools.plus(more);
            return this;
        }

        public Builder tools(List<Tool> more) {
            return tools(more.toArray(Tool[]::new));
        }

        /**
         * Gives it other agents, which it can call like tools, by their names.
         *
         * @throws IllegalArgumentException if one of them wants to hand over: its task would end
         *     then, and nobody would go on
         */
        public Builder delegates(Agent... agents) {
            for (Agent agent : agents) {
                if (!agent.handoffs().isEmpty()) {
                    throw new IllegalArgumentException(
                            "%s hands over to %s, and cannot be a delegate of %s: hand-offs are for Team.handoff"
                                    .formatted(
                                            agent.name(),
                                            String.join(", ", agent.handoffs()),
                                            name));
                }
                tools(new Delegation(agent));
                delegates.put(agent.name(), agent);
            }
            return this;
        }

        /** Lets it hand the conversation over to one of these: for {@link Team#handoff}. */
        public Builder handoffs(String... agents) {
            for (String agent : agents) {
                tools(new Handoff(agent));
            }
            return this;
        }

        /**
         * Guards what it is given, what its model says, and what its tools give back, before any of
         * it is recorded.
         */
        public Builder guardrails(Guardrails all) {
            guardrails = all;
            return this;
        }

        /** Keeps what its model is sent within a number of tokens; the older part is summarised. */
        public Builder window(WorkingMemory memory) {
            window = Optional.of(memory);
            return this;
        }

        /**
         * Gives it a memory: before it begins it is told what is known about the task, it has tools
         * to remember and recall facts, and learns from each task, whether it was done or not.
         */
        public Builder memory(Memory past) {
            memory = Optional.of(past);
            return tools(MemoryTools.of(past));
        }

        /** Its answer must be a record, as JSON. */
        public Builder output(Class<? extends Record> type) {
            output = Optional.of(type);
            return this;
        }

        /** Its answer must be good enough: what is wrong with it goes back to the model. */
        public Builder validators(Validator... more) {
            validators.addAll(List.of(more));
            return this;
        }

        /** It ends then, whatever the model thinks. */
        public Builder until(Termination condition) {
            until = Optional.of(condition);
            return this;
        }

        public Builder prices(Prices known) {
            prices = known;
            return this;
        }

        /**
         * How often a model is asked for one task.
         *
         * @throws IllegalArgumentException if it is less than once
         */
        public Builder mostTurns(int turns) {
            mostTurns = Limits.atLeast(1, turns, "mostTurns");
            return this;
        }

        /**
         * How often an answer is sent back; 0: never.
         *
         * @throws IllegalArgumentException if it is negative
         */
        public Builder mostRepairs(int repairs) {
            mostRepairs = Limits.atLeast(0, repairs, "mostRepairs");
            return this;
        }

        /**
         * How much a model may write in one answer.
         *
         * @throws IllegalArgumentException if it is less than one token
         */
        public Builder mostTokens(int tokens) {
            mostTokens = Limits.atLeast(1, tokens, "mostTokens");
            return this;
        }

        /**
         * How long is waited for one answer.
         *
         * @throws IllegalArgumentException if it is no time, or less
         */
        public Builder answerWithin(Duration time) {
            answerWithin = Limits.some(time, "answerWithin");
            return this;
        }

        /** Gets the words of the model as they come. */
        public Builder words(WordListener listener) {
            words = listener;
            return this;
        }

        /**
         * Makes the agent.
         *
         * @throws dev.glovebox.run.BadGraph if its name is none
         * @throws IllegalArgumentException if its output has no schema
         */
        public Agent build() {
            // Of its own: whoever goes on with this builder makes another agent, and does not
            // change this one, or take its guardrails away.
            return new Agent(new Builder(this));
        }
    }
}
