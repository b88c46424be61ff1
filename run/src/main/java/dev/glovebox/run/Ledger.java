package dev.glovebox.run;

import java.util.function.Supplier;

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
        Cost after = spent.plus(reserved).plus(cost);
        for (Resource resource : Resource.values()) {
            long limit = resource.of(most);
            // What costs nothing of a resource may go on when that is used up.
            if (resource.of(cost) > 0 && resource.of(after) > limit) {
                throw new Stop(new StopReason.BudgetExhausted(resource, limit));
            }
        }
        reserved = reserved.plus(cost);
    }

    /** Gives back what was set aside, and takes what was used. */
    synchronized void settle(Cost wasReserved, Cost used) {
        // Where nothing is limited, nothing was set aside.
        if (bounded) {
            reserved = reserved.minus(wasReserved);
        }
        spent = spent.plus(used);
    }

    synchronized Cost spent() {
        return spent;
    }

    /** What nobody has spent or reserved. */
    synchronized Cost left() {
        return most.minus(spent.plus(reserved));
    }
}
