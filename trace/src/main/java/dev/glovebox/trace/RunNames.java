package dev.glovebox.trace;

import java.security.SecureRandom;
import java.time.Clock;

/**
 * Makes names of runs: ULIDs in lower case, 48 bits of time and 80 of chance in Crockford's Base32,
 * which sort as they were made.
 */
final class RunNames {

    /** How many characters a name has. */
    static final int LENGTH = 26;

    /** How many of these are the time, in milliseconds. */
    static final int TIME = 10;

    private static final String DIGITS = "0123456789abcdefghjkmnpqrstvwxyz";
    private static final int BITS = 5;
    private static final SecureRandom RANDOM = new SecureRandom();

    private final Clock clock;
    private long time;
    private long high;
    private long low;

    RunNames(Clock clock) {
        this.clock = clock;
    }

    synchronized String next() {
        long now = clock.millis();
        if (now > time) {
            time = now;
            high = RANDOM.nextLong() >>> (Long.SIZE - 40);
            low = RANDOM.nextLong() >>> (Long.SIZE - 40);
        } else {
            // In the same millisecond, or after the clock was put back: the next number.
            low = (low + 1) & ((1L << 40) - 1);
            high += low == 0 ? 1 : 0;
        }
        return digits(time, TIME) + digits(high, 8) + digits(low, 8);
    }

    private static String digits(long number, int count) {
        StringBuilder text = new StringBuilder(count);
        for (int i = count - 1; i >= 0; i--) {
            text.append(DIGITS.charAt((int) (number >>> (i * BITS)) & 31));
        }
        return text.toString();
    }

    /**
     * The time in a name that begins like this, in milliseconds.
     *
     * @param highest whether what follows is the highest digit, and not the lowest
     */
    static long time(String beginning, boolean highest) {
        long millis = 0;
        for (int i = 0; i < TIME; i++) {
            int digit =
                    i < beginning.length() ? DIGITS.indexOf(beginning.charAt(i)) : highest ? 31 : 0;
            millis = millis << BITS | Math.max(digit, 0);
        }
        return millis;
    }

    /** Whether a name can begin like this. */
    static boolean possible(String beginning) {
        return !beginning.isEmpty()
                && beginning.length() <= LENGTH
                && beginning.chars().allMatch(c -> DIGITS.indexOf(c) >= 0);
    }
}
