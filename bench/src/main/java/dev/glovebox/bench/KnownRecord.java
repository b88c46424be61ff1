package dev.glovebox.bench;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** The record of a run, for who would write it knowing each of its bytes beforehand. */
final class KnownRecord {

    private static final byte[] HEX = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);
    private static final int HASH = 32;

    /** Two digits for each byte, which are written at once. */
    private static final short[] PAIRS = pairs();

    private static final VarHandle PAIR =
            MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle BEGINNING =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

    // About as much as a measurement of a recorder leaves in memory.
    private static final int MOST_KEPT = 100_000;

    private final List<Line> lines;
    private final boolean marksApart;
    private final List<byte[]> kept = new ArrayList<>();
    // By the beginnings of their digests.
    private final Map<Long, byte[]> contents = new HashMap<>();
    private final MessageDigest digest = sha256();
    // Contents may be kept by another thread than the one that writes the lines.
    private final MessageDigest apart = sha256();
    private final MessageDigest replay = sha256();
    private byte[] head = new byte[HASH];
    private int at;
    private int contentsAt;

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
     * @param intent whether something is done behind it
     * @param time where its time is, to the microsecond
     * @param prev where the hash of the one before is
     * @param mark what it adds to the replay digest
     * @param contents that come with it
     */
    record Line(
            boolean intent,
            byte[] bytes,
            int time,
            int hash,
            int prev,
            byte[] mark,
            List<byte[]> contents) {

        static Line of(String text, byte[] mark, List<byte[]> contents) {
            return new Line(
                    text.contains("\"type\":\"effect.intent\""),
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
        replay.update(marksApart ? apart.digest(line.mark()) : line.mark());
    }

    /** Writes it once more: with other times, and so with other hashes. */
    int write() {
        int sum = 0;
        for (int i = 0; i < lines.size(); i++) {
            sum += next();
        }
        return sum;
    }

    /** Writes the next line of it, with what comes with it. */
    int next() {
        return keepNext() + chainNext();
    }

    /** Keeps the contents that come with the next line, and what that adds to the replay digest. */
    int keepNext() {
        if (contentsAt == 0 && contents.size() > MOST_KEPT) {
            contents.clear();
        }
        Line line = lines.get(contentsAt);
        for (byte[] content : line.contents()) {
            contents.put((long) BEGINNING.get(apart.digest(content), 0), content.clone());
        }
        mark(line);
        contentsAt = (contentsAt + 1) % lines.size();
        return contentsAt == 0 ? replay.digest()[0] : 0;
    }

    /** Writes the next line alone; behind the last one begins another run. */
    int chainNext() {
        if (at == 0) {
            begin();
        }
        Line line = lines.get(at);
        byte[] copy = line.bytes().clone();
        time(copy, line.time());
        hex(head, copy, line.prev());
        head = line.hash(copy, digest);
        hex(head, copy, line.hash());
        kept.add(copy);
        at = (at + 1) % lines.size();
        return head[0];
    }

    private void begin() {
        head = new byte[HASH];
        if (kept.size() > MOST_KEPT) {
            kept.clear();
        }
    }

    /** How many lines there are. */
    int size() {
        return lines.size();
    }

    /** How many lines there must be before each thing is done. */
    int[] beforeEffects() {
        return IntStream.range(0, lines.size())
                .filter(i -> lines.get(i).intent())
                .map(i -> i + 1)
                .toArray();
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

    private static short[] pairs() {
        short[] pairs = new short[1 << Byte.SIZE];
        for (int i = 0; i < pairs.length; i++) {
            pairs[i] = (short) (HEX[i & 15] << Byte.SIZE | HEX[i >> 4]);
        }
        return pairs;
    }

    private static void hex(byte[] hash, byte[] to, int at) {
        for (int i = 0; i < HASH; i++) {
            PAIR.set(to, at + 2 * i, PAIRS[hash[i] & 255]);
        }
    }

    /** What was written last, as texts. */
    List<String> lastWritten() {
        return kept.subList(kept.size() - lines.size(), kept.size()).stream()
                .map(line -> new String(line, StandardCharsets.UTF_8))
                .toList();
    }
}
