package dev.glovebox.agent;

import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import dev.glovebox.agent.TaskHandler.Report;
import dev.glovebox.agent.TaskHandler.Task;
import dev.glovebox.agent.support.AnthropicServer;
import dev.glovebox.agent.support.Jail;
import dev.glovebox.agent.support.Script;
import dev.glovebox.agent.support.ScriptedModel;
import dev.glovebox.agent.support.Turn;
import dev.glovebox.agent.support.WordEmbedder;
import dev.glovebox.run.Budget;
import dev.glovebox.run.Effect.IfUnknown;
import dev.glovebox.run.LocalRuntime;
import dev.glovebox.run.MessageTypes;
import dev.glovebox.run.Messenger;
import dev.glovebox.run.OpenQuestion;
import dev.glovebox.run.Permissions;
import dev.glovebox.run.Permissions.Action;
import dev.glovebox.run.Price;
import dev.glovebox.run.Prices;
import dev.glovebox.run.Replay;
import dev.glovebox.run.Retry;
import dev.glovebox.run.Run;
import dev.glovebox.run.RunOptions;
import dev.glovebox.run.Runs;
import dev.glovebox.run.Runtime;
import dev.glovebox.run.RuntimeSettings;
import dev.glovebox.run.StopReason;
import dev.glovebox.run.spi.Interceptor;
import dev.glovebox.sandbox.Policy;
import dev.glovebox.sandbox.Program;
import dev.glovebox.sandbox.Sandboxes;
import dev.glovebox.sandbox.spi.Tier;
import dev.glovebox.trace.Trace;
import dev.glovebox.trace.store.SqliteStore;
import dev.langchain4j.agent.tool.P;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The examples of {@code docs/agents.md}. */
class AgentsExamplesTest {

    private static final Path PAGE = Path.of("../docs/agents.md");

    @TempDir private Path home;
    @AutoClose private final Engine engine = new Engine();
    private final Trace trace = engine.trace();
    private final Runs runs = engine.runs();

    record Sum(int a, int b) {}

    private final Tool add =
            Tools.of("add", "Adds two numbers", Sum.class, sum -> sum.a() + sum.b());

    private static ScriptedModel saying(String... texts) {
        return new ScriptedModel(List.of(texts).stream().map(Turn::says).toArray(Turn[]::new));
    }

    @Test
    void inTenLines() {
        Model model =
                new ScriptedModel(Turn.calls("add", "{\"a\":40,\"b\":2}"), Turn.says("It is 42."));
        Agent clerk =
                Agent.named("clerk", model)
                        .instructions("You add with the tool, never by yourself.")
                        .tools(Tools.of("add", "Adds", Sum.class, sum -> sum.a() + sum.b()))
                        .build();
        try (Trace trace =
                        Trace.open(
                                SqliteStore.open(home.resolve("trace.db")), home.resolve("keys"));
                Runs runs = Runs.in(trace)) {
            TaskResult result = clerk.run(runs, "What is 40 + 2?");
            String told =
                    switch (result.stop()) {
                        case StopReason.Completed done -> result.text();
                        case StopReason other -> other.word() + " after " + result.messages();
                    };
            assertThat(told).isEqualTo("It is 42.");
        }
    }

    @Test
    void goingOn() {
        Agent clerk = Agent.named("clerk", saying("42", "50")).build();
        TaskResult first = clerk.run(runs, "What is 40 + 2?");
        TaskResult next = clerk.run(runs, first.messages(), "And 8 more?");
        assertThat(next.text()).isEqualTo("50");
    }

    @Test
    void behindAMailbox() {
        Agent clerk = Agent.named("clerk", saying("42")).build();
        MessageTypes types =
                MessageTypes.none().with("task", Task.class).with("report", Report.class);
        try (Runtime runtime = LocalRuntime.open(RuntimeSettings.of(types))) {
            runtime.register("clerk", id -> TaskHandler.of(clerk, runs));

            Messenger acme = runtime.outside("acme");
            Report report =
                    acme.call(acme.agent("clerk", "desk-1"), new Task("40 + 2?"), Report.class);
            assertThat(report.text()).isEqualTo("42");
        }
    }

    @Test
    void models() {
        Map<String, String> environment =
                Map.of(
                        "ANTHROPIC_API_KEY", "a",
                        "OPENAI_API_KEY", "b",
                        "GOOGLE_API_KEY", "c");
        Model claude = Models.open("anthropic:claude-haiku-4-5", environment);
        Model gpt = Models.open("openai:gpt-5-mini", environment);
        Model gemini = Models.open("google:gemini-2.5-flash", environment);
        Model local = Models.open("ollama:llama3.2", environment);
        Model ours = Models.open("openai:qwen3@http://localhost:8000/v1", environment);
        assertThat(List.of(claude, gpt, gemini, local, ours))
                .extracting(Model::name)
                .containsExactly(
                        "anthropic:claude-haiku-4-5",
                        "openai:gpt-5-mini",
                        "google:gemini-2.5-flash",
                        "ollama:llama3.2",
                        "openai:qwen3");

        Route route =
                Route.open("anthropic:claude-haiku-4-5, anthropic:claude-opus-4-5", environment);
        Agent clerk =
                Agent.named("clerk", route)
                        .mostTokens(1_000) // in one answer
                        .answerWithin(ofSeconds(30))
                        .mostTurns(20)
                        .prices(Prices.listed().with("openai:qwen3", Price.of("0.1", "0.1", "0.4")))
                        .words((agent, words) -> System.out.print(words))
                        .build();
        assertThat(clerk.name()).isEqualTo("clerk");
    }

    enum Unit {
        CELSIUS,
        FAHRENHEIT
    }

    record Place(
            @P("A city") String city,
            @P(value = "Of the answer", defaultValue = "CELSIUS") Unit unit,
            Optional<LocalDate> day) {}

    record Weather(String city, int degrees, Unit unit) {}

    static final class Shop {

        @dev.langchain4j.agent.tool.Tool("Finds the orders of a customer")
        List<String> orders(@P("Their number") int customer) {
            return List.of("gloves for " + customer);
        }
    }

    @Test
    void tools() throws IOException {
        Tool weather =
                Tools.of(
                        "weather",
                        "Tells the weather",
                        Place.class,
                        place -> new Weather(place.city(), 21, place.unit()));
        List<Tool> shop = Tools.of(new Shop()); // all methods that have @Tool

        Agent clerk =
                Agent.named(
                                "clerk",
                                new ScriptedModel(
                                        Turn.calls("weather", "{\"city\":7,\"place\":\"Bath\"}"),
                                        Turn.calls("wether", "{}"),
                                        Turn.calls("weather", "{\"city\":\"Bath\"}"),
                                        Turn.calls("orders", "{\"customer\":7}"),
                                        Turn.says("Warm.")))
                        .tools(weather)
                        .tools(shop)
                        .build();
        TaskResult result = clerk.run(runs, "What is the weather?");
        assertThat(Files.readString(PAGE)).contains(Engine.results(result).subList(0, 2));
        assertThat(Engine.results(result).subList(2, 4))
                .containsExactly(
                        "{\"city\":\"Bath\",\"degrees\":21,\"unit\":\"CELSIUS\"}",
                        "[\"gloves for 7\"]");
    }

    record Mail(String to, String text) {}

    private final List<String> posted = new ArrayList<>();

    private String send(Mail mail, String key) {
        posted.add(mail.to());
        return key.isEmpty() ? "nothing" : "sent";
    }

    @Test
    void traits() {
        Tool mail =
                Tools.with(
                        Tools.of(
                                "send_mail",
                                "Sends a mail",
                                Mail.class,
                                (letter, input) -> send(letter, input.key())),
                        ToolTraits.standard()
                                .within(ofSeconds(10))
                                .retry(Retry.standard())
                                .ifUnknown(IfUnknown.ASK)
                                .inPrivate());
        Agent clerk =
                Agent.named(
                                "clerk",
                                new ScriptedModel(
                                        Turn.calls("send_mail", "{\"to\":\"ada\",\"text\":\"x\"}"),
                                        Turn.says("Done.")))
                        .tools(mail)
                        .build();
        assertThat(Engine.results(clerk.run(runs, "Write to Ada."))).containsExactly("sent");
        assertThat(mail.traits().ifUnknown()).isEqualTo(IfUnknown.ASK);
    }

    @Test
    void programs() {
        Jail.assumed();
        Model model =
                new ScriptedModel(
                        Turn.calls("write_file", "{\"path\":\"n.txt\",\"content\":\"40 2\"}"),
                        Turn.calls(
                                "run_python",
                                "{\"code\":\"print(sum(map(int, open('n.txt').read().split())))\"}"),
                        Turn.calls("run_shell", "{\"command\":\"cat /etc/shadow\"}"),
                        Turn.says("42"));
        Policy policy = Policy.denyAll().wall(ofSeconds(10));
        Agent analyst =
                Agent.named("analyst", model)
                        .tools(BuiltInTools.all(policy, Workspace.of(trace)))
                        .build();
        TaskResult result = analyst.run(runs, "Add the numbers.");
        assertThat(Engine.results(result).get(1)).isEqualTo("outcome: exited 0\nstdout:\n42");
        assertThat(Engine.results(result).get(2)).startsWith("outcome: exited 1\nstderr:");
        assertThat(result.spent().sandboxMillis()).isPositive();
    }

    @Test
    void walls() {
        Policy policy = Policy.denyAll();
        Model model =
                new ScriptedModel(
                        Turn.calls("run_shell", "{\"command\":\"true\"}"),
                        Turn.calls("run_shell", "{\"command\":\"true\"}"),
                        Turn.says("Done."));
        Program check = Program.bash("grep -q Done");
        Wall remote = Wall.named("opensandbox");
        Agent analyst =
                Agent.named("analyst", model)
                        .tools(BuiltInTools.all(policy, remote, Workspace.of(trace)))
                        .validators(Validators.program(policy, remote, check))
                        .build();
        // It is not on the class path of these tests.
        assertThat(analyst.run(runs, "Try.").stop()).isInstanceOf(StopReason.NotEnforceable.class);

        Jail.assumed();
        Tier engine =
                Sandboxes.tiers().stream()
                        .filter(tier -> tier.name().equals("jail"))
                        .findFirst()
                        .orElseThrow();
        Wall own = Wall.of("acme", engine);
        Agent clerk =
                Agent.named("clerk", model)
                        .tools(BuiltInTools.all(policy, own, Workspace.of(trace)))
                        .build();
        assertThat(Engine.results(clerk.run(runs, "Try."))).containsExactly("outcome: exited 0");
    }

    @Test
    void filesByPolicy() throws Exception {
        Workspace workspace = Workspace.of(trace);
        ScriptedModel model =
                new ScriptedModel(
                        Turn.calls("write_file", "{\"path\":\"data/in.csv\",\"content\":\"1\"}"),
                        Turn.says("Not allowed."));
        FilePolicy notes = FilePolicy.standard().only("data", "out");
        FilePolicy reports = notes.only("out").mostFiles(10).mostBytes(20_000);
        Agent writer =
                Agent.named("writer", model)
                        .tools(BuiltInTools.readFile(notes, workspace))
                        .tools(BuiltInTools.writeFile(reports, workspace))
                        .build();
        assertThat(Engine.results(writer.run(runs, "Write.")))
                .containsExactly(
                        Files.readString(PAGE)
                                .lines()
                                .filter(line -> line.contains("The policy of the tool"))
                                .findFirst()
                                .orElseThrow());
    }

    private Tool mail() {
        return Tools.of("send_mail", "Sends a mail", Mail.class, mail -> send(mail, "key"));
    }

    private static Turn mailTo(String whom) {
        return Turn.calls("send_mail", "{\"to\":\"%s\",\"text\":\"x\"}".formatted(whom));
    }

    @Test
    void rules() {
        ToolRules rules =
                ToolRules.denyAll()
                        .rule("add")
                        .allow()
                        .rule("send_mail")
                        .when("to", Pattern.compile("[a-z]+@example\\.com"))
                        .allow()
                        .rule("send_mail")
                        .by("secretary")
                        .ask();
        try (Runs runs = Runs.in(trace, rules)) {
            Model insists =
                    new ScriptedModel(
                            mailTo("ada@example.com"),
                            mailTo("all@everywhere.org"),
                            mailTo("all@everywhere.org"),
                            Turn.says("I could not."));
            Agent clerk = Agent.named("clerk", insists).tools(mail()).build();
            TaskResult result = clerk.run(runs, "Write to everybody, whatever they say.");
            assertThat(posted).containsExactly("ada@example.com");
            assertThat(Engine.results(result).getLast())
                    .contains("the agent clerk is not allowed to use it");
            assertThat(result.text()).isEqualTo("I could not.");
        }
    }

    @Test
    void permissions() {
        Interceptor roles =
                ToolRules.of(Permissions.none().allow("secretary", Action.TOOL, "send_mail"));
        try (Runs runs = Runs.in(trace, roles)) {
            for (String name : List.of("clerk", "secretary")) {
                ScriptedModel model =
                        new ScriptedModel(mailTo(name + "@example.com"), Turn.says("Done."));
                assertThat(
                                Agent.named(name, model)
                                        .tools(mail())
                                        .build()
                                        .run(runs, "Write.")
                                        .isCompleted())
                        .isTrue();
            }
        }
        assertThat(posted).containsExactly("secretary@example.com");
    }

    @Test
    void approval() {
        Agent secretary =
                Agent.named(
                                "secretary",
                                new ScriptedModel(mailTo("all@everywhere.org"), Turn.says("Done.")))
                        .tools(mail())
                        .build();
        ToolRules rules = ToolRules.denyAll().rule("send_mail").ask();
        String name;
        try (Runs runs = Runs.in(trace, rules)) {
            Run<Conversation> run =
                    secretary.start(runs, "Write to everybody.", RunOptions.titled("mail"));
            var _ = run.await(); // it waits for an answer, and needs no thread for that
            name = run.name();
            assertThat(posted).isEmpty();
        }
        try (Runs runs = Runs.in(trace, rules)) {
            assertThat(runs.questions(name).getFirst().question().text())
                    .startsWith("May the agent secretary use the tool send_mail?");
            for (OpenQuestion question : runs.questions(name)) {
                runs.answer(name, question.key(), "yes", "anna@example.com");
            }
            Run<Conversation> resumed = runs.resume(secretary.graph(), name);
            assertThat(Agent.result(resumed).text()).isEqualTo("Done.");
        }
        assertThat(posted).containsExactly("all@everywhere.org");
    }

    @Test
    void delegates() {
        Model small =
                new ScriptedModel(Turn.calls("add", "{\"a\":40,\"b\":2}"), Turn.says("It is 42."));
        Model large =
                new ScriptedModel(
                        Turn.calls("adder", "{\"task\":\"What is 40 + 2?\"}"), Turn.says("42"));
        Agent adder =
                Agent.named("adder", small)
                        .description("Adds numbers, and is never wrong.")
                        .tools(add)
                        .build();
        Agent boss = Agent.named("boss", large).delegates(adder).build();
        TaskResult result = boss.run(runs, "What is 40 + 2?");
        assertThat(Engine.results(result)).containsExactly("It is 42.");
        assertThat(result.spent().modelCalls()).isEqualTo(4);
    }

    record Invoice(@P("Who pays") String customer, int cents) {}

    @Test
    void output() {
        Model model =
                saying(
                        "Sure!",
                        "{\"customer\":\"Ada\",\"cents\":0}",
                        "{\"customer\":\"Ada\",\"cents\":1200}");
        Agent biller =
                Agent.named("biller", model)
                        .output(Invoice.class)
                        .validators(
                                Validators.rule(
                                        "nothing is free", text -> !text.contains("\"cents\":0}")))
                        .mostRepairs(2)
                        .build();
        Invoice invoice = biller.run(runs, "Bill Ada.").output(Invoice.class);
        assertThat(invoice).isEqualTo(new Invoice("Ada", 1200));
    }

    @Test
    void conditions() {
        Signal enough = Termination.external();
        Termination until =
                Termination.text("DONE")
                        .or(Termination.toolCalled("add").and(Termination.messages(3)))
                        .or(Termination.time(ofMinutes(10)))
                        .or(Termination.when("20 turns", talk -> talk.turns() == 20))
                        .or(enough); // enough.give()
        Script endless = Script.answering(asked -> Turn.calls("add", "{\"a\":1,\"b\":1}"));
        Agent clerk =
                Agent.named("clerk", new ScriptedModel(endless)).tools(add).until(until).build();
        TaskResult result = clerk.run(runs, "Add for ever.");
        assertThat(result.isCompleted()).isTrue();
        assertThat(result.conversation().ended()).contains("add was called and 3 messages");
    }

    @Test
    void budget() {
        Agent clerk = Agent.named("clerk", saying("unused")).build();
        TaskResult result =
                clerk.run(
                        runs,
                        "Add.",
                        RunOptions.titled("sums")
                                .budget(Budget.unlimited().tokens(100).dollars("0.50")));
        assertThat(result.stop()).isInstanceOf(StopReason.BudgetExhausted.class);
    }

    private static Agent agent(String name, String... texts) {
        return Agent.named(name, saying(texts)).build();
    }

    @Test
    void teams() {
        Agent planner = agent("planner", "Roses.");
        Agent poet = agent("poet", "Red.", "Roses are red.", "Red again.");
        Agent critic = agent("critic", "Short.", "Approved.");
        Agent editor = agent("editor", "The best of both.");

        Team line = Team.sequence("line", planner, poet);
        assertThat(line.run(runs, "Write a poem.").text()).isEqualTo("Red.");

        Team both = Team.parallel("both", editor, poet, critic);
        assertThat(both.run(runs, "Write a poem.").text()).isEqualTo("The best of both.");

        Team duel =
                Team.roundRobin(
                        "duel",
                        Termination.text("approved").or(Termination.messages(20)),
                        poet,
                        critic);
        TeamResult result = duel.run(runs, "Write a poem.");
        assertThat(result.text()).isEqualTo("Approved.");
        assertThat(runs.replay(duel.graph(), result.run()).isFaithful()).isTrue();
    }

    @Test
    void merged() {
        Agent poet = agent("poet", "Red.");
        Agent critic = agent("critic", "Short.");
        Team joined =
                Team.parallel(
                        "joined",
                        said ->
                                said.stream()
                                        .map(turn -> turn.agent() + ": " + turn.text())
                                        .collect(Collectors.joining("\n")),
                        poet,
                        critic);
        assertThat(joined.run(runs, "Write a poem.").text())
                .isEqualTo("poet: Red.\ncritic: Short.");
    }

    @Test
    void picked() {
        Model leader = saying("critic", "DONE");
        Agent poet = agent("poet", "unused");
        Agent critic = agent("critic", "It is good.");
        Team led = Team.selector("led", Route.of(leader), Termination.messages(20), poet, critic);
        assertThat(led.run(runs, "Judge the poem.").text()).isEqualTo("It is good.");
    }

    @Test
    void handedOver() {
        Model model = new ScriptedModel(Turn.calls("transfer_to_expert", "{\"reason\":\"hard\"}"));
        Model other = saying("It is solved.");
        Agent desk = Agent.named("desk", model).handoffs("expert").build();
        Agent expert = Agent.named("expert", other).handoffs("desk").build();
        Team support = Team.handoff("support", Termination.messages(20), desk, expert);
        assertThat(support.run(runs, "Help.").text()).isEqualTo("It is solved.");
    }

    @Test
    void memory() {
        ScriptedModel model =
                new ScriptedModel(
                        Turn.calls("remember_fact", "{\"fact\":\"Ada moved to Bath.\"}"),
                        Turn.says("Blue."));
        Embedder embedder = new WordEmbedder();
        try (Memories memories = Memories.inFile(home.resolve("memory.db"), embedder)) {
            Memory memory = memories.tenant("acme");
            memory.remember(new Fact("Ada wants her gloves in blue.", "anna@example.com"));
            Agent clerk = Agent.named("clerk", model).memory(memory).build();
            TaskResult result = clerk.run(runs, "Which gloves does Ada want?");
            assertThat(result.text()).isEqualTo("Blue.");
            assertThat(model.prompts().getFirst().messages().getLast().text())
                    .contains("source: anna@example.com", "  | Ada wants her gloves in blue.");
            assertThat(memory.similar("Which gloves does Ada want?", "", 3)).hasSize(1);

            int facts = memory.forgetSource("agent clerk");
            int episodes = memory.forgetSource(result.run());
            assertThat(facts + episodes).isEqualTo(2);
        }
    }

    @Test
    void window() {
        record Page(int number) {}
        Tool read =
                Tools.of("read", "Reads a page", Page.class, page -> page + " word".repeat(300));
        ScriptedModel model =
                new ScriptedModel(
                        Script.answering(asked -> {
                            if (asked.contains("You shorten conversations")) {
                                return Turn.says("It is about words.");
                            }
                            return asked.contains("It is about words.")
                                    ? Turn.says("Words.")
                                    : Turn.calls("read", "{\"number\":%d}".formatted(pages++));
                        }));
        Agent reader =
                Agent.named("reader", model).tools(read).window(WorkingMemory.of(2_000)).build();
        TaskResult result = reader.run(runs, "What is the book about?");
        assertThat(result.text()).isEqualTo("Words.");
        assertThat(model.prompts().getLast().messages().getFirst())
                .isEqualTo(new Message.User("What is the book about?"));
        assertThat(result.messages().size())
                .isGreaterThan(model.prompts().getLast().messages().size());
    }

    private int pages;

    @Test
    void guardrails() {
        ScriptedModel model = saying("Done.");
        Agent clerk =
                Agent.named("clerk", model)
                        .guardrails(Guardrails.standard(Policy.denyAll()))
                        .build();
        TaskResult result = clerk.run(runs, "The password=Tr0ub4dor&3x is for Ada. Tell her.");
        assertThat(result.isCompleted()).isTrue();
        assertThat(model.prompts().getFirst().messages().toString())
                .contains("[secret")
                .doesNotContain("Tr0ub4dor");
    }

    @Test
    void replay() {
        Agent clerk =
                Agent.named(
                                "clerk",
                                new ScriptedModel(
                                        Turn.calls("add", "{\"a\":40,\"b\":2}"), Turn.says("42")))
                        .tools(add)
                        .build();
        TaskResult result = clerk.run(runs, "What is 40 + 2?");
        Replay replay = runs.replay(clerk.graph(), result.run());
        assertThat(replay.isFaithful()).isTrue();
    }

    @Test
    void vendors() {
        try (AnthropicServer server =
                AnthropicServer.start(Turn.fails(529, "overloaded"), Turn.says("Hello."))) {
            Model model =
                    Models.open(
                            "anthropic:test@" + server.address(),
                            Map.of("ANTHROPIC_API_KEY", "any"));
            Agent clerk = Agent.named("clerk", model).build();
            assertThat(clerk.run(runs, "Greet.").text()).isEqualTo("Hello.");
            assertThat(server.requests()).hasSize(2);
            assertThat(server.problems()).isEmpty();
        }
    }

    @Test
    void scripts() {
        ScriptedModel model =
                new ScriptedModel(
                        Turn.calls("add", "{\"a\":40}"), // what does it make of the error?
                        Turn.fails(429, "slow down"),
                        Turn.says("It is 42."));
        Agent clerk = Agent.named("clerk", model).tools(add).build();
        assertThat(clerk.run(runs, "What is 40 + 2?").text()).isEqualTo("It is 42.");
        assertThat(model.prompts()).hasSize(3);
        assertThat(model.prompts().getLast().messages().getLast().text()).contains("/b");
    }
}
