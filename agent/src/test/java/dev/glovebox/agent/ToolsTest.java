package dev.glovebox.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.glovebox.run.Call;
import dev.langchain4j.agent.tool.P;
import dev.langchain4j.agent.tool.ToolMemoryId;
import java.io.IOException;
import java.time.Duration;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tools that are made of Java code. */
class ToolsTest {

    private static final JsonMapper JSON = new JsonMapper();

    record Sum(int one, int two) {}

    record Order(List<Shape> shapes, Optional<String> note, OptionalInt count) {}

    sealed interface Shape {
        record Circle(double radius) implements Shape {}

        record Square(double side) implements Shape {}
    }

    record Picky(int even) {
        Picky {
            if (even % 2 != 0) {
                throw new IllegalArgumentException("odd");
            }
        }
    }

    private static ToolInput input(String arguments) {
        try {
            ObjectNode tree = (ObjectNode) JSON.readTree(arguments.replace('\'', '"'));
            return new ToolInput(tree, "ann", new Call("run/node#0", Duration.ofMinutes(1)));
        } catch (IOException e) {
            throw new AssertionError(arguments, e);
        }
    }

    private static String call(Tool tool, String arguments) throws Exception {
        return tool.call(input(arguments)).text();
    }

    private static Tool named(Object object, String name) {
        return Tools.of(object).stream()
                .filter(tool -> tool.offer().name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void aLambdaGetsARecordAndItsResultIsText() throws Exception {
        Tool add = Tools.of("add", "Adds", Sum.class, sum -> "" + (sum.one() + sum.two()));
        assertThat(call(add, "{'one':2,'two':3}")).isEqualTo("5");
        assertThat(add.offer().name()).isEqualTo("add");
        assertThat(add.offer().description()).isEqualTo("Adds");
    }

    @Test
    void whatIsNotATextIsJson() throws Exception {
        Tool add =
                Tools.of("add", "", Sum.class, sum -> Map.of("is", sum.one(), "by", List.of("me")));
        assertThat(JSON.readTree(call(add, "{'one':2,'two':3}")))
                .isEqualTo(JSON.readTree("{\"is\":2,\"by\":[\"me\"]}"));
        assertThat(call(Tools.of("id", "", Order.class, order -> order), "{'shapes':[]}"))
                .isEqualTo("{\"shapes\":[],\"note\":null,\"count\":null}");
    }

    @Test
    void aLambdaMayWantToKnowForWhomItWorks() throws Exception {
        Tool who = Tools.of("who", "", Sum.class, (sum, input) -> input.agent() + input.key());
        assertThat(call(who, "{'one':2,'two':3}")).isEqualTo("annrun/node#0");
    }

    @Test
    void sealedInterfacesAndOptionalsAreRead() throws Exception {
        Tool tool = Tools.of("draw", "", Order.class, Order::toString);
        assertThat(
                        call(
                                tool,
                                "{'shapes':[{'type':'Circle','radius':1},"
                                        + "{'type':'Square','side':2}],'count':3}"))
                .isEqualTo(
                        "Order[shapes=[Circle[radius=1.0], Square[side=2.0]], "
                                + "note=Optional.empty, count=OptionalInt[3]]");
    }

    @Test
    void ofSeveralRecordsOnlyTheOneThatIsMeantSaysWhatIsWrong() throws Exception {
        Tool tool = Tools.of("draw", "", Order.class, Order::toString);
        String arguments =
                """
                {"shapes":[{"type":"Circle","radius":"x"},{"type":"Square","side":1,"radius":1},
                 {"type":"Hexagon"},{"side":1},7]}
                """;
        ToolCheck check = Toolbox.of(List.of(tool)).check(new ToolCall("1", "draw", arguments));
        ToolOutput error = ((ToolCheck.Unfit) check).error();
        assertThat(JSON.readTree(error.text()).path("problems").toString().replace("},{", "},\n{"))
                .isEqualTo(
                        """
                        [{"field":"/shapes/0/radius","expected":"number","got":"\\"x\\""},
                        {"field":"/shapes/1/radius","expected":"no such field","got":"a field of that name"},
                        {"field":"/shapes/2/type","expected":"one of [\\"Circle\\",\\"Square\\"]","got":"\\"Hexagon\\""},
                        {"field":"/shapes/3/type","expected":"a value","got":"nothing"},
                        {"field":"/shapes/4","expected":"object","got":"7"}]\
                        """);
    }

    sealed interface Plan {
        record Deploy(
                @P(value = "Where", defaultValue = "7") int stage,
                @P(value = "Whether", defaultValue = "true") boolean dryRun)
                implements Plan {}

        record Chain(List<Plan.Deploy> steps) implements Plan {}
    }

    record Work(
            Optional<Plan> plan,
            Optional<List<Plan>> plans,
            Optional<Map<String, Plan.Deploy>> named,
            Optional<Map<String, List<Plan>>> lists) {}

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{'plan':{'type':'Deploy'}}",
                "{'plan':{'type':'Chain','steps':[{}]}}",
                "{'plans':[{'type':'Deploy'}],'plan':null}",
                "{'named':{'x':{}}}",
                "{'lists':{'x':[{'type':'Deploy'}]}}"
            })
    void aDefaultHoldsWhereverItsRecordStands(String arguments) throws Exception {
        Tool tool = Tools.of("work", "", Work.class, Work::toString);
        Toolbox toolbox = Toolbox.of(List.of(tool));
        ToolCheck check = toolbox.check(new ToolCall("1", "work", arguments.replace('\'', '"')));
        assertThat(check).isInstanceOf(ToolCheck.Fit.class);
        assertThat(call(tool, ((ToolCheck.Fit) check).arguments().toString()))
                .contains("Deploy[stage=7, dryRun=true]");
    }

    record Silent(int even) {
        Silent {
            if (even % 2 == 1) {
                throw new UnsupportedOperationException();
            }
        }
    }

    @Test
    void aRecordThatDoesNotSayWhatItDoesNotWantIsNotToldAsNull() {
        Tool tool = Tools.of("silent", "", Silent.class, Silent::toString);
        assertThatThrownBy(() -> call(tool, "{'even':1}"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("UnsupportedOperationException");
    }

    @Test
    void whatTheRecordItselfDoesNotWantIsToldWithTheField() {
        Tool tool = Tools.of("picky", "", Picky.class, Picky::toString);
        assertThatThrownBy(() -> call(tool, "{'even':1}")).hasMessageEndingWith("odd");
        assertThatThrownBy(() -> call(tool, "{'even':99999999999}"))
                .hasMessageStartingWith("/even: ")
                .hasMessageContaining("out of range of int");
    }

    record Stay(LocalDate from, Optional<Duration> length, UUID guest, String note) {}

    @ParameterizedTest
    @ValueSource(strings = {"", "  "})
    void anEmptyTextIsNotReadAsNothing(String empty) throws Exception {
        Tool tool = Tools.of("stay", "", Stay.class, Stay::toString);
        String stay =
                """
                {'from':'2025-01-31','length':'PT1H','note':'%s',
                 'guest':'123e4567-e89b-12d3-a456-426614174000'}\
                """
                        .formatted(empty);
        assertThat(call(tool, stay)).endsWith("note=" + empty + "]");
        for (String member :
                List.of("2025-01-31", "PT1H", "123e4567-e89b-12d3-a456-426614174000")) {
            assertThatThrownBy(() -> call(tool, stay.replace(member, empty)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageMatching("(?s)/(from|length|guest): .*");
        }
    }

    /** Annotated as for LangChain4j. */
    @SuppressWarnings("unused")
    static final class Calculator {

        private final int start;

        Calculator(int start) {
            this.start = start;
        }

        @dev.langchain4j.agent.tool.Tool({"Adds.", "To the start."})
        int add(@P("The first") int one, @P(value = "The second", defaultValue = "10") int two) {
            return start + one + two;
        }

        @dev.langchain4j.agent.tool.Tool(name = "greet_person")
        private static String greet(
                @P(name = "who", value = "A name") String name, Optional<String> title) {
            return title.map(one -> one + " ").orElse("") + name;
        }

        @dev.langchain4j.agent.tool.Tool
        void forget(@P(value = "What", required = false) String what, ToolInput input) {}

        @dev.langchain4j.agent.tool.Tool
        String fail() throws IOException {
            throw new IOException("no disk");
        }

        int notATool() {
            return 0;
        }
    }

    @Test
    void annotatedMethodsAreToolsAsTheyAre() throws Exception {
        Calculator calculator = new Calculator(100);
        assertThat(Tools.of(calculator))
                .extracting(tool -> tool.offer().name())
                .containsExactly("add", "fail", "forget", "greet_person");
        Tool add = named(calculator, "add");
        assertThat(add.offer().description()).isEqualTo("Adds.\nTo the start.");
        assertThat(add.offer().parameters())
                .isEqualTo(
                        JSON.readTree(
                                """
                                {"type":"object","properties":{
                                  "one":{"type":"integer",
                                    "minimum":-2147483648,"maximum":2147483647,
                                    "description":"The first"},
                                  "two":{"type":"integer",
                                    "minimum":-2147483648,"maximum":2147483647,
                                    "description":"The second","default":10}},
                                 "required":["one"],"additionalProperties":false}\
                                """));
        assertThat(call(add, "{'one':1,'two':2}")).isEqualTo("103");
    }

    @Test
    void staticAndPrivateMethodsNamesAndOptionalsWork() throws Exception {
        Tool greet = named(new Calculator(0), "greet_person");
        assertThat(greet.offer().parameters().path("required").toString()).isEqualTo("[\"who\"]");
        assertThat(call(greet, "{'who':'Ann'}")).isEqualTo("Ann");
        assertThat(call(greet, "{'who':'Ann','title':'Dr'}")).isEqualTo("Dr Ann");
        assertThat(call(named(new Calculator(0), "forget"), "{}")).isEqualTo("Done");
    }

    @Test
    void whatAMethodThrowsIsWhatTheToolThrows() {
        assertThatThrownBy(() -> call(named(new Calculator(0), "fail"), "{}"))
                .isInstanceOf(IOException.class)
                .hasMessage("no disk");
    }

    @SuppressWarnings("unused")
    static final class Patient {
        @dev.langchain4j.agent.tool.Tool
        CompletableFuture<String> wait(String what) {
            return CompletableFuture.supplyAsync(() -> what + " is done");
        }

        @dev.langchain4j.agent.tool.Tool
        CompletionStage<String> fail() {
            return CompletableFuture.failedStage(new IOException("no disk"));
        }

        @dev.langchain4j.agent.tool.Tool
        Future<String> task() {
            FutureTask<String> task = new FutureTask<>(() -> "the task is done");
            Thread.startVirtualThread(task);
            return task;
        }

        @dev.langchain4j.agent.tool.Tool
        CompletableFuture<Void> rest() {
            return CompletableFuture.completedFuture(null);
        }
    }

    @Test
    @SuppressWarnings("FutureReturnValueIgnored") // The tool waits for it.
    void whatComesLaterIsWaitedFor() throws Exception {
        Patient patient = new Patient();
        assertThat(call(named(patient, "wait"), "{'what':'it'}")).isEqualTo("it is done");
        assertThat(call(named(patient, "task"), "{}")).isEqualTo("the task is done");
        assertThat(call(named(patient, "rest"), "{}")).isEqualTo("Done");
        assertThatThrownBy(() -> call(named(patient, "fail"), "{}"))
                .isInstanceOf(IOException.class)
                .hasMessage("no disk");
        Tool lambda = Tools.of("later", "", Nothing.class, none -> patient.wait("that"));
        assertThat(call(lambda, "{}")).isEqualTo("that is done");
    }

    private record Nothing() {}

    /** What a class has from elsewhere. */
    @SuppressWarnings("unused")
    private interface Greeting<T> {
        @dev.langchain4j.agent.tool.Tool("Greets")
        default String greet(@P("Whom") String who) {
            return "Hello " + who;
        }

        @dev.langchain4j.agent.tool.Tool
        String part(T from);
    }

    private record Name(String first) {}

    @SuppressWarnings("unused")
    private abstract static class Polite implements Greeting<Name> {
        @dev.langchain4j.agent.tool.Tool
        String bow() {
            return "bows";
        }
    }

    private static final class Butler extends Polite {
        @Override
        @dev.langchain4j.agent.tool.Tool
        public String part(Name from) {
            return "Goodbye " + from.first();
        }

        @Override
        String bow() {
            return "bows deeply";
        }
    }

    @Test
    void methodsOfSuperclassesAndInterfacesAreTools() throws Exception {
        Butler butler = new Butler();
        assertThat(Tools.of(butler))
                .extracting(tool -> tool.offer().name())
                .containsExactly("bow", "greet", "part");
        assertThat(call(named(butler, "bow"), "{}")).isEqualTo("bows deeply");
        assertThat(call(named(butler, "greet"), "{'who':'Ann'}")).isEqualTo("Hello Ann");
        assertThat(call(named(butler, "part"), "{'from':{'first':'Ann'}}"))
                .isEqualTo("Goodbye Ann");
    }

    @SuppressWarnings("unused")
    static final class Overloaded {
        @dev.langchain4j.agent.tool.Tool
        int add(int one) {
            return one;
        }

        @dev.langchain4j.agent.tool.Tool
        int add(int one, int two) {
            return one + two;
        }
    }

    @SuppressWarnings("unused")
    static final class Remembering {
        @dev.langchain4j.agent.tool.Tool
        String recall(@ToolMemoryId int id) {
            return "";
        }
    }

    @Test
    void whatCannotBeAToolIsRefusedWithTheReason() {
        assertThatThrownBy(() -> Tools.of(new Overloaded()))
                .hasMessageContaining("Two methods")
                .hasMessageContaining("'add'");
        assertThatThrownBy(() -> Tools.of(new Remembering())).hasMessageContaining("@ToolMemoryId");
        assertThatThrownBy(() -> Tools.of("text")).hasMessageContaining("No method");
    }
}
