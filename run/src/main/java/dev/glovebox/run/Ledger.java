package dev.glovebox.run;

import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * What a run has spent of its budget. Parallel branches share it: what one has reserved the others
 * do not have, until it is known what was really used. So do the runs of an engine, where they have
 * a budget together.
 */
final class Ledger {

    private static final Duration LOOK = Duration.ofMillis(50);

    private final Cost most;
    private final Optional<Ledger> together;
    private final boolean bounded;
    private Cost spent;
    private Cost reserved = Cost.NONE;
    private boolean closed;

    /** That of several runs. */
    Ledger(Cost most, Cost spent) {
        this(most, spent, Optional.empty());
    }

    /** That of a run. */
    Ledger(Cost most, Cost spent, Optional<Ledger> together) {
        this.most = most;
        this.spent = spent;
        this.together = together;
        this.bounded =
                !most.equals(Budget.unlimited().most())
                        || together.filter(all -> all.bounded).isPresent();
    }

    /**
     * Sets aside what something may need. Waits for other runs where those may give back what they
     * have set aside and do not need.
     *
     * @param most is not asked where nothing is limited
     * @param scope whose end ends the wait as well
     * @return what was set aside
     * @throws Stop if there is not so much left
     */
    Cost reserve(Supplier<Cost> most, Scope scope) {
        if (!bounded) {
            return Cost.NONE;
        }
        Cost cost = most.get();
        reserve(cost);
        try {
            together.ifPresent(all -> all.reserveInTurn(cost, scope));
        } catch (Throwable e) {
            settleHere(cost, Cost.NONE);
            throw e;
        }
        return cost;
    }

    /** Whether there is a limit to anything. */
    boolean isBounded() {
        return bounded;
    }

    private synchronized void reserve(Cost cost) {
        exceeded(spent.plus(reserved), cost)
                .ifPresent(resource -> {
                    throw new Stop(new StopReason.BudgetExhausted(resource, resource.of(most)));
                });
        reserved = reserved.plus(cost);
    }

    private synchronized void reserveInTurn(Cost cost, Scope scope) {
        boolean interrupted = false;
        while (closed || isHeldByOthers(cost)) {
            scope.check();
            try {
                // Nobody gives anything back any more where it is closed.
                wait(closed ? LOOK.toMillis() : 0);
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        reserve(cost);
    }

    private boolean isHeldByOthers(Cost cost) {
        return exceeded(spent, cost).isEmpty() && exceeded(spent.plus(reserved), cost).isPresent();
    }

    /**
     * Gives nothing to anybody any more: all of them are about to be ended, one after the other,
     * and what the first ones give back must not let others begin something new.
     */
    synchronized void close() {
        closed = true;
        notifyAll();
    }

    /** What there is too little of when something was taken already. */
    private Optional<Resource> exceeded(Cost taken, Cost cost) {
        Cost after = taken.plus(cost);
        return Stream.of(Resource.values())
                // What costs nothing of a resource may go on when that is used up.
                .filter(resource -> resource.of(cost) > 0 && resource.of(after) > resource.of(most))
                .findFirst();
    }

    /** Gives back what was set aside, and takes what was used. */
    void settle(Cost wasReserved, Cost used) {
        settleHere(wasReserved, used);
        together.ifPresent(all -> all.settleHere(wasReserved, used));
    }

    private synchronized void settleHere(Cost wasReserved, Cost used) {
        // Where nothing is limited, nothing was set aside.
        if (bounded) {
            reserved = reserved.minus(wasReserved);
            notifyAll();
        }
        spent = spent.plus(used);
    }

    /** Sets aside so much more, unless there is less left. */
    boolean reserveMore(Cost cost) {
        if (!reserveMoreHere(cost)) {
            return false;
        }
        if (together.filter(all -> !all.reserveMoreHere(cost)).isPresent()) {
            settleHere(cost, Cost.NONE);
            return false;
        }
        return true;
    }

    private synchronized boolean reserveMoreHere(Cost cost) {
        if (closed || (bounded && exceeded(spent.plus(reserved), cost).isPresent())) {
            return false;
        }
        reserved = bounded ? reserved.plus(cost) : reserved;
        return true;
    }

    synchronized Cost spent() {
        return spent;
    }

    /** What nobody has spent or reserved. */
    synchronized Cost left() {
        return most.minus(spent.plus(reserved));
    }
}
