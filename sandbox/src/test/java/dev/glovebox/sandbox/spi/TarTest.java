package dev.glovebox.sandbox.spi;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.management.ThreadMXBean;
import dev.glovebox.sandbox.FileRefused;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.From;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a tar stream holds is shown as a map: a directory's path ends in a slash. */
final class TarTest {

    private static final int BLOCK = 512;
    private static final long ROOM = 100_000;
    private static final Instant TIME = Instant.ofEpochSecond(1_234_567_890);
    private static final Map<String, String> SHORT =
            Map.of(
                    "a",
                    "alpha",
                    "empty",
                    "",
                    "dir/",
                    "",
                    "dir/b",
                    "beta".repeat(1000),
                    "n\new",
                    "line");
    private static final Map<String, String> LONG = longNames();

    private static Map<String, String> longNames() {
        Map<String, String> names = new TreeMap<>(SHORT);
        names.put("été/", "");
        names.put("été/漢字 🧤\n", "unicode");
        names.put("x".repeat(100), "100");
        names.put("y".repeat(101), "101");
        names.put("z".repeat(150) + "/", "");
        names.put("z".repeat(150) + "/" + "é".repeat(120), "391 bytes");
        return names;
    }

    // Round trips.

    @Provide
    Arbitrary<String> paths() {
        Arbitrary<String> name =
                Arbitraries.of("a", "b", "=", "1", " ", "\n", ".", "\\", "é", "漢", "🧤")
                        .list()
                        .ofMinSize(1)
                        .ofMaxSize(150)
                        .map(letters -> String.join("", letters))
                        .filter(text -> !text.equals(".") && !text.equals(".."));
        return name.list().ofMinSize(1).ofMaxSize(4).map(names -> String.join("/", names));
    }

    @Property(tries = 300)
    void readsWhatItWrote(
            @ForAll @Size(max = 5) Map<@From("paths") String, @Size(max = 1100) byte[]> files,
            @ForAll("paths") String directory,
            @ForAll @LongRange(min = Long.MIN_VALUE / 1000, max = Long.MAX_VALUE / 1000)
                    long seconds)
            throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        TarWriter writer = new TarWriter(out);
        Instant time = Instant.ofEpochSecond(seconds);
        writer.directory(directory, time);
        for (Map.Entry<String, byte[]> file : files.entrySet()) {
            writer.file(file.getKey(), time, 0100777, file.getValue());
        }
        writer.finish();

        TarReader reader = new TarReader(new ByteArrayInputStream(out.toByteArray()), ROOM);
        assertThat(reader.next())
                .returns(directory, m -> m.path())
                .returns(true, m -> m.directory());
        for (Map.Entry<String, byte[]> file : files.entrySet()) {
            assertThat(reader.next())
                    .returns(file.getKey(), m -> m.path())
                    .returns(false, m -> m.directory())
                    .returns(file.getValue(), m -> m.content());
        }
        assertThat(reader.next()).isNull();
        assertThat(reader.next()).isNull();
    }

    @ParameterizedTest
    @ValueSource(strings = {"v7", "oldgnu", "gnu", "ustar", "posix"})
    void gnuTarUnpacksItsArchivesAndItReadsThoseOfGnuTar(String format, @TempDir Path directory)
            throws Exception {
        assumeTrue(new String(run(new byte[0], "tar", "--version"), UTF_8).contains("GNU"));
        boolean anyName = format.endsWith("gnu") || format.equals("posix");
        Map<String, String> files = anyName ? LONG : SHORT;
        run(write(files), "tar", "-xf", "-", "-C", directory.toString());
        byte[] archive =
                run(
                        new byte[0],
                        "tar",
                        "--format=" + format,
                        "-cf",
                        "-",
                        "-C",
                        directory.toString(),
                        ".");
        assertThat(read(archive, ROOM)).isEqualTo(files);
    }

    @Test
    void pythonSeesItsMembersWithNothingOfTheHost() throws Exception {
        String script =
                """
                import sys, tarfile
                for m in tarfile.open(fileobj=sys.stdin.buffer, mode='r|'):
                    assert (m.uid, m.gid, m.uname, m.gname, m.mtime) == (0, 0, '', '', 1234567890), m.get_info()
                    assert m.isdir() and m.mode == 0o755 or m.isreg() and m.mode == 0o640, m.get_info()
                    print(m.name.encode().hex(), m.size)
                """;
        StringBuilder expected = new StringBuilder();
        LONG.forEach((name, content) ->
                expected.append(HexFormat.of().formatHex(name.replaceAll("/$", "").getBytes(UTF_8)))
                        .append(" " + content.length() + "\n"));
        assertThat(run(write(LONG), "python3", "-c", script))
                .asString(UTF_8)
                .isEqualTo(expected.toString());
    }

    @Test
    void refusesTheSparseFilesOfGnuTar(@TempDir Path directory) throws Exception {
        assumeTrue(new String(run(new byte[0], "tar", "--version"), UTF_8).contains("GNU"));
        run(new byte[0], "truncate", "-s", "1M", directory.resolve("hole").toString());
        for (String format : new String[] {"gnu", "posix"}) {
            String option = "--format=" + format;
            byte[] tar =
                    run(
                            new byte[0],
                            "tar",
                            option,
                            "-S",
                            "-cf",
                            "-",
                            "-C",
                            directory.toString(),
                            "hole");
            assertThatThrownBy(() -> read(tar, 1 << 21))
                    .isInstanceOf(FileRefused.class)
                    .hasMessageContaining("sparse");
        }
    }

    // Hostile input.

    static Stream<Arguments> hostile() {
        byte[] end = new byte[2 * BLOCK];
        byte[] file = header("a", '0', "1");
        byte[] spoilt = file.clone();
        spoilt[0]++;
        return Stream.of(
                Arguments.of("is a symbolic link", tar(header("a", '2', "0"), end)),
                Arguments.of("is a symbolic link", tar(header("a", 'K', "0"), end)),
                Arguments.of("is a hard link", tar(header("a", '1', "0"), end)),
                Arguments.of("is a device", tar(header("a", '3', "0"), end)),
                Arguments.of("is a device", tar(header("a", '4', "0"), end)),
                Arguments.of("is a FIFO", tar(header("a", '6', "0"), end)),
                Arguments.of("is a sparse file", tar(header("a", 'S', "0"), end)),
                Arguments.of("unknown type", tar(header("a", 'D', "0"), end)),
                Arguments.of("plain relative path", tar(header("/etc/passwd", '0', "0"), end)),
                Arguments.of("plain relative path", tar(header("../a", '0', "0"), end)),
                Arguments.of("plain relative path", tar(header("a/../../b", '0', "0"), end)),
                Arguments.of("plain relative path", tar(header("./../b", '0', "0"), end)),
                Arguments.of("plain relative path", tar(header(".//b", '0', "0"), end)),
                Arguments.of("plain relative path", tar(header("..", '5', "0"), end)),
                Arguments.of("plain relative path", tar(header("", '0', "0"), end)),
                Arguments.of("plain relative path", tar(header("/", '5', "0"), end)),
                Arguments.of("plain relative path", tar(header(".", '0', "0"), end)),
                Arguments.of("plain relative path", tar(pax("8 path=\n"), file, block("x"), end)),
                Arguments.of(
                        "plain relative path", tar(pax("12 path=a\0b\n"), file, block("x"), end)),
                Arguments.of(
                        "plain relative path", tar(pax("13 path=../b\n"), file, block("x"), end)),
                Arguments.of(
                        "plain relative path",
                        tar(longName("a/".repeat(5000) + "b"), file, block("x"), end)),
                Arguments.of("plain relative path", tar(longName("a\0b\0"), file, block("x"), end)),
                Arguments.of("not UTF-8", tar(header("\u00ff", '0', "0"), end)),
                Arguments.of("not octal", tar(header("a", '0', "-1"), end)),
                Arguments.of("not octal", tar(header("a", '0', "9"), end)),
                Arguments.of("negative", tar(header("a", '0', "\u00ff".repeat(12)), end)),
                Arguments.of(
                        "out of range",
                        tar(header("a", '0', "\u0080\0\0\0" + "\u00ff".repeat(8)), end)),
                Arguments.of(
                        "larger than",
                        tar(header("a", '0', "\u0080\0\0\0\u007f" + "\u00ff".repeat(7)), end)),
                Arguments.of("larger than", tar(header("a", '0', "777777777777"), end)),
                Arguments.of(
                        "larger than", tar(header("a", '0', Long.toOctalString(ROOM + 1)), end)),
                Arguments.of("larger than", tar(pax("20 size=99999999999\n"), file, end)),
                Arguments.of("not decimal", tar(pax("11 size=-1\n"), file, end)),
                Arguments.of("not decimal", tar(pax("29 size=99999999999999999999\n"), file, end)),
                Arguments.of("two sizes", tar(pax("9 size=1\n9 size=2\n"), file, end)),
                Arguments.of("two long names", tar(longName("a\0"), longName("b\0"), file, end)),
                Arguments.of("wrong length", tar(pax("99 path=a\n"), file, end)),
                Arguments.of("wrong length", tar(pax("0 path=a\n"), file, end)),
                Arguments.of("wrong length", tar(pax("2 "), file, end)),
                Arguments.of("wrong length", tar(pax("path"), file, end)),
                Arguments.of("key=value", tar(pax("7 path\n"), file, end)),
                Arguments.of("key=value", tar(pax("9 path=ab"), file, end)),
                Arguments.of("sparse", tar(pax("22 GNU.sparse.major=1\n"), file, end)),
                Arguments.of("too large", tar(header("x", 'x', "7777777"), end)),
                Arguments.of("too large", tar(header("x", 'g', "7777777"), end)),
                Arguments.of("too large", tar(header("x", 'L', "7777777"), end)),
                Arguments.of("does not follow", tar(longName("a\0"), end)),
                Arguments.of("has content", tar(header("a/", '5', "1"), block("x"), end)),
                Arguments.of("checksum", tar(spoilt, block("x"), end)),
                Arguments.of("not an uncompressed tar", "#!/bin/sh\n".repeat(100).getBytes(UTF_8)),
                Arguments.of("ends in the middle", tar(file, new byte[BLOCK - 1])),
                Arguments.of("ends in the middle", tar(file, block("x"))),
                Arguments.of("ends in the middle", file),
                Arguments.of("ends in the middle", new byte[BLOCK - 1]),
                Arguments.of("ends in the middle", new byte[0]));
    }

    @ParameterizedTest
    @MethodSource("hostile")
    void refuses(String because, byte[] archive) {
        assertThatThrownBy(() -> read(archive, ROOM))
                .isInstanceOfAny(IOException.class, FileRefused.class)
                .hasMessageContaining(because);
    }

    @Test
    void takesOddButHarmlessArchives() throws IOException {
        byte[] end = new byte[BLOCK];
        byte[] file = tar(header("a", '0', "1"), block("x"));
        assertThat(read(tar(header("./", '5', "0"), file, end), 1)).isEqualTo(Map.of("a", "x"));
        assertThat(read(tar(header("./a", '\0', " 1 "), block("x"), end), 1))
                .isEqualTo(Map.of("a", "x"));
        assertThat(read(tar(header("old/", '\0', ""), end), 0)).isEqualTo(Map.of("old/", ""));
        assertThat(
                        read(
                                tar(
                                        header("a", '7', "\u0080" + "\0".repeat(10) + "\1"),
                                        block("x"),
                                        end),
                                1))
                .isEqualTo(Map.of("a", "x"));
        assertThat(read(tar(header("g", 'g', "10"), block("8 path=b"), file, end), 1))
                .isEqualTo(Map.of("a", "x"));
        assertThat(read(tar(pax("9 size=2\n"), header("a", '0', "0"), block("xy"), end), 2))
                .isEqualTo(Map.of("a", "xy"));
    }

    @Test
    void boundsAllFilesTogether() {
        byte[] half = tar(header("a", '0', Long.toOctalString(BLOCK)), new byte[BLOCK]);
        assertThatThrownBy(() -> read(tar(half, half, half, new byte[BLOCK]), 2 * BLOCK))
                .isInstanceOf(FileRefused.class)
                .hasMessageContaining("larger than what is left");
    }

    @Test
    void boundsTheNumberOfHeaders() {
        byte[] header = header("a", '0', "0");
        InputStream endless =
                new InputStream() {
                    @Override
                    public int read() {
                        throw new AssertionError("Headers are read whole");
                    }

                    @Override
                    public int read(byte[] target, int at, int size) {
                        System.arraycopy(header, 0, target, at, size);
                        return size;
                    }
                };
        TarReader reader = new TarReader(endless, ROOM);
        assertThatThrownBy(
                        () -> {
                            while (reader.next() != null) {}
                        })
                .isInstanceOf(FileRefused.class)
                .hasMessageContaining("headers");
    }

    @Test
    void takesNoMemoryOnTheWordOfAHeader() {
        byte[] archive = header("a", '0', Long.toOctalString(Integer.MAX_VALUE - 8));
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadAllocatedBytes();
        assertThatThrownBy(() -> read(archive, Long.MAX_VALUE))
                .hasMessageContaining("ends in the middle");
        assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(4 << 20);
    }

    @Property
    void noiseIsRefusedInAnOrderlyWay(@ForAll @Size(max = 3000) byte[] noise) {
        readHostile(noise);
    }

    @Property
    void damageIsRefusedInAnOrderlyWay(
            @ForAll @Size(min = 1, max = 8)
                    Map<@LongRange(min = 0, max = 1 << 16) Long, Byte> damage,
            @ForAll boolean keepChecksums)
            throws IOException {
        byte[] archive = tar(write(LONG), longName("a\0"), header("b", '0', "0"), new byte[BLOCK]);
        damage.forEach((at, value) -> archive[(int) (at % archive.length)] = value);
        for (int at = 0; keepChecksums && at < archive.length; at += BLOCK) {
            // Every block that could be a header counts as one, to get past the checksum.
            if (new String(archive, at + 257, 5, ISO_8859_1).equals("ustar")) {
                sum(archive, at);
            }
        }
        readHostile(archive);
    }

    private static void readHostile(byte[] archive) {
        try {
            assertThat(read(archive, ROOM).values().stream().mapToLong(String::length).sum())
                    .isLessThanOrEqualTo(ROOM);
        } catch (IOException | FileRefused expected) {
            assertThat(expected).hasMessageContaining("archive");
        }
    }

    // Making and reading archives.

    private static Map<String, String> read(byte[] archive, long room) throws IOException {
        TarReader reader = new TarReader(new ByteArrayInputStream(archive), room);
        Map<String, String> found = new TreeMap<>();
        for (TarReader.Member member = reader.next(); member != null; member = reader.next()) {
            assertThat(member.path().split("/", -1)).isNotEmpty().doesNotContain("", ".", "..");
            found.put(
                    member.path() + (member.directory() ? "/" : ""),
                    new String(member.content(), ISO_8859_1));
        }
        return found;
    }

    private static byte[] write(Map<String, String> files) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        TarWriter writer = new TarWriter(out);
        for (Map.Entry<String, String> file : new TreeMap<>(files).entrySet()) {
            String path = file.getKey();
            if (path.endsWith("/")) {
                writer.directory(path.substring(0, path.length() - 1), TIME);
            } else {
                writer.file(path, TIME, 0104640, file.getValue().getBytes(ISO_8859_1));
            }
        }
        writer.finish();
        return out.toByteArray();
    }

    private static byte[] pax(String records) {
        return tar(header("x", 'x', Integer.toOctalString(records.length())), block(records));
    }

    private static byte[] longName(String name) {
        return tar(header("L", 'L', Integer.toOctalString(name.length())), block(name));
    }

    private static byte[] header(String name, char type, String size) {
        byte[] header = new byte[BLOCK];
        put(header, 0, name);
        put(header, 124, size);
        put(header, 156, String.valueOf(type));
        put(header, 257, "ustar\0" + "00");
        sum(header, 0);
        return header;
    }

    private static void sum(byte[] archive, int at) {
        Arrays.fill(archive, at + 148, at + 156, (byte) ' ');
        int sum = 0;
        for (int i = at; i < at + BLOCK; i++) {
            sum += archive[i] & 0xff;
        }
        put(archive, at + 148, Integer.toOctalString(sum) + "\0");
    }

    private static byte[] block(String content) {
        byte[] padded = new byte[(content.length() + BLOCK - 1) / BLOCK * BLOCK];
        put(padded, 0, content);
        return padded;
    }

    private static void put(byte[] target, int at, String latin) {
        byte[] bytes = latin.getBytes(ISO_8859_1);
        System.arraycopy(bytes, 0, target, at, bytes.length);
    }

    private static byte[] tar(byte[]... parts) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            all.writeBytes(part);
        }
        return all.toByteArray();
    }

    private static byte[] run(byte[] input, String... command) throws Exception {
        Process process =
                new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
        Thread feeder =
                Thread.ofVirtual()
                        .start(() -> {
                            try (OutputStream stdin = process.getOutputStream()) {
                                stdin.write(input);
                            } catch (IOException e) {
                                // The exit status tells what went wrong.
                            }
                        });
        byte[] output = process.getInputStream().readAllBytes();
        feeder.join();
        assertThat(process.waitFor()).as(String.join(" ", command)).isZero();
        return output;
    }
}
