package dev.glovebox.agent;

import dev.glovebox.run.Context;
import dev.glovebox.run.EffectFailed;
import dev.glovebox.run.StopReason;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What an agent remembers while it thinks: as much of the conversation as fits, and the past. */
final class Remembered {

    private static final int MOST = 5;

    private final Agent.Builder parts;

    Remembered(Agent.Builder parts) {
        this.parts = parts;
    }

    /** What a model is sent of the messages. */
    List<Message> window(List<Message> messages) {
        return parts.window.map(memory -> memory.window(messages)).orElse(messages);
    }

    /** With a summary of what does not fit any more, or at least without that. */
    Conversation shortened(Conversation talk, Context context) {
        return parts.window
                .flatMap(memory ->
                        memory.overflow(talk.sent())
                                .map(overflow -> shortened(memory, overflow, talk, context)))
                .orElse(talk);
    }

    private Conversation shortened(
            WorkingMemory memory,
            WorkingMemory.Overflow overflow,
            Conversation talk,
            Context context) {
        try {
            Reply summary =
                    context.perform(ModelCall.of(parts.route.at(0), overflow.prompt(), parts));
            String text = summary.message().text();
            return talk.used(summary.usage())
                    .shortened(
                            text.isBlank()
                                    ? memory.shortened(talk.sent())
                                    : memory.shortened(talk.sent(), text));
        } catch (EffectFailed e) {
            return talk.shortened(memory.shortened(talk.sent()));
        }
    }

    /** With what is known from before about the task. */
    Conversation recalled(Conversation talk, Context context) {
        if (parts.memory.isEmpty()) {
            return talk;
        }
        String task = task(talk);
        Recall.Question question = new Recall.Question(task, task, "", MOST);
        Recall.Found found;
        try {
            found =
                    context.perform(
                            new Recall(parts.memory.get(), question, parts.guardrails, parts.name));
        } catch (EffectFailed e) {
            // Without its memory an agent is worse, and still an agent.
            return talk;
        }
        List<Message> known = new ArrayList<>();
        if (!found.facts().isEmpty()) {
            known.add(new Message.User(Recollection.ofFacts(found.facts())));
        }
        if (!found.episodes().isEmpty()) {
            known.add(new Message.User(Recollection.ofEpisodes(found.episodes())));
        }
        return talk.plus(known);
    }

    /**
     * Learns from a task that is over, well or badly.
     *
     * @param problem what is wrong with the last answer
     */
    void learned(Conversation talk, Optional<String> problem, Context context) {
        // What begins with nothing is no task that could come again.
        if (parts.memory.isEmpty() || task(talk).isBlank()) {
            return;
        }
        StopReason stop = talk.failure().orElseGet(StopReason.Completed::new);
        boolean failed = talk.failure().isPresent();
        Episode episode =
                new Episode(
                        task(talk),
                        problem.orElseGet(() -> problem(stop, talk)),
                        failed ? "" : talk.answer(),
                        stop.word(),
                        context.run());
        new Experience(parts.memory.get(), parts.name).learn(episode, context);
    }

    private static String problem(StopReason stop, Conversation talk) {
        return switch (stop) {
            case StopReason.ModelFailed model -> model.problem();
            case StopReason.GuardrailTripped tripped -> tripped.guardrail() + ": " + tripped.why();
            case StopReason other -> lastProblem(talk);
        };
    }

    private static String task(Conversation talk) {
        return talk.messages().isEmpty() ? "" : talk.messages().getFirst().text();
    }

    /** What a tool, or whoever looked at an answer, said last that was wrong. */
    private static String lastProblem(Conversation talk) {
        boolean repaired = talk.progress().repairs() > 0;
        return talk.messages().reversed().stream()
                .filter(message ->
                        switch (message) {
                            case Message.ToolResult result -> result.isError();
                            case Message.User user -> repaired;
                            case Message.Assistant assistant -> false;
                        })
                .map(Message::text)
                .findFirst()
                .orElse("");
    }
}
