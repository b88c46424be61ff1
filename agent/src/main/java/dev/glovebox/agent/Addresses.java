package dev.glovebox.agent;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Addresses, in all the ways in which resolvers read them. */
final class Addresses {

    /**
     * At which clouds hand out credentials: 169.254.169.254, .253, 169.254.170.2, 100.100.100.200.
     */
    private static final Set<Long> METADATA =
            Set.of(0xa9fea9feL, 0xa9fea9fdL, 0xa9feaa02L, 0x646464c8L);

    private static final Pattern NUMERIC =
            Pattern.compile(
                    "(?i)(?<![0-9a-z.])(?:0x[0-9a-f]{1,10}+|[0-9]{1,12}+)"
                            + "(?:\\.(?:0x[0-9a-f]{1,10}+|[0-9]{1,12}+)){0,3}+(?![0-9a-z])");

    private static final Pattern NAMED =
            Pattern.compile(
                    "(?i)\\bmetadata\\.(?:google|azure|platformequinix)\\.(?:internal|com)\\b"
                            + "|\\binstance-data(?:\\.ec2\\.internal)?(?=[/:\\s])"
                            + "|(?:\\bfd00:ec2:(?:0{0,4}:){1,5}(?:254|23)\\b)"
                            + "|::ffff:(?:0{1,4}:)?a9fe:a9fe\\b");

    private Addresses() {}

    static List<Stretch> ofMetadata(String text, String kind) {
        List<Stretch> found = new ArrayList<>();
        Matcher numeric = BoundedPattern.matcher(NUMERIC, text);
        while (numeric.find()) {
            OptionalLong address = parse(numeric.group());
            if (address.isPresent() && METADATA.contains(address.getAsLong())) {
                found.add(new Stretch(numeric.start(), numeric.end(), kind));
            }
        }
        Matcher named = BoundedPattern.matcher(NAMED, text);
        while (named.find()) {
            found.add(new Stretch(named.start(), named.end(), kind));
        }
        return found;
    }

    /** As inet_aton reads it: up to four parts, each decimal, octal or hex, the last one long. */
    static OptionalLong parse(String written) {
        String[] parts = written.split("\\.");
        long address = 0;
        for (int i = 0; i < parts.length; i++) {
            OptionalLong part = number(parts[i]);
            int bits = i < parts.length - 1 ? 8 : 8 * (5 - parts.length);
            if (part.isEmpty() || part.getAsLong() >= 1L << bits) {
                return OptionalLong.empty();
            }
            address = (address << bits) + part.getAsLong();
        }
        return OptionalLong.of(address);
    }

    private static OptionalLong number(String written) {
        boolean hex = written.startsWith("0x") || written.startsWith("0X");
        boolean octal = !hex && written.length() > 1 && written.startsWith("0");
        try {
            return OptionalLong.of(
                    hex
                            ? Long.parseLong(written.substring(2), 16)
                            : Long.parseLong(written, octal ? 8 : 10));
        } catch (NumberFormatException e) {
            return OptionalLong.empty();
        }
    }
}
