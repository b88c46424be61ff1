package dev.glovebox.sandbox.microvm;

import static dev.glovebox.sandbox.spi.ScratchPath.shown;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectReader;
import dev.glovebox.sandbox.BoxFiles;
import dev.glovebox.sandbox.FileRefused;
import dev.glovebox.sandbox.spi.FileTrees;
import dev.glovebox.sandbox.spi.ResultFiles;
import dev.glovebox.sandbox.spi.ScratchPath;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * The scratch directory of a guest, through its agent.
 *
 * <p>The attack: a guest that was taken over tells of files without end. The defence: no list and
 * no tree has more entries than the box may have files, nor more bytes than it may have room.
 */
final class GuestFiles implements BoxFiles {

    private static final int PLAIN = 0644;
    private static final int PERMISSIONS = 07777;
    // A name of 255 bytes, each told by an escape of six characters, and the rest of the entry.
    private static final long LONGEST_ENTRY = 2048;
    private static final long LONGEST_LIST = 64L << 20;
    // A byte that is no part of a character comes as half of one.
    private static final Pattern NO_TEXT = Pattern.compile("\\p{Cs}");
    private static final Pattern ERROR = Pattern.compile("[A-Za-z0-9 ]{1,40}");

    private final ObjectReader reader = new ObjectMapper().readerFor(JsonNode.class);
    private final Link link;
    private final long room;
    private final long inodes;
    private final FileTrees trees;

    GuestFiles(Link link, long room, long inodes) {
        this.link = link;
        this.room = room;
        this.inodes = inodes;
        this.trees = new FileTrees(this, this::write, room, inodes);
    }

    @Override
    public byte[] read(String path) {
        long most = Math.min(room, FileTrees.LARGEST_FILE);
        return checked(
                        path,
                        link.fetch(
                                "read",
                                Map.of("path", ScratchPath.checked(path), "most", most),
                                most))
                .data();
    }

    /** The result files among these. */
    ResultFiles readAll(List<String> paths) {
        return trees.read(paths);
    }

    @Override
    public void write(String path, byte[] content) {
        write(path, content, PLAIN);
    }

    private void write(String path, byte[] content, int mode) {
        if (content.length > room) {
            throw new FileRefused(shown(path) + ": ENOSPC");
        }
        Map<String, Object> request =
                Map.of("path", ScratchPath.checked(path), "size", content.length, "mode", mode);
        checked(path, link.put("write", request, content));
    }

    @Override
    public void makeDirectory(String path) {
        checked(path, link.ask("mkdir", Map.of("path", ScratchPath.checked(path))));
    }

    @Override
    public Entry stat(String path) {
        Link.Answer answer =
                checked(path, link.ask("stat", Map.of("path", ScratchPath.checked(path))));
        return entry(path, answer.reply().path("entry"));
    }

    @Override
    public List<Entry> list(String path) {
        String folder = path.isEmpty() ? path : ScratchPath.checked(path);
        long most = Math.min(LONGEST_LIST, inodes * LONGEST_ENTRY);
        Map<String, ?> request = Map.of("path", folder, "most", most);
        byte[] lines = checked(path, link.fetch("list", request, most)).data();
        String prefix = path.isEmpty() ? "" : path + "/";
        List<Entry> entries = new ArrayList<>();
        try (MappingIterator<JsonNode> all = reader.readValues(lines)) {
            while (all.hasNextValue()) {
                JsonNode one = all.nextValue();
                if (entries.size() == inodes) {
                    throw new FileRefused(shown(path) + ": the guest tells of too many files");
                }
                String name = name(one);
                String text = NO_TEXT.matcher(name).replaceAll("\ufffd");
                Entry entry = entry(prefix + text, one);
                entries.add(text.equals(name) ? entry : entry.unnamed());
            }
        } catch (IOException e) {
            throw new FileRefused(shown(path) + ": the guest tells nonsense");
        }
        entries.sort(Comparator.comparing(Entry::path));
        return List.copyOf(entries);
    }

    /** A name that a hostile guest made up must not lead anywhere when it is used as a path. */
    private static String name(JsonNode one) {
        String name = one.path("name").asText();
        if (name.contains("/")
                || name.isEmpty()
                || name.equals(".")
                || name.equals("..")
                || name.indexOf('\0') >= 0) {
            throw new FileRefused("The guest tells a name that is none: " + shown(name));
        }
        return name;
    }

    private static Entry entry(String path, JsonNode one) {
        try {
            return new Entry(
                    path,
                    Kind.valueOf(one.path("kind").asText()),
                    Math.max(0, one.path("size").asLong()),
                    one.path("mode").asInt() & PERMISSIONS,
                    Instant.EPOCH.plus(one.path("modified").asLong(), ChronoUnit.MICROS));
        } catch (IllegalArgumentException e) {
            throw new FileRefused(shown(path) + ": the guest tells nonsense");
        }
    }

    @Override
    public void move(String from, String to) {
        checked(
                from,
                link.ask(
                        "move",
                        Map.of("path", ScratchPath.checked(from), "to", ScratchPath.checked(to))));
    }

    @Override
    public void delete(String path) {
        checked(path, link.ask("delete", Map.of("path", ScratchPath.checked(path))));
    }

    @Override
    public void putTree(String directory, InputStream tar) {
        trees.put(directory, tar);
    }

    @Override
    public void getTree(String directory, OutputStream tar) {
        trees.get(directory, tar);
    }

    private static Link.Answer checked(String path, Link.Answer answer) {
        String error = answer.reply().path("error").asText();
        if (!error.isEmpty()) {
            String message =
                    shown(path)
                            + ": "
                            + (ERROR.matcher(error).matches() ? error : "the guest refused it");
            throw error.equals("ENOENT") ? FileRefused.missing(message) : new FileRefused(message);
        }
        return answer;
    }
}
