package dev.glovebox.agent;

import dev.glovebox.run.Context;
import dev.glovebox.run.Graph;
import dev.glovebox.run.Join;
import dev.glovebox.run.Node;
import dev.glovebox.run.Run;
import dev.glovebox.run.RunOptions;
import dev.glovebox.run.Runs;
import dev.glovebox.run.Status;
import dev.glovebox.run.Stop;
import dev.glovebox.run.StopReason;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Agents that work on one task together.
 *
 * <p>A team is a graph, so each of its tasks is one run: recorded, budgeted, resumable. It holds
 * nothing of a task.
 *
 * <p>All but {@link #handoff} throw {@link IllegalArgumentException} if one of the agents has
 * hand-offs.
 */
public final class Team {

    /** Nobody speaks more often for one task, unless a condition ends it before. */
    public static final int MOST_TURNS = 100;

    private static final String CHOOSE = "choose";
    private static final String GIVE_UP = "give-up";
    private static final String TOGETHER = "together";
    private static final String MERGE = "merge";

    private final Graph<Discussion> graph;
    private final List<Agent> agents;

    private Team(Graph<Discussion> graph, List<Agent> agents) {
        this.graph = graph;
        this.agents = agents;
    }

    /** One behind the other; each knows what those before it have said. */
    public static Team sequence(String name, Agent... agents) {
        List<Agent> all = staying(name, agents);
        Graph.Builder<Discussion> graph = Graph.of(name, Discussion.class);
        for (int i = 0; i < all.size(); i++) {
            String next = i + 1 < all.size() ? all.get(i + 1).name() : Graph.END;
            String agent = all.get(i).name();
            graph.node(agent, turn(all.get(i)))
                    .choose(agent, talk -> unlessFailed(talk, next), next, GIVE_UP);
        }
        return new Team(givingUp(graph).build(), all);
    }

    /**
     * All at once, each with the task alone.
     *
     * @param merge makes one text of what they said, in their order
     */
    public static Team parallel(
            String name, Function<List<Discussion.Said>, String> merge, Agent... agents) {
        List<Agent> all = staying(name, agents);
        Graph.Builder<Discussion> graph =
                together(name, all)
                        .node(
                                MERGE,
                                (talk, context) ->
                                        talk.with(
                                                List.of(
                                                        new Discussion.Said(
                                                                MERGE,
                                                                merge.apply(talk.said()),
                                                                List.of(),
                                                                Optional.empty())),
                                                talk.usage(),
                                                Optional.empty()))
                        .edge(MERGE, Graph.END)
                        .choose(TOGETHER, talk -> unlessFailed(talk, MERGE), MERGE, GIVE_UP);
        return new Team(givingUp(graph).build(), all);
    }

    /** All at once, each with the task alone, and then one who is told what they said. */
    public static Team parallel(String name, Agent merger, Agent... agents) {
        staying(name, merger);
        List<Agent> all = staying(name, agents);
        Graph.Builder<Discussion> graph =
                together(name, all)
                        .node(merger.name(), turn(merger))
                        .choose(
                                merger.name(),
                                talk -> unlessFailed(talk, Graph.END),
                                Graph.END,
                                GIVE_UP)
                        .choose(
                                TOGETHER,
                                talk -> unlessFailed(talk, merger.name()),
                                merger.name(),
                                GIVE_UP);
        return new Team(
                givingUp(graph).build(), Stream.concat(all.stream(), Stream.of(merger)).toList());
    }

    /** One after the other, again and again, until a condition is reached. */
    public static Team roundRobin(String name, Termination until, Agent... agents) {
        List<Agent> all = staying(name, agents);
        return talking(name, Chooser.inTurn(all), until, all);
    }

    /**
     * A model picks who speaks next, and when it is over; if it picks nonsense they speak in turn.
     *
     * @throws IllegalArgumentException if two names differ in capitals only, or one is {@code
     *     done}, by which the model says that it is over
     */
    public static Team selector(String name, Route route, Termination until, Agent... agents) {
        List<Agent> all = staying(name, agents);
        return talking(name, Chooser.Picked.by(name, route, all), until, all);
    }

    /**
     * The first one begins; whoever has the task can hand it over, and it is over when somebody
     * answers without doing so.
     *
     * @throws IllegalArgumentException if one could hand over to somebody who is not in the team
     */
    public static Team handoff(String name, Termination until, Agent... agents) {
        List<Agent> all = distinct(agents);
        Set<String> names = new HashSet<>(all.stream().map(Agent::name).toList());
        for (Agent agent : all) {
            agent.handoffs().stream()
                    .filter(to -> !names.contains(to))
                    .findFirst()
                    .ifPresent(to -> {
                        throw new IllegalArgumentException(
                                "%s hands over to %s, who is not in the team %s"
                                        .formatted(agent.name(), to, name));
                    });
        }
        return talking(name, Chooser.handedOver(all.getFirst()), until, all);
    }

    /**
     * The agents of a team in which nobody takes over.
     *
     * @throws IllegalArgumentException if one of them wants to hand over: that would end its turn,
     *     and nobody would go on
     */
    private static List<Agent> staying(String team, Agent... agents) {
        List<Agent> all = distinct(agents);
        all.forEach(agent -> staying(team, agent));
        return all;
    }

    private static void staying(String team, Agent agent) {
        if (!agent.handoffs().isEmpty()) {
            throw new IllegalArgumentException(
                    "%s hands over to %s, but nobody is handed anything in the team %s: leave out its hand-offs, or make the team by Team.handoff"
                            .formatted(agent.name(), String.join(", ", agent.handoffs()), team));
        }
    }

    private static List<Agent> distinct(Agent... agents) {
        List<Agent> all = List.of(agents);
        if (all.isEmpty() || all.stream().map(Agent::name).distinct().count() < all.size()) {
            throw new IllegalArgumentException("A team needs agents, each with a name of its own");
        }
        return all;
    }

    private static Graph.Builder<Discussion> together(String name, List<Agent> agents) {
        return Graph.of(name, Discussion.class)
                .fanOut(
                        TOGETHER,
                        Discussion.class,
                        branches ->
                                agents.forEach(agent -> branches.add(agent.name(), turn(agent))),
                        Join.all(Team::joined, Team::joined));
    }

    private static Discussion joined(Discussion before, List<Discussion> turns) {
        Discussion all = before;
        for (Discussion turn : turns) {
            all =
                    all.with(
                            List.of(turn.said().getLast()),
                            all.usage().plus(turn.usage()),
                            turn.failure());
        }
        return all;
    }

    private static Team talking(
            String name, Chooser chooser, Termination until, List<Agent> agents) {
        List<String> targets = new ArrayList<>(agents.stream().map(Agent::name).toList());
        targets.add(Graph.END);
        targets.add(GIVE_UP);
        Graph.Builder<Discussion> graph =
                Graph.of(name, Discussion.class)
                        .node(CHOOSE, (talk, context) -> choose(chooser, until, talk, context))
                        .choose(
                                CHOOSE,
                                talk -> unlessFailed(talk, talk.next().orElse(Graph.END)),
                                targets.toArray(String[]::new));
        agents.forEach(agent -> graph.node(agent.name(), turn(agent)).edge(agent.name(), CHOOSE));
        return new Team(givingUp(graph).mostVisits(Integer.MAX_VALUE).build(), agents);
    }

    private static Discussion choose(
            Chooser chooser, Termination until, Discussion talk, Context context) {
        if (talk.failure().isPresent()) {
            return talk;
        }
        Discussion now =
                talk.began().isEmpty() && until.needsTime() ? talk.since(context.now()) : talk;
        return (now.said().isEmpty()
                        ? Optional.<String>empty()
                        : until.reached(now.conversation(), context))
                .map(now::ended)
                .orElseGet(() -> bounded(chooser.choose(now, context)));
    }

    /** Nobody speaks any more then; but what was done in the last turn is done. */
    private static Discussion bounded(Discussion chosen) {
        return chosen.next().isPresent() && chosen.said().size() >= MOST_TURNS
                ? chosen.with(
                        List.of(),
                        chosen.usage(),
                        Optional.of(new StopReason.AttemptsExhausted(MOST_TURNS)))
                : chosen;
    }

    private static Node<Discussion, Discussion> turn(Agent agent) {
        return agent.inner()
                .within(talk -> begun(agent, talk), (talk, said) -> talk.heard(agent.name(), said));
    }

    private static Conversation begun(Agent agent, Discussion talk) {
        if (talk.failure().isPresent()) {
            return Conversation.of("").failed(talk.failure().get()).with(talk.findings());
        }
        Inspection inspection = agent.inspection();
        Conversation begun = agent.begin(List.of(), talk.task(), talk.heard(inspection));
        List<Finding> before = talk.said().isEmpty() ? talk.findings() : inspection.findings();
        return begun.with(Stream.concat(before.stream(), begun.findings().stream()).toList());
    }

    private static String unlessFailed(Discussion talk, String next) {
        return talk.failure().isPresent() ? GIVE_UP : next;
    }

    private static Graph.Builder<Discussion> givingUp(Graph.Builder<Discussion> graph) {
        return graph.node(
                        GIVE_UP,
                        (talk, context) -> {
                            throw new Stop(talk.failure().orElseThrow());
                        })
                .edge(GIVE_UP, Graph.END);
    }

    /** What it does, to be run, resumed, replayed, or made part of another graph. */
    public Graph<Discussion> graph() {
        return graph;
    }

    /** Works on a task, and waits for the end; also while people are asked. */
    public TeamResult run(Runs runs, String task) {
        return run(runs, task, RunOptions.titled(graph.name()));
    }

    public TeamResult run(Runs runs, String task, RunOptions options) {
        return result(start(runs, task, options));
    }

    /** Begins to work on a task. */
    public Run<Discussion> start(Runs runs, String task, RunOptions options) {
        return runs.start(graph, begin(task), options);
    }

    /**
     * What the guardrails of one keep from it is kept from all: the task is on record, and with
     * whoever picks the next one, before that one is asked.
     */
    private Discussion begin(String task) {
        Discussion talk = Discussion.of(task);
        for (Agent agent : agents) {
            if (talk.failure().isEmpty()) {
                talk = talk.guarded(agent.guarded(talk.task()));
            }
        }
        return talk;
    }

    /** Waits for the end of a run. */
    public static TeamResult result(Run<Discussion> run) {
        return switch (run.awaitEnd()) {
            case Status.Finished<Discussion> end ->
                    new TeamResult(end.run(), end.reason(), end.state(), end.spent());
            case Status.Waiting<Discussion> asks ->
                    throw new IllegalStateException("A run that waits has not ended: " + asks);
            case Status.Differs<Discussion> differs ->
                    throw new IllegalStateException(differs.divergence().sentence());
        };
    }
}
