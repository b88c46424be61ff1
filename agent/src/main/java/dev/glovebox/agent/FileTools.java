package dev.glovebox.agent;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.glovebox.run.Effect.IfUnknown;
import dev.langchain4j.agent.tool.P;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.stream.Collectors;

/** Tools for the files of a run; they see no other ones. */
final class FileTools {

    static final String WRITE = "write_file";

    private static final ToolTraits TRAITS =
            ToolTraits.standard().ifUnknown(IfUnknown.REPEAT).inPrivate();

    private FileTools() {}

    record Read(
            @P("A relative path, such as data/in.csv") String path,
            @P(value = "The line to begin with", defaultValue = "1") int first_line) {}

    record Write(
            @P("A relative path, such as data/in.csv") String path,
            @P("All that is to be in the file") String content) {}

    record List(@P(value = "Only those in this directory", defaultValue = "") String directory) {}

    /** A file that was written. */
    record File(String path, byte[] content) {}

    static Tool read(Workspace workspace) {
        return Tools.with(
                Tools.of(
                        "read_file",
                        "Reads a text file of the workspace.",
                        Read.class,
                        (read, input) -> read(read, workspace.before(input))),
                TRAITS);
    }

    private static ToolOutput read(Read wanted, SortedMap<String, byte[]> files) {
        byte[] content = files.get(wanted.path());
        if (content == null) {
            return ToolOutput.error(
                    "There is no file " + Excerpt.line(wanted.path(), 80) + ". " + names(files));
        }
        try {
            String text = UTF_8.newDecoder().decode(ByteBuffer.wrap(content)).toString();
            return ToolOutput.of(
                    text.lines()
                            .skip(Math.max(0, wanted.first_line() - 1))
                            .collect(Collectors.joining("\n")));
        } catch (CharacterCodingException e) {
            return ToolOutput.error(
                    "The file has %d bytes that are not UTF-8: look at it with a program"
                            .formatted(content.length));
        }
    }

    /** Nothing is done: the record of the call is the file. */
    static Tool write(Workspace workspace) {
        return Tools.with(
                Tools.of(
                        WRITE,
                        "Writes a text file of the workspace. Programs that run later find it"
                                + " in their directory. What was in it before is lost.",
                        Write.class,
                        (write, input) -> write(write, workspace.before(input))),
                TRAITS);
    }

    private static ToolOutput write(Write wanted, SortedMap<String, byte[]> files) {
        int bytes = wanted.content().getBytes(UTF_8).length;
        return WorkspacePath.problem(wanted.path())
                .or(() -> Workspace.problem(files, wanted.path(), bytes))
                .map(ToolOutput::error)
                .orElseGet(() -> ToolOutput.of(done(wanted.path(), bytes)));
    }

    private static String done(String path, int bytes) {
        return "Wrote %d bytes to %s".formatted(bytes, path);
    }

    /** What a recorded call has written; a tool of the same name may be somebody else's. */
    static Optional<File> written(ObjectNode arguments, ToolOutput output) {
        String path = arguments.path("path").asText();
        byte[] content = arguments.path("content").asText().getBytes(UTF_8);
        return output.text().equals(done(path, content.length)) && !output.isError()
                ? Optional.of(new File(path, content))
                : Optional.empty();
    }

    static Tool list(Workspace workspace) {
        return Tools.with(
                Tools.of(
                        "list_files",
                        "Lists the files of the workspace, with their sizes in bytes.",
                        List.class,
                        (list, input) -> list(list.directory(), workspace.before(input))),
                TRAITS);
    }

    private static String list(String directory, SortedMap<String, byte[]> files) {
        String prefix =
                directory.isEmpty() || directory.equals(".") || directory.endsWith("/")
                        ? directory.replaceFirst("^\\.$", "")
                        : directory + "/";
        String found =
                files.entrySet().stream()
                        .filter(file -> file.getKey().startsWith(prefix))
                        .map(file -> file.getKey() + " " + file.getValue().length)
                        .collect(Collectors.joining("\n"));
        return found.isEmpty() ? "There are no files" : found;
    }

    private static String names(Map<String, byte[]> files) {
        return files.isEmpty()
                ? "There are no files"
                : "There are " + Excerpt.line(String.join(", ", files.keySet()), 1_000);
    }
}
