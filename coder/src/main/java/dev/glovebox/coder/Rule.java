package dev.glovebox.coder;

import java.util.List;

/** One kind of mistake, and how it is repaired. */
@FunctionalInterface
interface Rule {

    /** What could be changed, the likeliest first; nothing: it is another mistake. */
    List<Change> changes(Scene scene);

    /** Code as it would be, and why. */
    record Change(CodeArtifact artifact, Diagnosis diagnosis) {}
}
