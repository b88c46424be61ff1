package dev.glovebox.agent;

import dev.glovebox.run.StopReason;
import dev.glovebox.trace.Appended;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What an agent and its model have said, and where they stand: the state of an agent's run.
 *
 * @param messages all that was said
 * @param window what of it a model is still sent; empty: all
 * @param findings what guardrails said of the task
 * @param before how many of the messages there were when it began
 */
public record Conversation(
        List<Message> messages,
        List<Message> window,
        Usage usage,
        Progress progress,
        Ending ending,
        List<Finding> findings,
        int before) {

    /**
     * How far it has come.
     *
     * @param level which model of the route is asked: after failures a larger one
     * @param turns how often a model was asked
     * @param repairs how often an answer was sent back
     * @param isCut whether the last answer did not come to its end
     * @param began when a model was first asked, where somebody wants to know
     */
    public record Progress(
            int level, int turns, int repairs, boolean isCut, Optional<Instant> began) {

        private static final Progress NONE = new Progress(0, 0, 0, false, Optional.empty());
    }

    /**
     * Why it is over, if it is.
     *
     * @param handedTo the agent that is to go on
     * @param reached a condition that ended it before the model thought so
     * @param failure why it cannot go on
     */
    public record Ending(
            Optional<String> handedTo, Optional<String> reached, Optional<StopReason> failure) {

        private static final Ending NONE =
                new Ending(Optional.empty(), Optional.empty(), Optional.empty());
    }

    private static final String NO_RESULT =
            "No result: the conversation was ended before, and nobody knows whether this was done";

    public Conversation {
        messages = Appended.copyOf(messages);
        window = Appended.copyOf(window);
        findings = List.copyOf(findings);
    }

    /** Begins with a task. */
    public static Conversation of(String task) {
        return of(List.of(new Message.User(task)));
    }

    /**
     * Goes on from what was said before. Calls of which the result did not come any more, since the
     * conversation was ended before, get one that says so, and a result whose call is not there is
     * left out: vendors take none without the other.
     */
    public static Conversation of(List<Message> messages) {
        List<Message> all = answered(messages);
        return new Conversation(
                all, List.of(), Usage.NONE, Progress.NONE, Ending.NONE, List.of(), all.size());
    }

    /**
     * With names of ours for its calls, by their places: where the beginning of what was said is
     * left out, a call that comes now would else get the name that one has already.
     */
    private static List<Message> answered(List<Message> messages) {
        List<Message> all = new ArrayList<>();
        List<Open> open = new ArrayList<>();
        for (Message message : messages) {
            if (message instanceof Message.ToolResult result) {
                answer(result, open).ifPresent(all::add);
                continue;
            }
            close(open, all);
            if (message instanceof Message.Assistant said && !said.calls().isEmpty()) {
                List<ToolCall> named = named(said.calls(), all.size());
                for (int i = 0; i < named.size(); i++) {
                    open.add(new Open(said.calls().get(i).id(), named.get(i)));
                }
                all.add(said.calling(named));
            } else {
                all.add(message);
            }
        }
        close(open, all);
        return all;
    }

    /** A call without a result, and how it was named before. */
    private record Open(String id, ToolCall call) {}

    private static Optional<Message> answer(Message.ToolResult result, List<Open> open) {
        for (Open one : open) {
            if (one.id().equals(result.call())) {
                open.remove(one);
                return Optional.of(
                        new Message.ToolResult(
                                one.call().id(), result.tool(), result.text(), result.isError()));
            }
        }
        return Optional.empty();
    }

    private static void close(List<Open> open, List<Message> all) {
        for (Open one : open) {
            ToolCall call = one.call();
            all.add(new Message.ToolResult(call.id(), call.name(), NO_RESULT, true));
        }
        open.clear();
    }

    /**
     * What the model has said last since this began; empty if it has not said anything. What was
     * said before is no answer to what it was asked now.
     */
    public String answer() {
        for (Message message : sinceItBegan().reversed()) {
            if (message instanceof Message.Assistant said) {
                return said.text();
            }
        }
        return "";
    }

    /**
     * What the model has said since this began, and what came of it; not what the conversation goes
     * on from.
     */
    List<Message> sinceItBegan() {
        return messages.subList(before, messages.size());
    }

    /**
     * What it was begun for: the last that a user said before that; not what the conversation goes
     * on from.
     */
    Optional<Message> task() {
        return messages.subList(0, before).reversed().stream()
                .filter(Message.User.class::isInstance)
                .findFirst();
    }

    /** How often a model was asked. */
    public int turns() {
        return progress.turns();
    }

    /** The agent that is to go on. */
    public Optional<String> handedTo() {
        return ending.handedTo();
    }

    /** A condition that ended it before the model thought so. */
    public Optional<String> ended() {
        return ending.reached();
    }

    /** Why it cannot go on. */
    public Optional<StopReason> failure() {
        return ending.failure();
    }

    /** What a model is sent. */
    List<Message> sent() {
        return window.isEmpty() ? messages : window;
    }

    /** The tools that the model wants to be called now. */
    List<ToolCall> pending() {
        return !messages.isEmpty() && messages.getLast() instanceof Message.Assistant last
                ? last.calls()
                : List.of();
    }

    /** Whether somebody waits for the model to say something. */
    boolean isOpen() {
        return messages.isEmpty() || !(messages.getLast() instanceof Message.Assistant);
    }

    /** Whether nothing comes behind this. */
    boolean isOver() {
        return !ending.equals(Ending.NONE);
    }

    Conversation heard(Reply reply) {
        Message.Assistant said = reply.message();
        Progress next =
                new Progress(
                        progress.level(),
                        progress.turns() + 1,
                        progress.repairs(),
                        reply.isCut(),
                        progress.began());
        Message.Assistant kept =
                said.calls().isEmpty() ? said : said.calling(named(said.calls(), messages.size()));
        return plus(List.of(kept), usage.plus(reply.usage()), next, ending);
    }

    /**
     * Vendors want each result to name its call. Models do not always name them, or use a name
     * again, or one that another vendor does not take: each gets one of ours.
     *
     * @param place of the message: also in a conversation that goes on in another run no two of our
     *     names are the same
     */
    private static List<ToolCall> named(List<ToolCall> calls, int place) {
        ToolCall[] named = new ToolCall[calls.size()];
        for (int i = 0; i < named.length; i++) {
            ToolCall call = calls.get(i);
            named[i] = new ToolCall(id(place, i), call.name(), call.arguments());
        }
        return List.of(named);
    }

    /** Nine letters and digits, which is what the strictest of the vendors wants. */
    private static String id(int place, int call) {
        byte[] id = new byte[9];
        id[0] = 'c';
        putDigits(id, 1, place);
        putDigits(id, 5, call);
        return new String(id, StandardCharsets.US_ASCII);
    }

    /** Puts the last four digits of a number there. */
    private static void putDigits(byte[] id, int at, int number) {
        int rest = number;
        for (int i = at + 3; i >= at; i--) {
            id[i] = (byte) Character.forDigit(rest % Character.MAX_RADIX, Character.MAX_RADIX);
            rest /= Character.MAX_RADIX;
        }
    }

    Conversation acted(List<Message.ToolResult> results, Optional<String> to) {
        Ending next = to.isEmpty() ? ending : new Ending(to, ended(), failure());
        return plus(results, usage, progress, next);
    }

    /** An answer that is not good enough goes back, to a larger model if there is one. */
    Conversation sentBack(String problem) {
        Progress next =
                new Progress(
                        progress.level() + 1,
                        progress.turns(),
                        progress.repairs() + 1,
                        false,
                        progress.began());
        return plus(List.of(new Message.User(problem)), usage, next, ending);
    }

    Conversation larger() {
        return at(
                new Progress(
                        progress.level() + 1,
                        progress.turns(),
                        progress.repairs(),
                        progress.isCut(),
                        progress.began()));
    }

    Conversation since(Instant time) {
        return at(
                new Progress(
                        progress.level(),
                        progress.turns(),
                        progress.repairs(),
                        progress.isCut(),
                        Optional.of(time)));
    }

    Conversation ended(String why) {
        return ending(new Ending(handedTo(), Optional.of(why), failure()));
    }

    Conversation failed(StopReason why) {
        return ending(new Ending(handedTo(), ended(), Optional.of(why)));
    }

    Conversation used(Usage more) {
        return new Conversation(
                messages, window, usage.plus(more), progress, ending, findings, before);
    }

    /** A model is sent these from now on, and what comes behind them. */
    Conversation shortened(List<Message> sent) {
        return new Conversation(messages, sent, usage, progress, ending, findings, before);
    }

    Conversation with(List<Finding> found) {
        return new Conversation(messages, window, usage, progress, ending, found, before);
    }

    Conversation plus(List<? extends Message> more) {
        return plus(more, usage, progress, ending);
    }

    private Conversation plus(
            List<? extends Message> more, Usage usage, Progress progress, Ending ending) {
        return new Conversation(
                joined(messages, more),
                window.isEmpty() ? window : joined(window, more),
                usage,
                progress,
                ending,
                findings,
                before);
    }

    private Conversation at(Progress next) {
        return new Conversation(messages, window, usage, next, ending, findings, before);
    }

    private Conversation ending(Ending next) {
        return new Conversation(messages, window, usage, progress, next, findings, before);
    }

    private static List<Message> joined(List<Message> before, List<? extends Message> more) {
        return Appended.copyOf(before).plus(more);
    }
}
