package dev.glovebox.sandbox;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** An amount of memory, disk or output; never negative. */
public record Bytes(long count) implements Comparable<Bytes> {

    private static final long KIBI = 1024;
    private static final Pattern TEXT = Pattern.compile("([0-9]{1,18}) ?([a-zA-Z]{0,3})");

    public Bytes {
        if (count < 0) {
            throw new IllegalArgumentException("An amount of bytes cannot be negative: " + count);
        }
    }

    public static Bytes bytes(long count) {
        return new Bytes(count);
    }

    public static Bytes kibibytes(long count) {
        return new Bytes(Math.multiplyExact(count, KIBI));
    }

    public static Bytes mebibytes(long count) {
        return new Bytes(Math.multiplyExact(count, KIBI * KIBI));
    }

    /**
     * Reads {@code 256MiB}, {@code 256m}, {@code 64k} or a plain number of bytes.
     *
     * @throws IllegalArgumentException if the text is not an amount, or one too large to count
     */
    public static Bytes parse(String text) {
        Matcher matcher = TEXT.matcher(text.strip());
        if (!matcher.matches()) {
            throw new IllegalArgumentException(complaint(text));
        }
        long unit =
                switch (matcher.group(2).toLowerCase(Locale.ROOT)) {
                    case "", "b" -> 1;
                    case "k", "ki", "kib" -> KIBI;
                    case "m", "mi", "mib" -> KIBI * KIBI;
                    case "g", "gi", "gib" -> KIBI * KIBI * KIBI;
                    case "t", "ti", "tib" -> KIBI * KIBI * KIBI * KIBI;
                    default -> throw new IllegalArgumentException(complaint(text));
                };
        try {
            return new Bytes(Math.multiplyExact(Long.parseLong(matcher.group(1)), unit));
        } catch (ArithmeticException e) {
            throw new IllegalArgumentException(complaint(text), e);
        }
    }

    private static String complaint(String text) {
        return Wording.quote(text)
                + " is not an amount of bytes: write it like 256MiB, 64k or 1048576";
    }

    public Bytes plus(Bytes other) {
        return new Bytes(Math.addExact(count, other.count));
    }

    @Override
    public int compareTo(Bytes other) {
        return Long.compare(count, other.count);
    }

    /** The shortest exact form, which {@link #parse} reads back. */
    @Override
    public String toString() {
        if (count >= KIBI * KIBI && count % (KIBI * KIBI) == 0) {
            return count / (KIBI * KIBI) + "MiB";
        }
        return count >= KIBI && count % KIBI == 0 ? count / KIBI + "KiB" : count + "B";
    }
}
