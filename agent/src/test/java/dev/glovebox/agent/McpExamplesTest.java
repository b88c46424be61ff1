package dev.glovebox.agent;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.glovebox.run.Call;
import dev.glovebox.run.Cost;
import dev.glovebox.run.Done;
import dev.glovebox.run.Effect;
import dev.glovebox.run.Effect.IfUnknown;
import dev.glovebox.run.Graph;
import dev.glovebox.run.Run;
import dev.glovebox.run.Runs;
import dev.glovebox.run.Status;
import dev.glovebox.trace.MemoryStore;
import dev.glovebox.trace.Trace;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The examples of {@code docs/mcp-tools.md}, and a run that uses a tool of a server. */
@Timeout(value = 5, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class McpExamplesTest {

    @Test
    void aProcess(@TempDir Path folder) throws Exception {
        String command = "node";
        List<String> arguments = List.of(ReferenceServers.script("filesystem"), folder.toString());
        try (McpTools files = McpTools.stdio(command, arguments, Map.of("LOG_LEVEL", "warn"))) {
            Toolbox tools = Toolbox.of(files.tools());
            assertThat(tools.names()).contains("read_text_file");
        }
    }

    @Test
    void byHttp() throws Exception {
        try (ReferenceServers.Listening server = ReferenceServers.Listening.start()) {
            server.open(Map.of()).close(); // it listens now
            URI address = server.address();
            String key = "a key";
            try (McpTools web = McpTools.http(address, Map.of("Authorization", "Bearer " + key))) {
                Toolbox tools = Toolbox.of(web.tools());
                assertThat(tools.names()).contains("echo");
            }
        }
    }

    @Test
    void options(@TempDir Path folder) throws Exception {
        ToolTraits ask = ToolTraits.standard().ifUnknown(IfUnknown.ASK);
        McpOptions options =
                McpOptions.standard()
                        .prefix("files_")
                        .within(Duration.ofMinutes(2)) // npx may have to download it first
                        .traits("files_write_file", ask);
        try (McpTools files = ReferenceServers.filesystem(folder, options)) {
            assertThat(McpCalls.tool(files, "files_write_file").traits()).isEqualTo(ask);
        }
    }

    record Note(String path, String text) {}

    /** Reads a file with a tool. */
    record Read(Tool tool, String arguments) implements Effect<String, String> {

        @Override
        public String kind() {
            return "tool";
        }

        @Override
        public String name() {
            return tool.offer().name();
        }

        @Override
        public Class<String> resultType() {
            return String.class;
        }

        @Override
        public IfUnknown ifUnknown() {
            return tool.traits().ifUnknown();
        }

        @Override
        public Done<String> perform(Call call) throws Exception {
            ToolInput input =
                    new ToolInput(
                            JsonNodeFactory.instance.objectNode().put("path", arguments),
                            "reader",
                            call);
            return Done.of(tool.call(input).text(), Cost.NONE.toolCalls(1));
        }
    }

    @Test
    void aRunUsesAToolOfAServerAndIsReplayedWithoutIt(@TempDir Path home) throws Exception {
        Path folder = Files.createDirectory(home.toRealPath().resolve("files"));
        Path file = Files.writeString(folder.resolve("note.txt"), "gloves");
        try (Trace trace = Trace.open(new MemoryStore(), home);
                Runs runs = Runs.in(trace)) {
            Graph<Note> graph;
            Run<Note> run;
            try (McpTools files = ReferenceServers.filesystem(folder, McpOptions.standard())) {
                Tool tool = McpCalls.tool(files, "read_text_file");
                graph =
                        Graph.of("note", Note.class)
                                .node(
                                        "read",
                                        (state, context) ->
                                                new Note(
                                                        state.path(),
                                                        context.perform(
                                                                new Read(tool, state.path()))))
                                .edge("read", Graph.END)
                                .build();
                run = runs.start(graph, new Note(file.toString(), ""), "Read a note");
                Status.Finished<Note> end = (Status.Finished<Note>) run.await();
                assertThat(end.state().text()).isEqualTo("gloves");
            }
            assertThat(runs.replay(graph, run.name()).isFaithful()).isTrue();
        }
    }
}
