package dev.glovebox.agent;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Addresses, in all the ways in which resolvers read them. Nothing is looked up. */
final class Addresses {

    /**
     * At which clouds hand out credentials: 169.254.169.254 and .253, 169.254.170.2 and .23,
     * 169.254.42.42, 169.254.0.23, 100.100.100.200, 168.63.129.16, 192.0.0.192.
     */
    private static final Set<Long> METADATA =
            Set.of(
                    0xa9fea9feL,
                    0xa9fea9fdL,
                    0xa9feaa02L,
                    0xa9feaa17L,
                    0xa9fe2a2aL,
                    0xa9fe0017L,
                    0x646464c8L,
                    0xa83f8110L,
                    0xc00000c0L);

    /** The same of IPv6, in groups. */
    private static final Set<List<Integer>> METADATA_6 =
            Set.of(
                    List.of(0xfd00, 0xec2, 0, 0, 0, 0, 0, 0x254),
                    List.of(0xfd00, 0xec2, 0, 0, 0, 0, 0, 0x253),
                    List.of(0xfd00, 0xec2, 0, 0, 0, 0, 0, 0x23),
                    List.of(0xfd20, 0xce, 0, 0, 0, 0, 0, 0x254),
                    List.of(0xfd00, 0x42, 0, 0, 0, 0, 0, 0x42));

    /** Resolvers take any number of zeros before a number. */
    private static final String PART = "(?:0x0*+[0-9a-f]{0,10}+|0++[0-9]{0,12}+|[0-9]{1,12}+)";

    private static final Pattern NUMERIC =
            Pattern.compile("(?i)(?<![0-9a-z.])" + PART + "(?:\\." + PART + "){0,3}+(?![0-9a-z])");

    private static final Pattern IPV6 =
            Pattern.compile("(?i)(?<![0-9a-f:.])([0-9a-f]{0,64}+:[0-9a-f:.]{1,128}+)\\]?+");

    private static final Pattern NAMED =
            Pattern.compile(
                    "(?i)\\bmetadata\\.(?:google|azure|platformequinix|tencentyun)\\.(?:internal|com)\\b"
                            + "|(?<=//)metadata(?=[/:?#\\s\"'`]|$)"
                            + "|\\binstance-data(?:\\.ec2\\.internal\\b|(?=[/:?#\\s\"'`]|$))");

    private static final int GROUPS = 8;
    private static final int LONGEST_GROUP = 4;

    /** The first group of addresses that hold one of IPv4 in the second and the third. */
    private static final int SIX_TO_FOUR = 0x2002;

    private Addresses() {}

    static List<Stretch> ofMetadata(String text, String kind) {
        List<Stretch> found = new ArrayList<>();
        Matcher numeric = BoundedPattern.matcher(NUMERIC, text);
        while (numeric.find()) {
            if (isMetadata(numeric.group())) {
                found.add(new Stretch(numeric.start(), numeric.end(), kind));
            }
        }
        Matcher ipv6 = BoundedPattern.matcher(IPV6, text);
        while (ipv6.find()) {
            String written = ipv6.group(1);
            // What goes before the first colon may be the end of a word: "node:fd00:ec2::254".
            String next = written.substring(written.indexOf(':') + 1);
            if (isMetadata6(written) || isMetadata6(next)) {
                found.add(new Stretch(ipv6.start(), ipv6.end(), kind));
            }
        }
        Matcher named = BoundedPattern.matcher(NAMED, text);
        while (named.find()) {
            found.add(new Stretch(named.start(), named.end(), kind));
        }
        return found;
    }

    /** Some resolvers take a zero at the beginning for octal, others do not see it. */
    private static boolean isMetadata(String written) {
        return METADATA.contains(parse(written, 8).orElse(0))
                || METADATA.contains(parse(written, 10).orElse(0));
    }

    /** As inet_aton reads it: up to four parts, each decimal, octal or hex, the last one long. */
    private static OptionalLong parse(String written, int radixOfZero) {
        String[] parts = written.split("\\.");
        long address = 0;
        for (int i = 0; i < parts.length; i++) {
            OptionalLong part = number(parts[i], radixOfZero);
            int bits = i < parts.length - 1 ? 8 : 8 * (5 - parts.length);
            if (part.isEmpty() || part.getAsLong() >= 1L << bits) {
                return OptionalLong.empty();
            }
            address = (address << bits) + part.getAsLong();
        }
        return OptionalLong.of(address);
    }

    private static OptionalLong number(String written, int radixOfZero) {
        if (written.startsWith("0x") || written.startsWith("0X")) {
            return number(written.substring(2), 16, 10);
        }
        return number(written, written.startsWith("0") ? radixOfZero : 10, 12);
    }

    private static OptionalLong number(String written, int radix, int longest) {
        int zeros = 0;
        while (zeros < written.length() && written.charAt(zeros) == '0') {
            zeros++;
        }
        String digits = written.substring(zeros);
        boolean fits =
                digits.length() <= longest
                        && digits.chars().allMatch(c -> Character.digit(c, radix) >= 0);
        return fits
                ? OptionalLong.of(digits.isEmpty() ? 0 : Long.parseLong(digits, radix))
                : OptionalLong.empty();
    }

    /** A sentence may go on with a colon, or end with a stop. */
    private static boolean isMetadata6(String written) {
        String address = written;
        if (address.startsWith(":") && !address.startsWith("::")) {
            address = address.substring(1);
        }
        while (address.endsWith(".") || (address.endsWith(":") && !address.endsWith("::"))) {
            address = address.substring(0, address.length() - 1);
        }
        List<Integer> groups = groups(address);
        if (groups.isEmpty()) {
            return false;
        }
        int embedded = groups.getFirst() == SIX_TO_FOUR ? 1 : GROUPS - 2;
        long ipv4 = ((long) groups.get(embedded) << 16) + groups.get(embedded + 1);
        return METADATA_6.contains(groups) || METADATA.contains(ipv4);
    }

    /** The eight groups of an address of IPv6; none: it is not one. */
    private static List<Integer> groups(String written) {
        int gap = written.indexOf("::");
        if (gap < 0) {
            List<Integer> all = numbers(written);
            return all.size() == GROUPS ? all : List.of();
        }
        String before = written.substring(0, gap);
        String after = written.substring(gap + 2);
        List<Integer> all = new ArrayList<>(numbers(before));
        List<Integer> last = numbers(after);
        boolean broken = before.isEmpty() != all.isEmpty() || after.isEmpty() != last.isEmpty();
        if (broken || all.size() + last.size() >= GROUPS) {
            return List.of();
        }
        while (all.size() < GROUPS - last.size()) {
            all.add(0);
        }
        all.addAll(last);
        return all;
    }

    /** None: they are not numbers. */
    private static List<Integer> numbers(String written) {
        List<Integer> numbers = new ArrayList<>();
        for (String group : Arrays.asList(written.split(":", -1))) {
            int dot = group.indexOf('.');
            OptionalLong number = dot < 0 ? number(group, 16, LONGEST_GROUP) : parse(group, 10);
            if (group.isEmpty() || number.isEmpty()) {
                return List.of();
            }
            if (dot >= 0) {
                numbers.add((int) (number.getAsLong() >> 16));
            }
            numbers.add((int) (number.getAsLong() & 0xffff));
        }
        return numbers;
    }
}
