package dev.glovebox.trace.spi;

import java.util.OptionalLong;

/**
 * What a store knows of a run without reading it.
 *
 * @param startedAt microseconds since 1970
 * @param finishedAt empty while it is not finished
 * @param stop why it ended; empty while it is not finished
 * @param records how many there are
 * @param lastHash the hash of the last one
 * @param noted the highest record that the log has a leaf for; empty if there is none
 */
public record RunRow(
        String run,
        String kind,
        String title,
        long startedAt,
        OptionalLong finishedAt,
        String stop,
        long records,
        String lastHash,
        OptionalLong noted) {}
