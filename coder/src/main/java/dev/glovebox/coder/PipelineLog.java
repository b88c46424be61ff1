package dev.glovebox.coder;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.glovebox.agent.SandboxExec;
import dev.glovebox.trace.Entry;
import dev.glovebox.trace.Event;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Tells from the records of a pipeline, as they come, what is going on: who does what, and in which
 * attempt. There is nothing private in it.
 */
public final class PipelineLog implements Consumer<Entry> {

    private static final String MODEL = "model";
    private static final int SHORT_NAME = 10;

    private final int attempts;
    private final Consumer<Line> listener;
    private Role role = Role.PLANNER;
    private int attempt;
    private boolean trying;
    private boolean failed;

    /**
     * Tells somebody.
     *
     * @param attempts how many are made at most
     */
    public PipelineLog(int attempts, Consumer<Line> listener) {
        this.attempts = attempts;
        this.listener = listener;
    }

    /** Who does it. */
    public enum Role {
        PLANNER,
        CODER,
        EXECUTOR,
        DEBUGGER;

        private static Optional<Role> of(String path) {
            String node = path.substring(0, Math.max(0, path.indexOf('#')));
            return switch (node) {
                case Pipeline.PLAN -> Optional.of(PLANNER);
                case Pipeline.CODE -> Optional.of(CODER);
                case Pipeline.EXECUTE -> Optional.of(EXECUTOR);
                case Pipeline.DEBUG -> Optional.of(DEBUGGER);
                default -> Optional.empty();
            };
        }

        @Override
        public String toString() {
            return name().charAt(0) + name().substring(1).toLowerCase(Locale.ROOT);
        }
    }

    /**
     * Something that happened.
     *
     * @param run the name of the run
     * @param role who did it; empty: the pipeline as a whole
     * @param attempt the number of the attempt; 0: there is none yet
     * @param isProblem whether it went wrong
     */
    public record Line(
            Instant time,
            String run,
            Optional<Role> role,
            int attempt,
            int attempts,
            String event,
            boolean isProblem) {

        /** As it stands in a log. */
        @Override
        public String toString() {
            StringBuilder line = new StringBuilder("[Pipeline " + shortName(run) + "] ");
            role.ifPresent(who -> line.append("[").append(who).append("] "));
            if (attempt > 0) {
                line.append("[Attempt %d/%d] ".formatted(attempt, attempts));
            }
            return line.append(event).toString();
        }

        /** As it stands in a log that machines read. */
        public ObjectNode json() {
            ObjectNode json =
                    JsonNodeFactory.instance
                            .objectNode()
                            .put("time", time.toString())
                            .put("level", isProblem ? "warn" : "info")
                            .put("pipeline", run);
            role.ifPresent(who -> json.put("role", who.toString()));
            if (attempt > 0) {
                json.put("attempt", attempt).put("attempts", attempts);
            }
            return json.put("event", event);
        }
    }

    /** Names of runs begin with the time, and end at random. */
    private static String shortName(String run) {
        return run.length() > SHORT_NAME ? run.substring(run.length() - SHORT_NAME) : run;
    }

    @Override
    public void accept(Entry entry) {
        switch (entry.event()) {
            case Event.NodeStarted e -> Role.of(e.path()).ifPresent(who -> begin(who, e, entry));
            case Event.NodeFinished e when Role.of(e.path()).isPresent() -> end(e, entry);
            case Event.NodeFailed e when Role.of(e.path()).isPresent() ->
                    tell(entry, e.told().map(why -> "Failed: " + why).orElse("Failed"), true);
            case Event.EffectIntent e when e.id().kind().equals(MODEL) ->
                    tell(entry, "Asks " + e.name(), false);
            case Event.EffectOutcome e -> outcome(e, entry);
            case Event.RunFinished e -> {
                trying = false;
                boolean good = e.stop().equals("completed");
                String what = good ? "Completed" : "Stopped: " + e.stop();
                listener.accept(
                        new Line(
                                entry.time(),
                                entry.run(),
                                Optional.empty(),
                                0,
                                attempts,
                                what,
                                !good));
            }
            default -> {
                // Not what somebody who waits wants to know.
            }
        }
    }

    private void begin(Role who, Event.NodeStarted started, Entry entry) {
        role = who;
        switch (who) {
            case PLANNER -> tell(entry, "Plans", false);
            case CODER -> tell(entry, "Writes code", false);
            case EXECUTOR -> {
                attempt = visit(started.path());
                trying = true;
                failed = false;
                tell(entry, "Executes", false);
            }
            case DEBUGGER -> tell(entry, "Looks for the mistake", false);
        }
    }

    private static int visit(String path) {
        return Integer.parseInt(path.substring(path.indexOf('#') + 1));
    }

    private void end(Event.NodeFinished finished, Entry entry) {
        if (finished.edge().equals(Pipeline.GIVE_UP)) {
            tell(entry, "Gives up", true);
        } else if (role == Role.EXECUTOR && !failed && finished.edge().equals(Pipeline.DEBUG)) {
            tell(entry, "Not what the plan wants", true);
        } else if (role == Role.DEBUGGER) {
            tell(entry, "Has changed the code", false);
        }
    }

    private void outcome(Event.EffectOutcome e, Entry entry) {
        JsonNode details = e.details();
        if (e.id().kind().equals(MODEL)) {
            boolean good = e.status() == Event.Status.DONE;
            String tokens =
                    "Has an answer of %d tokens".formatted(details.path("outputTokens").asLong());
            tell(entry, good ? tokens : "Has no answer", !good);
        } else if (e.id().kind().equals(SandboxExec.KIND)) {
            JsonNode outcome = details.path("outcome");
            boolean good = outcome.path("code").asInt(-1) == 0;
            failed = !good;
            String how =
                    outcome.has("code")
                            ? "rc=" + outcome.path("code").asInt()
                            : outcome.path("type").asText();
            tell(
                    entry,
                    "Execution %s %s after %s"
                            .formatted(good ? "succeeded" : "failed", how, words(e.took())),
                    !good);
        }
    }

    private static String words(Duration time) {
        return time.toMillis() < 10_000 ? time.toMillis() + " ms" : time.toSeconds() + " s";
    }

    private void tell(Entry entry, String event, boolean isProblem) {
        listener.accept(
                new Line(
                        entry.time(),
                        entry.run(),
                        Optional.of(role),
                        trying ? attempt : 0,
                        attempts,
                        event,
                        isProblem));
    }
}
