package dev.glovebox.agent;

import dev.glovebox.run.Context;
import dev.glovebox.run.EffectFailed;
import dev.glovebox.run.Price;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** Says who of a team speaks next, or that it is over. */
interface Chooser {

    Discussion choose(Discussion discussion, Context context);

    /** Everybody in turn. */
    static Chooser inTurn(List<Agent> agents) {
        return (discussion, context) -> discussion.next(after(agents, discussion));
    }

    private static String after(List<Agent> agents, Discussion discussion) {
        List<String> names = agents.stream().map(Agent::name).toList();
        int last =
                discussion.said().isEmpty()
                        ? -1
                        : names.indexOf(discussion.said().getLast().agent());
        return names.get((last + 1) % names.size());
    }

    /** Whoever the last one has handed over to; if to nobody, it is over. */
    static Chooser handedOver(Agent first) {
        return (discussion, context) -> {
            if (discussion.said().isEmpty()) {
                return discussion.next(first.name());
            }
            return discussion
                    .said()
                    .getLast()
                    .handedTo()
                    .map(discussion::next)
                    .orElseGet(() -> discussion.ended("nobody was handed the task"));
        };
    }

    /** A model picks; if it picks nonsense, or nothing, the one whose turn it would be speaks. */
    record Picked(String team, Route route, List<Agent> agents, Guardrails guardrails)
            implements Chooser {

        private static final String DONE = "DONE";
        private static final Duration WITHIN = Duration.ofMinutes(1);

        /** Looks at the money, and over what the model is told and says, as the agents do. */
        static Picked by(String team, Route route, List<Agent> agents) {
            requirePickable(team, agents);
            Guardrails all = Guardrails.joined(agents.stream().map(Agent::guardrails).toList());
            return new Picked(team, route.guarded(all, team), agents, all);
        }

        /** Models do not care for capitals, so a name must be one without them as well. */
        private static void requirePickable(String team, List<Agent> agents) {
            Set<String> taken = new HashSet<>(Set.of(DONE.toLowerCase(Locale.ROOT)));
            for (Agent agent : agents) {
                if (!taken.add(agent.name().toLowerCase(Locale.ROOT))) {
                    throw new IllegalArgumentException(
                            "No model can pick %s in the team %s: another agent has that name but for capitals, or it is the word for a task that is done; choose another name"
                                    .formatted(agent.name(), team));
                }
            }
        }

        @Override
        public Discussion choose(Discussion discussion, Context context) {
            Inspection inspection = new Inspection(guardrails, team);
            String told = discussion.told(inspection);
            inspection.note(context);
            Prompt prompt =
                    new Prompt(
                            instructions(),
                            List.of(new Message.User(told)),
                            List.of(),
                            Optional.empty(),
                            // A name is short, but some models think first, and that counts.
                            Prompt.TOKENS);
            Discussion now = discussion;
            for (int level = 0; level < route.models().size(); level++) {
                try {
                    Reply reply = context.perform(call(route.at(level), prompt));
                    now = now.used(reply.usage());
                    Optional<String> picked = picked(reply.message().text());
                    if (picked.isPresent()) {
                        return picked.get().equals(DONE)
                                ? now.ended("the task is done")
                                : now.next(picked.get());
                    }
                } catch (EffectFailed e) {
                    // The next one is asked, and behind the last one the turns decide.
                }
            }
            String fallback = after(agents, now);
            context.note("No agent was picked: " + fallback + " is next in turn");
            return now.next(fallback);
        }

        private ModelCall call(Model model, Prompt prompt) {
            return new ModelCall(
                    model, prompt, team, price(model), WITHIN, words -> {}, guardrails);
        }

        /** Whichever of the agents knows it: it has no prices of its own. */
        private Optional<Price> price(Model model) {
            return agents.stream()
                    .flatMap(agent -> agent.prices().of(model.name()).stream())
                    .findFirst();
        }

        private String instructions() {
            StringBuilder text =
                    new StringBuilder(
                            "You lead a discussion about a task. Say who should speak next: answer with one name, or with "
                                    + DONE
                                    + " when the task is done, and nothing else. The names:");
            agents.forEach(agent ->
                    text.append("\n- ")
                            .append(agent.name())
                            .append(agent.description().isBlank() ? "" : ": ")
                            .append(agent.description()));
            return text.toString();
        }

        /** The one name in an answer: models like to put it into a sentence. */
        private Optional<String> picked(String answer) {
            List<String> words = List.of(answer.toLowerCase(Locale.ROOT).split("[^a-z0-9_-]+", -1));
            List<String> named =
                    Stream.concat(agents.stream().map(Agent::name), Stream.of(DONE))
                            .filter(name -> words.contains(name.toLowerCase(Locale.ROOT)))
                            .toList();
            return named.size() == 1 ? Optional.of(named.getFirst()) : Optional.empty();
        }
    }
}
