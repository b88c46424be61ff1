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
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Tools for the files of a run; they see no other ones. */
final class FileTools {

    static final String WRITE = "write_file";

    private static final String READ = "read_file";
    private static final byte[] NONE = {};

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
    record File(String path, byte[] content) {

        /** What a call wants to be one. */
        static File of(ObjectNode arguments) {
            return new File(
                    arguments.path("path").asText(),
                    arguments.path("content").asText().getBytes(UTF_8));
        }
    }

    static Tool read(FilePolicy policy, Workspace workspace) {
        return Tools.with(
                Tools.of(
                        READ,
                        "Reads a text file of the workspace." + policy.words(),
                        Read.class,
                        (read, input) -> read(read, policy, workspace.before(input))),
                TRAITS);
    }

    private static ToolOutput read(
            Read wanted, FilePolicy policy, SortedMap<String, byte[]> files) {
        byte[] content = files.getOrDefault(wanted.path(), NONE);
        Optional<JsonProblem> refused =
                policy.aboutPath(wanted.path()).or(() -> policy.aboutSize("/path", content.length));
        if (refused.isPresent()) {
            return refused(READ, refused.get());
        }
        if (!files.containsKey(wanted.path())) {
            return ToolOutput.error(
                    "There is no file "
                            + Excerpt.line(wanted.path(), 80)
                            + ". "
                            + names(allowed(policy, files)));
        }
        try {
            String text = UTF_8.newDecoder().decode(ByteBuffer.wrap(content)).toString();
            return ToolOutput.of(
                    text.lines()
                            .skip(Math.max(1, wanted.first_line()) - 1)
                            .collect(Collectors.joining("\n")));
        } catch (CharacterCodingException e) {
            return ToolOutput.error(
                    "The file has %d bytes that are not UTF-8: look at it with a program"
                            .formatted(content.length));
        }
    }

    /** Nothing is done: the record of the call is the file. */
    static Tool write(FilePolicy policy, Workspace workspace) {
        return Tools.with(
                Tools.of(
                        WRITE,
                        "Writes a text file of the workspace. Programs that run later find it"
                                + " in their directory. What was in it before is lost."
                                + policy.words(),
                        Write.class,
                        (write, input) -> write(write, policy, workspace, input)),
                TRAITS);
    }

    private static ToolOutput write(
            Write wanted, FilePolicy policy, Workspace workspace, ToolInput input) {
        File file = new File(wanted.path(), wanted.content().getBytes(UTF_8));
        return problem(Map.of(), file, policy)
                .or(() ->
                        problem(
                                workspace.beside(
                                        input,
                                        (files, other) -> problem(files, other, policy).isEmpty()),
                                file,
                                policy))
                .orElseGet(() ->
                        ToolOutput.wrote(
                                "Wrote %d bytes to %s"
                                        .formatted(file.content().length, file.path())));
    }

    /** Why a file cannot be added to others, by a policy. */
    private static Optional<ToolOutput> problem(
            Map<String, byte[]> files, File file, FilePolicy policy) {
        String path = file.path();
        int bytes = file.content().length;
        return WorkspacePath.problem(path)
                .or(() -> Workspace.problem(files, path, bytes))
                .map(ToolOutput::error)
                .or(() ->
                        policy.aboutPath(path)
                                .or(() -> policy.aboutSize("/content", bytes))
                                .or(() -> policy.aboutRoom(files, path, bytes))
                                .map(problem -> refused(WRITE, problem)));
    }

    private static ToolOutput refused(String tool, JsonProblem problem) {
        ObjectNode error =
                JsonProblems.of(problem)
                        .error("The policy of the tool does not allow it, so nothing was done");
        return ToolOutput.error(error.put("tool", tool).toString());
    }

    static Tool list(FilePolicy policy, Workspace workspace) {
        return Tools.with(
                Tools.of(
                        "list_files",
                        "Lists the files of the workspace, with their sizes in bytes."
                                + policy.words(),
                        List.class,
                        (list, input) ->
                                list(
                                        list.directory(),
                                        policy.mostFiles(),
                                        allowed(policy, workspace.before(input)))),
                TRAITS);
    }

    private static String list(String directory, int most, SortedMap<String, byte[]> files) {
        String prefix =
                directory.isEmpty() || directory.equals(".") || directory.endsWith("/")
                        ? directory.replaceFirst("^\\.$", "")
                        : directory + "/";
        java.util.List<String> found =
                files.entrySet().stream()
                        .filter(file -> file.getKey().startsWith(prefix))
                        .map(file -> file.getKey() + " " + file.getValue().length)
                        .toList();
        if (found.isEmpty()) {
            return "There are no files";
        }
        String listed = found.stream().limit(most).collect(Collectors.joining("\n"));
        return found.size() <= most
                ? listed
                : listed + "\n[%d more are not listed]".formatted(found.size() - most);
    }

    /** Those that the tool may know of. */
    private static SortedMap<String, byte[]> allowed(
            FilePolicy policy, SortedMap<String, byte[]> files) {
        SortedMap<String, byte[]> allowed = new TreeMap<>(files);
        allowed.keySet().removeIf(path -> !policy.allows(path));
        return allowed;
    }

    private static String names(Map<String, byte[]> files) {
        return files.isEmpty()
                ? "There are no files"
                : "There are " + Excerpt.line(String.join(", ", files.keySet()), 1_000);
    }
}
