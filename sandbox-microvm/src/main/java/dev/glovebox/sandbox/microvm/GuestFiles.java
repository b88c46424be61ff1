package dev.glovebox.sandbox.microvm;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.glovebox.sandbox.BoxFiles;
import dev.glovebox.sandbox.FileRefused;
import dev.glovebox.sandbox.spi.TarReader;
import dev.glovebox.sandbox.spi.TarWriter;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/** The scratch directory of a guest, through its agent. */
final class GuestFiles implements BoxFiles {

    private static final int PLAIN = 0644;
    private static final int DEEPEST = 512;
    private static final int PERMISSIONS = 07777;
    private static final long LONGEST_LIST = 64L << 20;
    private static final Pattern ERROR = Pattern.compile("[A-Za-z ]{1,40}");

    private final ObjectMapper json = new ObjectMapper();
    private final Link link;
    private final long room;

    GuestFiles(Link link, long room) {
        this.link = link;
        this.room = room;
    }

    @Override
    public byte[] read(String path) {
        return checked(path, link.fetch("read", Map.of("path", plain(path), "most", room), room))
                .data();
    }

    /** The regular files among these that are there. */
    Map<String, byte[]> readAll(List<String> paths) {
        Map<String, byte[]> files = new TreeMap<>();
        for (String path : paths) {
            try {
                files.put(path, read(path));
            } catch (FileRefused e) {
                // Not made, or nothing that may be read.
            }
        }
        return files;
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
                Map.of("path", plain(path), "size", content.length, "mode", mode);
        checked(path, link.put("write", request, content));
    }

    @Override
    public void makeDirectory(String path) {
        checked(path, link.ask("mkdir", Map.of("path", plain(path))));
    }

    @Override
    public Entry stat(String path) {
        Link.Answer answer = checked(path, link.ask("stat", Map.of("path", plainOrRoot(path))));
        return entry(path, answer.reply().path("entry"));
    }

    @Override
    public List<Entry> list(String path) {
        Map<String, String> request = Map.of("path", plainOrRoot(path));
        byte[] lines = checked(path, link.fetch("list", request, LONGEST_LIST)).data();
        String prefix = path.isEmpty() ? "" : path + "/";
        List<Entry> entries = new ArrayList<>();
        try {
            for (String line : new String(lines, StandardCharsets.UTF_8).split("\n")) {
                if (!line.isEmpty()) {
                    JsonNode one = json.readTree(line);
                    entries.add(entry(prefix + name(one), one));
                }
            }
        } catch (IOException e) {
            throw new FileRefused(shown(path) + ": the guest tells nonsense");
        }
        return List.copyOf(entries);
    }

    /** A name that a hostile guest made up must not lead anywhere when it is used as a path. */
    private static String name(JsonNode one) {
        String name = one.path("name").asText();
        if (name.contains("/") || name.isEmpty() || name.equals(".") || name.equals("..")) {
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
        checked(from, link.ask("move", Map.of("path", plain(from), "to", plain(to))));
    }

    @Override
    public void delete(String path) {
        checked(path, link.ask("delete", Map.of("path", plain(path))));
    }

    @Override
    public void putTree(String directory, InputStream tar) {
        String prefix = directory.isEmpty() ? "" : plain(directory) + "/";
        try {
            TarReader reader = new TarReader(tar, room);
            for (TarReader.Member member = reader.next(); member != null; member = reader.next()) {
                if (member.directory()) {
                    makeDirectory(prefix + member.path());
                } else {
                    write(prefix + member.path(), member.content(), member.mode());
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void getTree(String directory, OutputStream tar) {
        try {
            TarWriter writer = new TarWriter(tar);
            addTree(writer, directory, "", 0);
            writer.finish();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void addTree(TarWriter writer, String directory, String prefix, int depth)
            throws IOException {
        if (depth > DEEPEST) {
            throw new FileRefused(shown(directory) + " is nested too deeply");
        }
        for (Entry entry : list(directory)) {
            String path = prefix + entry.path().substring(entry.path().lastIndexOf('/') + 1);
            if (entry.kind() == Kind.DIRECTORY) {
                writer.directory(path, entry.modified());
                addTree(writer, entry.path(), path + "/", depth + 1);
            } else if (entry.kind() == Kind.FILE) {
                byte[] content;
                try {
                    content = read(entry.path());
                } catch (FileRefused e) {
                    continue; // deleted or replaced meanwhile by a running program
                }
                writer.file(path, entry.modified(), entry.mode(), content);
            }
        }
    }

    private static Link.Answer checked(String path, Link.Answer answer) {
        String error = answer.reply().path("error").asText();
        if (!error.isEmpty()) {
            throw new FileRefused(
                    shown(path)
                            + ": "
                            + (ERROR.matcher(error).matches() ? error : "the guest refused it"));
        }
        return answer;
    }

    private static String plainOrRoot(String path) {
        return path.isEmpty() ? path : plain(path);
    }

    private static String plain(String path) {
        if (path.isEmpty()
                || path.startsWith("/")
                || path.indexOf('\0') >= 0
                || path.length() > 4096
                || !StandardCharsets.UTF_8.newEncoder().canEncode(path)) {
            throw new FileRefused(shown(path) + " is not a path relative to the scratch directory");
        }
        for (String part : path.split("/", -1)) {
            if (part.isEmpty() || part.equals(".") || part.equals("..")) {
                throw new FileRefused(
                        shown(path) + " is not a plain path: '" + part + "' is not a name");
            }
        }
        return path;
    }

    private static String shown(String path) {
        return "'" + path.replaceAll("\\p{Cntrl}", "?") + "'";
    }
}
