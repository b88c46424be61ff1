package dev.glovebox.run;

import java.time.Duration;
import java.time.Instant;

/**
 * One performance of an effect.
 *
 * @param key unique to it in all runs, and the same when it is repeated: for the other side to
 *     recognise what it has done already
 * @param deadline when nobody waits for it any more; its thread is interrupted then, and also when
 *     the run is cancelled
 * @param left how long that was when it began
 */
public record Call(String key, Instant deadline, Duration left) {}
