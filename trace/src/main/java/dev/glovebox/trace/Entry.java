package dev.glovebox.trace;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.function.Consumer;

/**
 * One record of a run, as its exact bytes.
 *
 * <p>Whether its hash is right is not checked by reading it; see {@link #computedHash}.
 */
public final class Entry {

    /** The version that this software writes. */
    public static final int VERSION = 1;

    /** What comes before the first record. */
    public static final String NOTHING = "0".repeat(Digests.LENGTH);

    /** No record is longer, in bytes. */
    public static final int LONGEST = 1 << 20;

    /** No run has more records. */
    public static final long MOST = 1 << 24;

    private static final byte[] AT = ascii("{\"at\":");
    private static final byte[] BODY = ascii(",\"body\":");
    private static final byte[] DERIVED = ascii("{\"derived\":");
    private static final byte[] OBSERVED = ascii(",\"observed\":");
    private static final byte[] HASH = ascii(",\"hash\":\"");
    private static final byte[] PREV = ascii("\",\"prev\":\"");
    private static final byte[] RUN = ascii("\",\"run\":\"");
    private static final byte[] SEQ = ascii("\",\"seq\":");
    private static final byte[] TYPE = ascii(",\"type\":\"");
    private static final byte[] V = ascii("\",\"v\":");
    private static final int LONGEST_NAME = 64;
    private static final long MICROS_IN_SECOND = 1_000_000;
    private static final int NANOS_IN_MICRO = 1_000;
    // The parts of a body are objects in an object in the record.
    private static final int PART_DEPTH = 3;

    private final byte[] line;
    private final long at;
    private final int bodyFrom;
    private final int bodyTo;
    // Where the derived part ends; negative if the body is not one of two parts.
    private final int derivedTo;
    private final boolean references;
    private final int hashFrom;
    private final int prevFrom;
    private final String run;
    private final long seq;
    private final int typeFrom;
    private final String type;
    private final long version;

    private Entry(byte[] line) {
        if (line.length > LONGEST) {
            throw tooLong(line);
        }
        this.line = line;
        CanonicalScanner scanner = new CanonicalScanner(line);
        scanner.expect(AT);
        at = natural(scanner);
        scanner.expect(BODY);
        bodyFrom = scanner.at();
        derivedTo = body(scanner);
        bodyTo = scanner.at();
        references = scanner.sawReferences();
        scanner.expect(HASH);
        hashFrom = scanner.at();
        digest(scanner);
        scanner.expect(PREV);
        prevFrom = scanner.at();
        digest(scanner);
        scanner.expect(RUN);
        run = name(scanner, "run");
        scanner.expect(SEQ);
        seq = natural(scanner);
        scanner.expect(TYPE);
        typeFrom = scanner.at();
        type = name(scanner, "type");
        scanner.expect(V);
        version = natural(scanner);
        if (!scanner.took('}')) {
            throw scanner.broken("a member that records do not have");
        }
        scanner.end();
        if (version < VERSION) {
            throw new Malformed("There is no version " + version);
        }
        if (!validRun(run) || !validType(type)) {
            throw new Malformed("A run or type that is not a name");
        }
    }

    /** Of a record that was just written, by where its parts stand. */
    private Entry(
            byte[] line,
            long at,
            int bodyFrom,
            int derivedTo,
            int bodyTo,
            String run,
            long seq,
            String type,
            int typeFrom) {
        if (line.length > LONGEST) {
            throw tooLong(line);
        }
        this.line = line;
        this.at = at;
        this.bodyFrom = bodyFrom;
        this.bodyTo = bodyTo;
        this.derivedTo = derivedTo;
        this.references = true;
        this.hashFrom = bodyTo + HASH.length;
        this.prevFrom = hashFrom + Digests.LENGTH + PREV.length;
        this.run = run;
        this.seq = seq;
        this.typeFrom = typeFrom;
        this.type = type;
        this.version = VERSION;
    }

    private static Malformed tooLong(byte[] line) {
        return new Malformed("A record of " + line.length + " bytes is too long");
    }

    /** Walks over the body; where its derived part ends, if it has the two parts. */
    private static int body(CanonicalScanner scanner) {
        int from = scanner.at();
        if (scanner.took(DERIVED) && scanner.next('{')) {
            scanner.value(PART_DEPTH);
            int to = scanner.at();
            if (scanner.took(OBSERVED) && scanner.next('{')) {
                scanner.value(PART_DEPTH);
                if (scanner.took('}')) {
                    return to;
                }
            }
        }
        scanner.back(from);
        if (!scanner.next('{')) {
            throw scanner.broken("a body that is not an object");
        }
        scanner.value(PART_DEPTH - 1);
        return -1;
    }

    /**
     * Reads a record.
     *
     * @throws Malformed if the bytes are not exactly a canonical record
     */
    public static Entry read(byte[] line) {
        return new Entry(line);
    }

    /** Makes the record of an event that follows another one. */
    public static Entry of(String run, long seq, long at, String prev, Event event) {
        boolean plain = EventCodec.plainReferences(event, any -> {});
        return of(run, seq, at, prev, event, plain, Digests.sha256(), new ByteText());
    }

    /**
     * Makes a record with a digest and an empty text that are at hand.
     *
     * @param plain whether the event is; see {@link EventCodec#plainReferences}
     */
    static Entry of(
            String run,
            long seq,
            long at,
            String prev,
            Event event,
            boolean plain,
            MessageDigest digest,
            ByteText text) {
        text.add(AT);
        text.number(at);
        text.add(BODY);
        int bodyFrom = text.size();
        int derivedTo = EventCodec.write(event, text);
        int bodyTo = text.size();
        text.add(HASH);
        text.ascii(NOTHING);
        text.add(PREV);
        text.ascii(prev);
        text.add(RUN);
        text.ascii(run);
        text.add(SEQ);
        text.number(seq);
        text.add(TYPE);
        int typeFrom = text.size();
        String type = event.type();
        text.ascii(type);
        text.add(V);
        text.number(event.version());
        text.add('}');
        byte[] line = text.bytes();
        putHash(line, bodyTo, digest);
        return plain
                ? new Entry(line, at, bodyFrom, derivedTo, bodyTo, run, seq, type, typeFrom)
                : new Entry(line);
    }

    /** Puts the hash where it belongs; it is of all the rest. */
    private static void putHash(byte[] line, int bodyTo, MessageDigest digest) {
        int from = bodyTo + HASH.length;
        // Up to the comma behind the body; then from the next member on.
        digest.update(line, 0, bodyTo + 1);
        int rest = from + Digests.LENGTH + 2;
        digest.update(line, rest, line.length - rest);
        Digests.put(digest.digest(), line, from);
    }

    static boolean validRun(String name) {
        boolean valid = length(name);
        for (int i = 0; valid && i < name.length(); i++) {
            char c = name.charAt(i);
            valid = letter(c) || digit(c) || c == '-';
        }
        return valid;
    }

    static boolean validType(String name) {
        boolean valid = length(name) && letter(name.charAt(0));
        for (int i = 1; valid && i < name.length(); i++) {
            char c = name.charAt(i);
            valid = letter(c) || digit(c) || c == '.' || c == '-';
        }
        return valid;
    }

    private static boolean letter(int c) {
        return c >= 'a' && c <= 'z';
    }

    private static boolean digit(int c) {
        return c >= '0' && c <= '9';
    }

    private static boolean length(String name) {
        return !name.isEmpty() && name.length() <= LONGEST_NAME;
    }

    private static long natural(CanonicalScanner scanner) {
        long number = scanner.integer();
        if (number < 0) {
            throw scanner.broken("a negative number");
        }
        return number;
    }

    private void digest(CanonicalScanner scanner) {
        int from = scanner.at();
        boolean valid = line.length - from > Digests.LENGTH;
        for (int i = 0; valid && i < Digests.LENGTH; i++) {
            valid = Digests.digit(line[from + i]) >= 0;
        }
        if (!valid) {
            throw scanner.broken("not a SHA-256 in hex");
        }
        scanner.skip(Digests.LENGTH);
    }

    private String name(CanonicalScanner scanner, String what) {
        String text = upToQuote(scanner, LONGEST_NAME);
        if (text.isEmpty()) {
            throw scanner.broken("an empty " + what);
        }
        return text;
    }

    /** Takes what stands before the next quote, which is not taken. */
    private String upToQuote(CanonicalScanner scanner, int most) {
        int from = scanner.at();
        int to = from;
        while (to < line.length && line[to] != '"' && to - from <= most) {
            to++;
        }
        scanner.skip(to - from);
        return latin(from, to);
    }

    private String latin(int from, int to) {
        return new String(line, from, to - from, StandardCharsets.ISO_8859_1);
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    public byte[] bytes() {
        return line.clone();
    }

    /** The bytes themselves, for those in here that do not change them. */
    byte[] line() {
        return line;
    }

    /** Microseconds since 1970. */
    public long at() {
        return at;
    }

    public Instant time() {
        return Instant.EPOCH.plus(at, ChronoUnit.MICROS);
    }

    /** A time as it stands in records: microseconds since 1970. */
    static long micros(Instant time) {
        return time.getEpochSecond() * MICROS_IN_SECOND + time.getNano() / NANOS_IN_MICRO;
    }

    public String hash() {
        return latin(hashFrom, hashFrom + Digests.LENGTH);
    }

    public String prev() {
        return latin(prevFrom, prevFrom + Digests.LENGTH);
    }

    /** Whether the record before this one has the hash that this one says. */
    boolean follows(Entry before) {
        int from = before.hashFrom;
        return Arrays.equals(
                line,
                prevFrom,
                prevFrom + Digests.LENGTH,
                before.line,
                from,
                from + Digests.LENGTH);
    }

    public String run() {
        return run;
    }

    public long seq() {
        return seq;
    }

    public String type() {
        return type;
    }

    public long version() {
        return version;
    }

    /** What the hash must be: SHA-256 of the record without its hash. */
    public String computedHash() {
        return HexFormat.of().formatHex(computedHash(Digests.sha256()));
    }

    byte[] computedHash(MessageDigest digest) {
        // Up to the comma behind the body; then from the next member on.
        digest.update(line, 0, bodyTo + 1);
        int rest = hashFrom + Digests.LENGTH + 2;
        digest.update(line, rest, line.length - rest);
        return digest.digest();
    }

    /** Whether the hash in the record is this one. */
    boolean hasHash(byte[] hash) {
        return Digests.matches(line, hashFrom, hash);
    }

    /** Whether the body has the two parts that those of this version have. */
    boolean twoParts() {
        return derivedTo >= 0;
    }

    /** Whether the replay digest takes this record in. */
    boolean derives() {
        return version == VERSION && twoParts() && derivedTo - bodyFrom > DERIVED.length + 2;
    }

    /** The mark of this record in the replay digest; all of what it covers stands in the line. */
    byte[] replayMark(MessageDigest digest) {
        digest.update(line, bodyFrom, derivedTo - bodyFrom);
        int from = typeFrom - TYPE.length;
        digest.update(line, from, TYPE.length + type.length() + 1);
        digest.update((byte) '}');
        return digest.digest();
    }

    /**
     * Gives each reference in the body.
     *
     * @throws Malformed if one of them is not as it should be
     */
    void references(Consumer<BlobRef> each) {
        if (references && version == VERSION) {
            BlobRef.find(line, bodyFrom, bodyTo, each);
        }
    }

    /** The body as it was written, of whatever version. */
    public JsonNode rawBody() {
        return CanonicalScanner.parse(line, bodyFrom, bodyTo);
    }

    /**
     * What happened.
     *
     * @throws Malformed if the body of this version does not have its two parts
     */
    public Event event() {
        return EventCodec.read(type, version, rawBody());
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Entry entry && Arrays.equals(line, entry.line);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(line);
    }

    @Override
    public String toString() {
        return new String(line, StandardCharsets.UTF_8);
    }
}
