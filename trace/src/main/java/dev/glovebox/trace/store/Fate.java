package dev.glovebox.trace.store;

/** What became of an append. */
enum Fate {
    KEPT,

    /** Somebody else has continued the run. */
    CONFLICT,

    /** It refers to content of another run that was erased before it came. */
    CONTENT_GONE
}
