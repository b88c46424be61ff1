package dev.glovebox.agent;

import com.networknt.schema.Error;
import com.networknt.schema.ExecutionContext;
import java.util.concurrent.CancellationException;

/** Counts the steps in which a value is compared with a schema, and makes none for nobody. */
final class SchemaSteps extends ExecutionContext {

    // Far more than honest schemas and arguments take, and a second or so.
    private static final int MOST = 1_000_000;

    // Each is kept until all are found.
    private static final int OF_AN_ERROR = 10;

    private int left = MOST;

    @Override
    public void evaluationPathAddLast(String step) {
        count(1);
        super.evaluationPathAddLast(step);
    }

    @Override
    public void evaluationPathAddLast(int step) {
        count(1);
        super.evaluationPathAddLast(step);
    }

    @Override
    public void addError(Error error) {
        count(OF_AN_ERROR);
        super.addError(error);
    }

    /**
     * Makes some steps.
     *
     * @throws IllegalStateException if they are too many
     * @throws CancellationException if this thread is interrupted: what it found out in a hurry
     *     would be something else another time
     */
    void count(int steps) {
        if (Thread.currentThread().isInterrupted()) {
            throw new CancellationException("Nobody waits for what a schema says any more");
        }
        left -= steps;
        if (left < 0) {
            throw new IllegalStateException("its schema takes too long to check");
        }
    }
}
