package dev.glovebox.agent;

import dev.glovebox.run.Context;
import dev.glovebox.run.EffectFailed;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What an agent remembers while it thinks: as much of the conversation as fits, and the past. */
final class Remembered {

    private static final String SUMMARY = "summary";
    private static final int MOST = 5;

    private final Agent.Builder parts;

    Remembered(Agent.Builder parts) {
        this.parts = parts;
    }

    /** What a model is sent of a conversation. */
    List<Message> window(Conversation talk) {
        return memory(talk).map(memory -> memory.window(talk.sent())).orElseGet(talk::sent);
    }

    private Optional<WorkingMemory> memory(Conversation talk) {
        return parts.window.map(memory -> talk.task().map(memory::about).orElse(memory));
    }

    /** With a summary of what does not fit any more, or at least without that. */
    Conversation shortened(Conversation talk, Context context) {
        return memory(talk)
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
                    context.perform(ModelCall.unheard(parts.route.at(0), overflow.prompt(), parts));
            String text = guarded(summary.message().text(), context);
            return talk.used(summary.usage())
                    .shortened(
                            text.isBlank()
                                    ? memory.shortened(talk.sent())
                                    : memory.shortened(talk.sent(), text));
        } catch (EffectFailed e) {
            return talk.shortened(memory.shortened(talk.sent()));
        }
    }

    /** A summary may say what a tool has said, without the fence that this stood in. */
    private String guarded(String summary, Context context) {
        Inspection inspection = new Inspection(parts.guardrails, parts.name);
        String text = inspection.look(Guardrail.Point.TOOL_RESULT, SUMMARY, summary).text();
        inspection.note(context);
        return text;
    }

    /** With what is known from before about the task. */
    Conversation recalled(Conversation talk, Context context) {
        if (parts.memory.isEmpty()) {
            return talk;
        }
        String task = Lessons.task(talk);
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
}
