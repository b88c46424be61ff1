package dev.glovebox.coder;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.glovebox.trace.Blob;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.zip.GZIPInputStream;

/**
 * Problems to try a coder on.
 *
 * @param digest of all their bytes
 */
public record Corpus(List<CorpusTask> tasks, String digest) {

    private static final int LONGEST_LINE = 1 << 20;
    private static final int MOST_BYTES = 256 << 20;
    private static final Pattern ID = Pattern.compile("[\\w./:+-]{1,100}");
    private static final Pattern NAME = Pattern.compile("[A-Za-z_]\\w{0,99}");
    private static final JsonMapper JSON =
            JsonMapper.builder().enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS).build();

    public Corpus {
        tasks = List.copyOf(tasks);
    }

    /**
     * Reads one problem from each line of a file, plain or compressed with gzip.
     *
     * @throws IllegalArgumentException if it cannot be used, with the line and the reason
     */
    public static Corpus read(Path file) {
        try (InputStream raw = new BufferedInputStream(Files.newInputStream(file));
                InputStream in = plain(raw)) {
            return new Reader(file.getFileName().toString()).read(in);
        } catch (NoSuchFileException e) {
            throw new IllegalArgumentException("The corpus " + file + " does not exist", e);
        } catch (IOException e) {
            throw new IllegalArgumentException(
                    "The corpus " + file + " cannot be read: " + e.getMessage(), e);
        }
    }

    /** The first ones. */
    public Corpus limit(int most) {
        return new Corpus(tasks.subList(0, Math.min(most, tasks.size())), digest);
    }

    private static InputStream plain(InputStream raw) throws IOException {
        raw.mark(2);
        boolean packed = raw.read() == 0x1f && raw.read() == 0x8b;
        raw.reset();
        return packed ? new BufferedInputStream(new GZIPInputStream(raw)) : raw;
    }

    /** Goes through the lines. */
    private static final class Reader {
        private final String name;
        private final List<CorpusTask> tasks = new ArrayList<>();
        private final Map<String, Integer> seen = new HashMap<>();
        private final ByteArrayOutputStream all = new ByteArrayOutputStream();
        private int number;

        Reader(String name) {
            this.name = name;
        }

        Corpus read(InputStream in) throws IOException {
            ByteArrayOutputStream line = new ByteArrayOutputStream();
            number = 1;
            for (int next = in.read(); next >= 0; next = in.read()) {
                if (next == '\n') {
                    take(line.toByteArray());
                    line.reset();
                    number++;
                } else if (line.size() == LONGEST_LINE) {
                    throw bad("it is longer than " + LONGEST_LINE + " bytes");
                } else {
                    line.write(next);
                }
            }
            take(line.toByteArray());
            if (tasks.isEmpty()) {
                throw new IllegalArgumentException("There is no problem in " + name);
            }
            return new Corpus(tasks, Blob.of(all.toByteArray()).digest());
        }

        private void take(byte[] bytes) {
            String line = text(bytes);
            if (line.isBlank()) {
                return;
            }
            if (all.size() + bytes.length > MOST_BYTES) {
                throw bad("the corpus is larger than " + MOST_BYTES + " bytes");
            }
            all.writeBytes(bytes);
            all.write('\n');
            CorpusTask task = task(line);
            Integer before = seen.put(task.id(), number);
            if (before != null) {
                throw bad("its task_id " + task.id() + " is that of line " + before);
            }
            tasks.add(task);
        }

        private String text(byte[] bytes) {
            try {
                return StandardCharsets.UTF_8
                        .newDecoder()
                        .decode(ByteBuffer.wrap(bytes))
                        .toString();
            } catch (CharacterCodingException e) {
                throw bad("it is not UTF-8");
            }
        }

        private CorpusTask task(String line) {
            JsonNode object;
            try {
                object = JSON.readTree(line);
            } catch (JsonProcessingException e) {
                throw bad("it is not JSON: " + e.getOriginalMessage());
            }
            if (!object.isObject()) {
                throw bad("it is not an object");
            }
            String id = member(object, "task_id");
            if (!ID.matcher(id).matches()) {
                throw bad("its task_id is not a short word");
            }
            String entry = member(object, "entry_point");
            if (!NAME.matcher(entry).matches()) {
                throw bad("its entry_point is not the name of a function");
            }
            return new CorpusTask(
                    id,
                    member(object, "prompt"),
                    entry,
                    member(object, "canonical_solution"),
                    member(object, "test"));
        }

        private String member(JsonNode object, String member) {
            JsonNode value = object.path(member);
            if (!value.isTextual() || value.textValue().isBlank()) {
                throw bad("it has no text as its " + member);
            }
            return value.textValue();
        }

        private IllegalArgumentException bad(String why) {
            return new IllegalArgumentException(
                    "Line %d of %s is no problem: %s".formatted(number, name, why));
        }
    }
}
