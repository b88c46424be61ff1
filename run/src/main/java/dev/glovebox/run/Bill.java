package dev.glovebox.run;

import java.util.function.Supplier;

/**
 * What one effect takes from the budget: what is set aside for its next attempt, and what those
 * that failed have cost, which nobody else has any more either.
 */
final class Bill {

    private final Ledger ledger;
    private final Supplier<Cost> most;
    private final Cost lost;
    private Cost reserved;
    private Cost failed = Cost.NONE;

    /**
     * A bill for an effect that is about to be performed.
     *
     * @param lost what it may have cost before it was interrupted, which is paid already
     * @param reserved what was set aside for the first attempt
     * @param most that an attempt may cost
     */
    Bill(Ledger ledger, Cost lost, Cost reserved, Supplier<Cost> most) {
        this.ledger = ledger;
        this.lost = lost;
        this.reserved = reserved;
        this.most = most;
    }

    /** Pays for an attempt that failed; whether there is still enough for another one. */
    boolean again(Cost attempt) {
        failed = failed.plus(attempt);
        if (!ledger.reserveMore(attempt)) {
            return false;
        }
        reserved = reserved.plus(attempt);
        return true;
    }

    /** What the attempts have cost if nobody knows what became of the last one. */
    Cost unknown() {
        return failed.plus(most.get());
    }

    /** What it has cost in all, with these attempts. */
    Cost whole(Cost attempts) {
        return lost.plus(attempts);
    }

    void settle(Cost attempts) {
        ledger.settle(reserved, attempts);
    }
}
