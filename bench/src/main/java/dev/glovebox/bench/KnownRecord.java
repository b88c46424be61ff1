package dev.glovebox.bench;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The record of a run, for who would write it knowing each of its bytes beforehand. */
final class KnownRecord {

    private static final byte[] HEX = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);
    private static final int HASH = 32;

    // About as much as a measurement of a recorder leaves in memory.
    private static final int MOST_KEPT = 100_000;

    private final List<Line> lines;
    private final boolean marksApart;
    private final List<byte[]> kept = new ArrayList<>();
    private final Map<String, byte[]> contents = new HashMap<>();
    private final MessageDigest digest = sha256();
    private final MessageDigest replay = sha256();

    /**
     * Will be written.
     *
     * @param marksApart whether what a record adds to the replay digest has a digest of its own, so
     *     that branches may come in any order
     */
    KnownRecord(List<Line> lines, boolean marksApart) {
        this.lines = List.copyOf(lines);
        this.marksApart = marksApart;
    }

    /**
     * One of its lines.
     *
     * @param time where its time is, to the microsecond
     * @param prev where the hash of the one before is
     * @param mark what it adds to the replay digest
     * @param contents that come with it
     */
    record Line(byte[] bytes, int time, int hash, int prev, byte[] mark, List<byte[]> contents) {

        static Line of(String text, byte[] mark, List<byte[]> contents) {
            return new Line(
                    text.getBytes(StandardCharsets.UTF_8),
                    behind("{\"at\":", text),
                    behind("\"hash\":\"", text),
                    behind("\"prev\":\"", text),
                    mark,
                    contents);
        }

        private static int behind(String label, String text) {
            return text.lastIndexOf(label) + label.length();
        }

        /** Of all of it but the hash itself. */
        private byte[] hash(byte[] line, MessageDigest digest) {
            int label = hash - "\"hash\":\"".length();
            int rest = hash + 2 * HASH + "\",".length();
            digest.update(line, 0, label);
            digest.update(line, rest, line.length - rest);
            return digest.digest();
        }
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The hash of each record, of what it derives, and of each content. */
    int digests() {
        int sum = 0;
        for (Line line : lines) {
            for (byte[] content : line.contents()) {
                sum += digest.digest(content)[0];
            }
            sum += line.hash(line.bytes(), digest)[0];
            mark(line);
        }
        return sum + replay.digest()[0];
    }

    private void mark(Line line) {
        replay.update(marksApart ? digest.digest(line.mark()) : line.mark());
    }

    /** Writes it once more: with other times, and so with other hashes. */
    int write() {
        if (kept.size() > MOST_KEPT) {
            kept.clear();
            contents.clear();
        }
        byte[] head = new byte[HASH];
        for (Line line : lines) {
            for (byte[] content : line.contents()) {
                byte[] name = new byte[2 * HASH];
                hex(digest.digest(content), name, 0);
                contents.put(new String(name, StandardCharsets.ISO_8859_1), content.clone());
            }
            byte[] copy = line.bytes().clone();
            time(copy, line.time());
            hex(head, copy, line.prev());
            head = line.hash(copy, digest);
            hex(head, copy, line.hash());
            kept.add(copy);
            mark(line);
        }
        return replay.digest()[0] + head[0];
    }

    private static void time(byte[] line, int at) {
        long micros = System.currentTimeMillis() * 1_000;
        int end = at;
        while (line[end] != ',') {
            end++;
        }
        for (int i = end - 1; i >= at; i--) {
            line[i] = (byte) ('0' + micros % 10);
            micros /= 10;
        }
    }

    private static void hex(byte[] hash, byte[] to, int at) {
        for (int i = 0; i < HASH; i++) {
            to[at + 2 * i] = HEX[hash[i] >> 4 & 15];
            to[at + 2 * i + 1] = HEX[hash[i] & 15];
        }
    }

    /** What was written last, as texts. */
    List<String> lastWritten() {
        return kept.subList(kept.size() - lines.size(), kept.size()).stream()
                .map(line -> new String(line, StandardCharsets.UTF_8))
                .toList();
    }
}
