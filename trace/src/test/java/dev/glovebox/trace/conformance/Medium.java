package dev.glovebox.trace.conformance;

import dev.glovebox.trace.spi.TraceStore;

/** Where the store under test keeps what it keeps: another one, and empty, for every test. */
public interface Medium {

    /** Opens the store; once more, as another process would, if it is open already. */
    TraceStore open();

    /** What {@link Child#open} understands, so that another process can open it. */
    String address();
}
