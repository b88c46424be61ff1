package dev.glovebox.agent;

import static dev.glovebox.agent.Vendors.model;
import static dev.glovebox.agent.Vendors.server;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import dev.glovebox.agent.support.Jail;
import dev.glovebox.agent.support.Turn;
import dev.glovebox.agent.support.VendorServer;
import dev.glovebox.run.OpenQuestion;
import dev.glovebox.run.Run;
import dev.glovebox.run.RunOptions;
import dev.glovebox.run.Runs;
import dev.glovebox.run.Status;
import dev.glovebox.run.StopReason;
import dev.glovebox.sandbox.Policy;
import dev.glovebox.sandbox.Program;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/** What agents do besides thinking, when the real client of a vendor says what they want. */
@ParameterizedClass
@ValueSource(strings = {"anthropic", "google", "ollama", "openai"})
class VendorToolsTest {

    private record Sum(int a, int b) {}

    private final String vendor;
    @AutoClose private final Engine engine = new Engine();

    VendorToolsTest(String vendor) {
        this.vendor = vendor;
    }

    @Test
    void programsRunInBoxesAndOneJudgesTheAnswer() {
        Jail.assumed();
        Policy policy = Policy.denyAll().wall(ofSeconds(10));
        try (VendorServer server =
                server(
                        vendor,
                        Turn.calls("write_file", "{\"path\":\"n.txt\",\"content\":\"40 2\"}"),
                        Turn.calls(
                                "run_python",
                                "{\"code\":\"print(sum(map(int, open('n.txt').read().split())))\"}"),
                        Turn.says("It is 41."),
                        Turn.says("It is 42."))) {
            Agent analyst =
                    Agent.named("analyst", model(vendor, server))
                            .tools(BuiltInTools.all(policy, Workspace.of(engine.trace())))
                            .validators(
                                    Validators.program(
                                            policy,
                                            Program.bash("grep 42 || { echo no; exit 1; }")))
                            .build();

            TaskResult result = analyst.run(engine.runs(), "Add the numbers.");

            assertThat(result.stop()).isEqualTo(new StopReason.Completed());
            assertThat(result.text()).isEqualTo("It is 42.");
            assertThat(Engine.results(result).get(1)).isEqualTo("outcome: exited 0\nstdout:\n42");
            assertThat(server.requests().getLast().toString()).contains("did not exit with 0");
            assertThat(server.problems()).isEmpty();
            assertThat(engine.runs().replay(analyst.graph(), result.run()).isFaithful()).isTrue();
        }
    }

    @Test
    void aPersonIsAskedBeforeACallThatIsThenMadeOnce() {
        AtomicInteger made = new AtomicInteger();
        Tool add =
                Tools.of(
                        "add",
                        "Adds",
                        Sum.class,
                        sum -> {
                            made.incrementAndGet();
                            return sum.a() + sum.b();
                        });
        ToolRules rules = ToolRules.denyAll().rule("add").ask();
        try (VendorServer server =
                        server(
                                vendor,
                                Turn.calls("add", "{\"a\":40,\"b\":2}"),
                                Turn.says("It is 42."));
                Runs runs = Runs.in(engine.trace(), rules)) {
            Agent clerk = Agent.named("clerk", model(vendor, server)).tools(add).build();
            Run<Conversation> run = clerk.start(runs, "Add.", RunOptions.titled("x"));
            assertThat(run.await()).isInstanceOf(Status.Waiting.class);
            assertThat(made).hasValue(0);
            for (OpenQuestion question : runs.questions(run.name())) {
                assertThat(question.question().text())
                        .isEqualTo("May the agent clerk use the tool add? {\"b\":2,\"a\":40}");
                runs.answer(run.name(), question.key(), "yes", "anna@example.com");
            }

            assertThat(Agent.result(run).text()).isEqualTo("It is 42.");
            assertThat(made).hasValue(1);
            assertThat(server.problems()).isEmpty();
        }
    }

    @Test
    void aToolThatThrowsHangsOrSaysTooMuchEndsNothing() {
        Tool throwing =
                Tools.of(
                        "throwing",
                        "Throws",
                        Sum.class,
                        sum -> {
                            throw new IllegalStateException("out of order");
                        });
        Tool hanging =
                Tools.of(
                        "hanging",
                        "Hangs",
                        Sum.class,
                        sum -> {
                            Thread.sleep(ofSeconds(100));
                            return "";
                        });
        Tool talking = Tools.of("talking", "Talks", Sum.class, sum -> "x".repeat(1_000_000));
        String sum = "{\"a\":1,\"b\":1}";
        try (VendorServer server =
                server(
                        vendor,
                        Turn.calls(
                                new ToolCall("1", "throwing", sum),
                                new ToolCall("2", "hanging", sum),
                                new ToolCall("3", "talking", sum)),
                        Turn.says("None of them works."))) {
            Agent clerk =
                    Agent.named("clerk", model(vendor, server))
                            .tools(throwing, talking)
                            .tools(Tools.with(hanging, hanging.traits().within(ofMillis(100))))
                            .build();

            TaskResult result = clerk.run(engine.runs(), "Try them.");

            assertThat(result.text()).isEqualTo("None of them works.");
            assertThat(Engine.results(result).get(0)).contains("out of order");
            assertThat(Engine.results(result).get(1)).contains("nobody knows whether it did");
            assertThat(Engine.results(result).get(2)).startsWith("xxx").hasSizeLessThan(70_000);
            assertThat(server.requests().getLast().toString()).contains("out of order");
            assertThat(server.problems()).isEmpty();
        }
    }

    @Test
    void aToolOfAnMcpServerIsUsedAndTheRunIsReplayedWithoutIt(@TempDir Path home) throws Exception {
        Path folder = Files.createDirectory(home.toRealPath().resolve("files"));
        Path file = Files.writeString(folder.resolve("note.txt"), "buy gloves");
        Agent reader;
        TaskResult result;
        try (McpTools files = ReferenceServers.filesystem(folder, McpOptions.standard());
                VendorServer server =
                        server(
                                vendor,
                                Turn.calls("read_text_file", "{\"file\":\"note.txt\"}"),
                                Turn.calls("read_text_file", "{\"path\":\"" + file + "\"}"),
                                Turn.calls("read_text_file", "{\"path\":\"/etc/passwd\"}"),
                                Turn.says("To buy gloves."))) {
            reader = Agent.named("reader", model(vendor, server)).tools(files.tools()).build();
            result = reader.run(engine.runs(), "What is in the note?");
            assertThat(server.problems()).isEmpty();
        }
        assertThat(result.text()).isEqualTo("To buy gloves.");
        assertThat(Engine.results(result).get(0)).contains("\"field\":\"/path\"");
        assertThat(Engine.results(result).get(1)).isEqualTo("buy gloves");
        assertThat(Engine.results(result).get(2)).contains("denied");
        assertThat(engine.runs().replay(reader.graph(), result.run()).isFaithful()).isTrue();
    }
}
