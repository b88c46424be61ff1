package dev.glovebox.agent;

import dev.glovebox.run.AgentContext;
import dev.glovebox.run.MessageHandler;
import dev.glovebox.run.Run;
import dev.glovebox.run.RunOptions;
import dev.glovebox.run.Runs;
import dev.glovebox.run.StopReason;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/**
 * Puts an agent behind a mailbox of a {@link dev.glovebox.run.Runtime}: each {@link Task} that is
 * sent to it is a run of its own, and whoever calls is answered with a {@link Report}.
 *
 * <p>When the time for the message is over, or its caller has given up, the run is cancelled.
 */
public final class TaskHandler implements MessageHandler {

    private final Agent agent;
    private final Runs runs;
    private final RunOptions options;

    private TaskHandler(Agent agent, Runs runs, RunOptions options) {
        this.agent = agent;
        this.runs = runs;
        this.options = options;
    }

    /** What an agent shall do. */
    public record Task(String text) {}

    /**
     * What came of it.
     *
     * @param run by which its trace is found
     * @param stop why it ended: the {@link StopReason#word word} of the reason
     * @param text what the agent said last
     */
    public record Report(String run, String stop, String text) {

        static Report of(TaskResult result) {
            return new Report(result.run(), result.stop().word(), result.text());
        }

        public boolean isCompleted() {
            return stop.equals(new StopReason.Completed().word());
        }
    }

    public static TaskHandler of(Agent agent, Runs runs) {
        return of(agent, runs, RunOptions.titled(agent.name()));
    }

    /** With these options for each run. */
    public static TaskHandler of(Agent agent, Runs runs, RunOptions options) {
        return new TaskHandler(agent, runs, options);
    }

    @Override
    public void handle(AgentContext context, Record message) throws Exception {
        if (!(message instanceof Task(String text))) {
            throw new IllegalArgumentException(
                    "The agent %s takes tasks, and no %s"
                            .formatted(agent.name(), message.getClass().getSimpleName()));
        }
        String sender = context.sender().toString();
        Run<Conversation> run = agent.start(runs, text, options);
        try {
            context.reply(Report.of(result(run)));
        } catch (InterruptedException e) {
            run.cancel(sender);
            throw e;
        }
    }

    /** Waits for the end of a run, unlike {@link Agent#result} only as long as it is left to. */
    private static TaskResult result(Run<Conversation> run) throws Exception {
        FutureTask<TaskResult> end = new FutureTask<>(() -> Agent.result(run));
        Thread.ofVirtual().name("glovebox result of " + run.name()).start(end);
        try {
            return end.get();
        } catch (ExecutionException e) {
            throw e.getCause() instanceof Exception problem ? problem : e;
        }
    }
}
