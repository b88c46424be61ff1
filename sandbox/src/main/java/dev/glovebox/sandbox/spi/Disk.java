package dev.glovebox.sandbox.spi;

import java.util.OptionalLong;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A whole disk, as the kernel counts what is written to it.
 *
 * @param number of its device, such as {@code 254:0}
 * @param name such as {@code vda}
 * @param tracked whether its file systems tell the kernel whose the data is that it writes later
 */
public record Disk(String number, String name, boolean tracked) {

    private static final String WRITTEN = "wbps=";
    private static final Pattern COUNT = Pattern.compile("[0-9]{1,18}");

    /** Where its device is. */
    public String path() {
        return "/dev/" + name;
    }

    /**
     * The bytes a second that a rule lets through.
     *
     * @param rules content of {@code blkio.throttle.write_bps_device} or of {@code io.max}
     */
    public OptionalLong rate(String rules) {
        return rules.lines()
                .map(line -> line.strip().split(" "))
                .filter(words -> words[0].equals(number))
                .flatMap(words -> Stream.of(words).skip(1))
                .map(word -> word.startsWith(WRITTEN) ? word.substring(WRITTEN.length()) : word)
                .filter(word -> COUNT.matcher(word).matches())
                .mapToLong(Long::parseLong)
                .findFirst();
    }
}
