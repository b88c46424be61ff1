package dev.glovebox.trace;

/** Notes records in the log of the installation. */
interface Seals {

    /** What a leaf of the log says of a record. */
    enum Mark {
        START,
        MARK,
        END
    }

    /** Asks for a leaf; whoever asks does not wait. */
    void note(Mark mark, Entry entry);

    /**
     * Waits until a signed head covers all that was noted so far.
     *
     * @throws TraceException if that could not be; it is tried again when the store is next opened
     */
    void await();
}
