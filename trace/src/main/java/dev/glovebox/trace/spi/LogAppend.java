package dev.glovebox.trace.spi;

import java.util.List;
import java.util.Map;

/**
 * Leaves that continue the log, and the signed head of what it becomes.
 *
 * @param size how many leaves the log must have now
 * @param leaves the next ones
 * @param head signed, of the log with these leaves
 * @param noted for each run that the leaves name, its highest record among them
 */
public record LogAppend(long size, List<LogLeaf> leaves, Signed head, Map<String, Long> noted) {

    public LogAppend {
        leaves = List.copyOf(leaves);
        noted = Map.copyOf(noted);
    }
}
