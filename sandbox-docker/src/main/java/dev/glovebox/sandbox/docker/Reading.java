package dev.glovebox.sandbox.docker;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/**
 * What a box uses at a moment, as its holder reads it.
 *
 * @param cpu processor time of the box without the holder's, in nanoseconds
 * @param memory of its programs, in bytes
 * @param kills processes that the kernel ended for want of memory, or -1 where it does not say
 * @param refused processes that were refused, or -1 where the kernel does not say
 * @param processes how many there are, where nothing but the holder counts them
 * @param descriptors the most that one process holds
 * @param inodes files and folders of the scratch
 * @param free bytes left of the scratch
 */
record Reading(
        long cpu,
        long memory,
        long peak,
        long kills,
        long refused,
        long processes,
        long descriptors,
        long inodes,
        long free) {

    static final Reading NONE = new Reading(0, 0, 0, -1, -1, 0, 0, 0, Long.MAX_VALUE);

    static Reading parse(byte[] text) {
        Map<String, Long> values = new HashMap<>();
        for (String word : new String(text, StandardCharsets.ISO_8859_1).split(" ")) {
            int equals = word.indexOf('=');
            if (equals > 0 && word.substring(equals + 1).matches("-?\\d{1,18}")) {
                values.put(word.substring(0, equals), Long.parseLong(word.substring(equals + 1)));
            }
        }
        return new Reading(
                values.getOrDefault("cpu", 0L),
                values.getOrDefault("memory", 0L),
                values.getOrDefault("peak", 0L),
                values.getOrDefault("kills", -1L),
                values.getOrDefault("refused", -1L),
                values.getOrDefault("processes", 0L),
                values.getOrDefault("descriptors", 0L),
                values.getOrDefault("inodes", 0L),
                values.getOrDefault("free", Long.MAX_VALUE));
    }
}
