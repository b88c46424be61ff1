package dev.glovebox.run;

import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * What a run has spent of its budget. Parallel branches share it: what one has reserved the others
 * do not have, until it is known what was really used.
 */
final class Ledger {

    private final Cost most;
    private final boolean bounded;
    private Cost spent;
    private Cost reserved = Cost.NONE;

    Ledger(Cost most, Cost spent) {
        this.most = most;
        this.bounded = !most.equals(Budget.unlimited().most());
        this.spent = spent;
    }

    /**
     * Sets aside what something may need.
     *
     * @param most is not asked where nothing is limited
     * @return what was set aside
     * @throws Stop if there is not so much left
     */
    Cost reserve(Supplier<Cost> most) {
        if (!bounded) {
            return Cost.NONE;
        }
        Cost cost = most.get();
        reserve(cost);
        return cost;
    }

    private synchronized void reserve(Cost cost) {
        exceeded(cost)
                .ifPresent(resource -> {
                    throw new Stop(new StopReason.BudgetExhausted(resource, resource.of(most)));
                });
        reserved = reserved.plus(cost);
    }

    /** What there is too little of. */
    private Optional<Resource> exceeded(Cost cost) {
        Cost after = spent.plus(reserved).plus(cost);
        return Stream.of(Resource.values())
                // What costs nothing of a resource may go on when that is used up.
                .filter(resource -> resource.of(cost) > 0 && resource.of(after) > resource.of(most))
                .findFirst();
    }

    /** Gives back what was set aside, and takes what was used. */
    synchronized void settle(Cost wasReserved, Cost used) {
        // Where nothing is limited, nothing was set aside.
        if (bounded) {
            reserved = reserved.minus(wasReserved);
        }
        spent = spent.plus(used);
    }

    /** Sets aside so much more, unless there is less left. */
    synchronized boolean reserveMore(Cost cost) {
        if (bounded && exceeded(cost).isPresent()) {
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
