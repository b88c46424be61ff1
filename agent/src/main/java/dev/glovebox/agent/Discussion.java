package dev.glovebox.agent;

import dev.glovebox.run.StopReason;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What the agents of a team have said about a task: the state of a team's run.
 *
 * @param next who speaks next
 * @param began when it began, where somebody wants to know
 * @param ended why it is over
 * @param failure why it cannot go on
 * @param findings what guardrails said of the task
 */
public record Discussion(
        String task,
        List<Said> said,
        Usage usage,
        Optional<String> next,
        Optional<Instant> began,
        Optional<String> ended,
        Optional<StopReason> failure,
        List<Finding> findings) {

    /**
     * What one agent has said at its turn.
     *
     * @param tools that it has used for it
     * @param handedTo whom it wants to go on
     */
    public record Said(String agent, String text, List<String> tools, Optional<String> handedTo) {

        public Said {
            tools = List.copyOf(tools);
        }

        static Said of(String agent, Conversation talk) {
            return new Said(agent, talk.answer(), toolsOf(talk), talk.handedTo());
        }

        private static List<String> toolsOf(Conversation talk) {
            return talk.messages().stream()
                    .filter(message ->
                            message instanceof Message.ToolResult result && !result.isError())
                    .map(message -> ((Message.ToolResult) message).tool())
                    .distinct()
                    .toList();
        }
    }

    public Discussion {
        said = List.copyOf(said);
        findings = List.copyOf(findings);
    }

    static Discussion of(String task) {
        return new Discussion(
                task,
                List.of(),
                Usage.NONE,
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                List.of());
    }

    /** With a task that guardrails have looked at, before anybody has spoken. */
    Discussion guarded(Guarded guarded) {
        List<Finding> all = new ArrayList<>(findings);
        all.addAll(guarded.findings());
        return new Discussion(
                guarded.text(),
                said,
                usage,
                next,
                began,
                ended,
                failure.or(() -> guarded.blocked().map(AgentLoop::tripped)),
                all);
    }

    /** What was said last. */
    public String text() {
        return said.isEmpty() ? "" : said.getLast().text();
    }

    Discussion heard(String agent, Conversation talk) {
        return with(List.of(Said.of(agent, talk)), usage.plus(talk.usage()), talk.failure());
    }

    Discussion with(List<Said> more, Usage used, Optional<StopReason> problem) {
        List<Said> all = new ArrayList<>(said);
        all.addAll(more);
        return new Discussion(
                task,
                all,
                used,
                Optional.empty(),
                began,
                ended,
                failure.or(() -> problem),
                findings);
    }

    Discussion next(String agent) {
        return new Discussion(
                task, said, usage, Optional.of(agent), began, ended, failure, findings);
    }

    Discussion used(Usage more) {
        return new Discussion(task, said, usage.plus(more), next, began, ended, failure, findings);
    }

    Discussion since(Instant time) {
        return new Discussion(task, said, usage, next, Optional.of(time), ended, failure, findings);
    }

    Discussion ended(String why) {
        return new Discussion(
                task, said, usage, Optional.empty(), began, Optional.of(why), failure, findings);
    }

    /** As conditions look at it: the task, and each turn with its tools. */
    Conversation conversation() {
        List<Message> messages = new ArrayList<>();
        messages.add(new Message.User(task));
        for (Said turn : said) {
            turn.tools().forEach(tool -> messages.add(new Message.ToolResult("", tool, "", false)));
            messages.add(Message.Assistant.of(turn.text()));
        }
        return new Conversation(
                messages,
                List.of(),
                usage,
                new Conversation.Progress(0, said.size(), 0, false, began),
                new Conversation.Ending(
                        said.isEmpty() ? Optional.empty() : said.getLast().handedTo(),
                        Optional.empty(),
                        failure),
                List.of(),
                0);
    }

    /** The task, and what was said so far. */
    String told(Inspection inspection) {
        return task + heard(inspection);
    }

    /**
     * What somebody is told behind the task.
     *
     * @param inspection of who is told: what the others said are messages to it, and no part of its
     *     task
     */
    String heard(Inspection inspection) {
        StringBuilder text = new StringBuilder();
        if (!said.isEmpty()) {
            text.append("\n\nWhat was said so far, each line of it behind a >:");
            said.forEach(turn ->
                    text.append("\n\n")
                            .append(
                                    Transcript.turn(
                                            turn.agent(),
                                            inspection.told(
                                                    Guardrail.Point.MESSAGE, "", turn.text()))));
        }
        return text.toString();
    }
}
