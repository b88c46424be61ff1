package dev.glovebox.telemetry;

import static dev.glovebox.telemetry.Receiver.attributes;
import static org.assertj.core.api.Assertions.assertThat;

import dev.glovebox.agent.Agent;
import dev.glovebox.agent.Conversation;
import dev.glovebox.agent.Model;
import dev.glovebox.agent.Models;
import dev.glovebox.agent.Team;
import dev.glovebox.agent.Tool;
import dev.glovebox.agent.ToolCall;
import dev.glovebox.agent.Tools;
import dev.glovebox.agent.support.AnthropicServer;
import dev.glovebox.agent.support.GoogleServer;
import dev.glovebox.agent.support.OllamaServer;
import dev.glovebox.agent.support.OpenAiServer;
import dev.glovebox.agent.support.Turn;
import dev.glovebox.agent.support.VendorServer;
import dev.glovebox.run.Price;
import dev.glovebox.run.Prices;
import dev.glovebox.run.Run;
import dev.glovebox.run.RunOptions;
import dev.glovebox.run.Runs;
import dev.glovebox.trace.Entry;
import dev.glovebox.trace.MemoryStore;
import dev.glovebox.trace.Subscription;
import dev.glovebox.trace.Trace;
import io.opentelemetry.proto.trace.v1.Span;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CyclicBarrier;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What a receiver gets to see of real agents, which ask vendors' servers with their clients; and
 * the examples of {@code docs/telemetry.md}.
 */
class AgentSpansTest extends SentSpans {

    private static final String KEY = "a-key-of-ours";
    private static final Map<String, String> KEYS =
            Map.of("ANTHROPIC_API_KEY", KEY, "GOOGLE_API_KEY", KEY, "OPENAI_API_KEY", KEY);
    private static final List<String> VENDORS = List.of("anthropic", "google", "ollama", "openai");

    private static final Path PAGE = Path.of("../docs/telemetry.md");

    private static final String CHAT = "chat test";
    private static final String ADDED = "execute_tool add";
    private static final Turn ADDS = Turn.calls("add", "{\"a\":40,\"b\":2}");

    private record Sum(int a, int b) {}

    private record Total(int total) {}

    private static final Tool ADD =
            Tools.of("add", "Adds two numbers", Sum.class, sum -> sum.a() + sum.b());

    @TempDir private Path home;

    private static VendorServer server(String vendor, Turn... turns) {
        return switch (vendor) {
            case "anthropic" -> AnthropicServer.start(turns);
            case "google" -> GoogleServer.start(turns);
            case "ollama" -> OllamaServer.start(turns);
            default -> OpenAiServer.start(turns);
        };
    }

    private static Agent.Builder agent(String vendor, VendorServer server) {
        Model model = Models.open(vendor + ":test@" + server.address(), KEYS);
        return Agent.named("adder", model).tools(ADD);
    }

    private void run(Agent agent) {
        Map<String, String> environment = receiver.environment();
        try (Trace trace = Trace.open(new MemoryStore(), home)) {
            try (Telemetry telemetry = Telemetry.fromEnvironment(environment, trace::blob);
                    Runs runs = Runs.in(trace)) {
                Run<Conversation> run = agent.start(runs, "Add 40 and 2", RunOptions.titled("sum"));
                try (Subscription spans = trace.follow(run.name(), telemetry)) {
                    if (run.await().stop().isPresent()) {
                        spans.ended().join();
                    }
                }
            }
        }
    }

    private List<Map<String, Object>> all(String name) {
        return receiver.spans().stream()
                .filter(span -> span.getName().equals(name))
                .sorted(Comparator.comparingLong(Span::getStartTimeUnixNano))
                .map(span -> attributes(span.getAttributesList()))
                .toList();
    }

    @ParameterizedTest
    @ValueSource(strings = {"anthropic", "google", "ollama", "openai"})
    void a_question_to_a_vendor_has_the_attributes_of_the_conventions(String vendor) {
        try (VendorServer server = server(vendor, ADDS, Turn.says("It is 42."))) {
            run(agent(vendor, server).build());

            assertThat(all(CHAT)).hasSize(2);
            assertThat(all(CHAT).getFirst())
                    .containsEntry("gen_ai.operation.name", "chat")
                    .containsEntry("gen_ai.agent.name", "adder")
                    .containsEntry("gen_ai.provider.name", vendor)
                    .containsEntry("gen_ai.request.model", "test")
                    .containsEntry("gen_ai.request.max_tokens", 4096L)
                    .containsEntry("gen_ai.request.stream", true)
                    .containsEntry("gen_ai.response.model", "test")
                    .containsEntry("gen_ai.response.finish_reasons", List.of("tool_call"))
                    .containsEntry("gen_ai.usage.input_tokens", 100L)
                    .containsEntry("gen_ai.usage.output_tokens", 20L)
                    .containsEntry("server.address", "localhost")
                    .containsEntry("server.port", (long) server.address().getPort())
                    .hasEntrySatisfying(
                            "gen_ai.response.time_to_first_chunk",
                            seconds -> assertThat((Double) seconds).isPositive())
                    .doesNotContainKeys("gen_ai.output.type", "error.type");
            assertThat(all(CHAT).getLast())
                    .containsEntry("gen_ai.response.finish_reasons", List.of("stop"));
            assertThat(of(ADDED))
                    .containsEntry("gen_ai.tool.type", "function")
                    .containsEntry("gen_ai.tool.description", "Adds two numbers")
                    .containsKey("gen_ai.tool.call.id");
            assertThat(receiver.resourceSpans().toString()).doesNotContain(KEY, "40 and 2");
        }
    }

    @Test
    void tools_that_one_answer_wants_at_once_have_a_span_each() {
        int count = 3;
        CyclicBarrier together = new CyclicBarrier(count);
        Tool meeting =
                Tools.of(
                        "add",
                        "Adds when all are there",
                        Sum.class,
                        (sum, input) -> {
                            together.await();
                            return sum.a() + sum.b();
                        });
        List<ToolCall> calls =
                IntStream.range(0, count)
                        .mapToObj(
                                i -> new ToolCall("call-" + i, "add", "{\"a\":40,\"b\":" + i + "}"))
                        .toList();
        try (VendorServer server =
                server("openai", new Turn.Says("", calls, false), Turn.says("All are added."))) {
            Model model = Models.open("openai:test@" + server.address(), KEYS);
            run(Agent.named("adder", model).tools(meeting).build());

            List<Span> spans =
                    receiver.spans().stream().filter(span -> span.getName().equals(ADDED)).toList();
            assertThat(spans).hasSize(count).extracting(Span::getSpanId).doesNotHaveDuplicates();
            assertThat(all(ADDED))
                    .extracting(span -> span.get("gen_ai.tool.call.id"))
                    .doesNotHaveDuplicates();
            // Each was begun before any was done.
            assertThat(spans.stream().mapToLong(Span::getStartTimeUnixNano).max().orElseThrow())
                    .isLessThanOrEqualTo(
                            spans.stream().mapToLong(Span::getEndTimeUnixNano).min().orElseThrow());
        }
    }

    @Test
    void a_question_that_nobody_answered_tells_where_it_was_asked_and_what_was_wrong() {
        try (VendorServer server = server("openai", Turn.fails(401, "no such key"))) {
            run(agent("openai", server).build());

            assertThat(of(CHAT))
                    .containsEntry("server.address", "localhost")
                    .containsEntry("server.port", (long) server.address().getPort())
                    .containsEntry("error.type", "invalid-key")
                    .doesNotContainKeys("gen_ai.response.finish_reasons", "gen_ai.request.stream");
        }
    }

    @Test
    void a_run_that_is_one_agents_is_an_invocation_of_it() {
        try (VendorServer server = server("openai", ADDS, Turn.says("It is 42."))) {
            run(agent("openai", server).build());

            assertThat(of("invoke_agent adder"))
                    .containsEntry("gen_ai.operation.name", "invoke_agent")
                    .containsEntry("gen_ai.agent.name", "adder")
                    .containsEntry("gen_ai.provider.name", "openai")
                    .containsEntry("glovebox.stop", "completed");
            assertThat(receiver.has("gen_ai.invoke_agent.duration")).isTrue();
            assertThat(receiver.has("gen_ai.workflow.duration")).isFalse();
        }
    }

    @Test
    void a_team_is_a_workflow_even_if_it_has_the_name_of_one_of_its_agents() {
        try (VendorServer server = server("openai", ADDS, Turn.says("It is 42."))) {
            Team team = Team.sequence("adder", agent("openai", server).build());
            try (Trace trace = Trace.open(new MemoryStore(), home);
                    Runs runs = Runs.in(trace)) {
                Run<?> run = team.start(runs, "Add 40 and 2", RunOptions.titled("sum"));
                run.await();
                send(trace::blob, List.of(trace.entries(run.name(), 0).toList()));
            }

            assertThat(of("invoke_workflow adder"))
                    .containsEntry("gen_ai.operation.name", "invoke_workflow")
                    .doesNotContainKey("gen_ai.agent.name");
            assertThat(receiver.has("gen_ai.workflow.duration")).isTrue();
            assertThat(receiver.has("gen_ai.invoke_agent.duration")).isFalse();
        }
    }

    @Test
    void all_that_the_page_promises_is_sent() throws IOException {
        for (String vendor : VENDORS) {
            try (VendorServer server =
                    server(vendor, ADDS, Turn.says("{\"total\":42}"), Turn.fails(401, "no"))) {
                Agent agent =
                        agent(vendor, server)
                                .output(Total.class)
                                .prices(
                                        Prices.none()
                                                .with(vendor + ":test", Price.of("1", "0.1", "2")))
                                .build();
                run(agent);
                run(agent);
            }
        }
        Tool broken =
                Tools.of(
                        "add",
                        "Adds",
                        Sum.class,
                        sum -> {
                            throw new IllegalStateException("out of order");
                        });
        try (VendorServer server = server("openai", ADDS, Turn.says("I cannot."))) {
            Model model = Models.open("openai:test@" + server.address(), KEYS);
            run(Agent.named("adder", model).tools(broken).build());
        }

        assertThat(keys(CHAT)).containsAll(promised("model"));
        assertThat(keys(ADDED)).containsAll(promised("tool"));
        assertThat(keys("invoke_agent adder")).containsAll(promised("run"));
    }

    private Set<String> keys(String span) {
        Set<String> keys = new TreeSet<>();
        all(span).forEach(attributes -> keys.addAll(attributes.keySet()));
        return keys;
    }

    /** The attributes in the tables of a section. */
    private static List<String> promised(String kind) throws IOException {
        String section = Files.readString(PAGE).split("\n### `" + kind + "`\n")[1].split("\n#")[0];
        List<String> names =
                section.lines()
                        .filter(line -> line.startsWith("| ") && !line.endsWith("| attribute |"))
                        .map(line -> line.split(" \\| ")[1])
                        .flatMap(cell -> found("`([^`]+)`", cell))
                        .toList();
        assertThat(names).isNotEmpty();
        return names;
    }

    private static Stream<String> found(String pattern, String text) {
        return Pattern.compile(pattern, Pattern.DOTALL)
                .matcher(text)
                .results()
                .map(one -> one.group(1));
    }

    @Test
    void a_run_of_last_week_can_be_sent_as_well() {
        MemoryStore store = new MemoryStore();
        List<Entry> entries = coder("run-1").entries();
        Map<String, String> environment = receiver.environment();

        try (Telemetry telemetry = Telemetry.fromEnvironment(environment, store::blob)) {
            entries.forEach(telemetry);
        }

        assertThat(receiver.span("invoke_workflow coder")).isNotNull();
    }
}
