package dev.glovebox.run;

import java.time.Instant;
import java.util.Optional;

/**
 * A question that a run waits for.
 *
 * @param key names it in its run
 * @param until when it is too late for an answer
 */
public record OpenQuestion(String run, String key, Question question, Optional<Instant> until) {}
