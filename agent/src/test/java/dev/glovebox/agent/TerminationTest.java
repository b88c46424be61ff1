package dev.glovebox.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.glovebox.agent.support.Script;
import dev.glovebox.agent.support.ScriptedModel;
import dev.glovebox.agent.support.Turn;
import dev.glovebox.run.Runs;
import dev.glovebox.run.StopReason;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;
import java.util.function.IntFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What ends a conversation that would go on for ever, when, and what is said of it. */
class TerminationTest {

    // If nothing else ends it, this does, and is seen.
    private static final int MOST_TURNS = 6;

    @AutoClose private final Engine engine = new Engine();
    private final Runs runs = engine.runs();

    private record Sum(int a, int b) {}

    private static final Tool ADD =
            Tools.of("add", "Adds two numbers", Sum.class, sum -> "" + (sum.a() + sum.b()));

    /** Says "enough" each time, and wants another sum. */
    private static final class Talker {

        private final ScriptedModel model;
        private int asked;

        /**
         * A talker.
         *
         * @param heard gets the number of each question
         */
        Talker(IntConsumer heard) {
            this.model =
                    new ScriptedModel(
                            Script.answering(prompt -> {
                                heard.accept(++asked);
                                String sum = "{\"a\":%d,\"b\":1}".formatted(asked);
                                return new Turn.Says(
                                        "enough", List.of(new ToolCall("", "add", sum)), false);
                            }));
        }
    }

    private TaskResult run(Agent agent) {
        TaskResult result = agent.run(runs, "Go.");
        assertThat(runs.replay(agent.graph(), result.run()).isFaithful()).isTrue();
        return result;
    }

    private TaskResult talk(Termination until, Talker talker) {
        return run(
                Agent.named("talker", talker.model)
                        .tools(ADD)
                        .mostTurns(MOST_TURNS)
                        .until(until)
                        .build());
    }

    private static Stream<Arguments> conditions() {
        Termination late = Termination.tokens(1_000_000);
        return Stream.of(
                arguments(Termination.messages(4), "4 messages", 2),
                arguments(Termination.messages(5), "5 messages", 2),
                arguments(Termination.tokens(20), "20 tokens", 4),
                arguments(Termination.text("ENOUGH"), "'ENOUGH' was said", 1),
                arguments(Termination.toolCalled("add"), "add was called", 1),
                arguments(Termination.time(Duration.ZERO), "PT0S have passed", 1),
                arguments(Termination.when("two turns", talk -> talk.turns() == 2), "two turns", 2),
                arguments(
                        Termination.text("ENOUGH").and(Termination.messages(4)),
                        "'ENOUGH' was said and 4 messages",
                        2),
                arguments(late.or(Termination.messages(4)), "4 messages", 2),
                arguments(Termination.toolCalled("add").or(late), "add was called", 1),
                arguments(
                        Termination.time(Duration.ofDays(1)).or(Termination.messages(4)),
                        "4 messages",
                        2));
    }

    @ParameterizedTest
    @MethodSource("conditions")
    void aConditionEndsAConversationAtItsTimeAndIsTheReason(
            Termination condition, String why, int questions) {
        Talker talker = new Talker(question -> {});

        TaskResult result = talk(condition, talker);

        assertThat(result.stop()).isEqualTo(new StopReason.Completed());
        assertThat(result.conversation().ended()).contains(why);
        assertThat(talker.asked).isEqualTo(questions);
    }

    @Test
    void aConditionThatIsReachedInTheLastTurnHoldsBeforeTheLimit() {
        ScriptedModel model = new ScriptedModel(Turn.calls("add", "{\"a\":1,\"b\":1}"));
        TaskResult result =
                run(
                        Agent.named("clerk", model)
                                .tools(ADD)
                                .mostTurns(1)
                                .until(Termination.toolCalled("add"))
                                .build());

        assertThat(result.stop()).isEqualTo(new StopReason.Completed());
        assertThat(result.conversation().ended()).contains("add was called");
    }

    @Test
    void whatWasCalledBeforeAConversationWentOnDoesNotCount() {
        ScriptedModel model =
                new ScriptedModel(
                        Turn.calls("add", "{\"a\":1,\"b\":1}"),
                        Turn.says("Let me see."),
                        Turn.calls("add", "{\"a\":2,\"b\":2}"));
        Agent clerk =
                Agent.named("clerk", model)
                        .tools(ADD)
                        .validators(Validators.rule("a call", text -> !text.equals("Let me see.")))
                        .until(Termination.toolCalled("add"))
                        .build();
        TaskResult first = run(clerk);
        TaskResult second = clerk.run(runs, first.messages(), "Again.");
        assertThat(second.conversation().ended()).contains("add was called");
        assertThat(second.messages().getLast())
                .isInstanceOfSatisfying(
                        Message.ToolResult.class, last -> assertThat(last.text()).isEqualTo("4"));
    }

    private TeamResult inTheLastTurn(Team team) {
        TeamResult result = team.run(runs, "Talk.");
        assertThat(runs.replay(team.graph(), result.run()).isFaithful()).isTrue();
        assertThat(result.discussion().said()).hasSize(Team.MOST_TURNS);
        return result;
    }

    private static ScriptedModel counting(IntFunction<Turn> turns) {
        AtomicInteger asked = new AtomicInteger();
        return new ScriptedModel(Script.answering(prompt -> turns.apply(asked.incrementAndGet())));
    }

    @Test
    void aConditionOfATeamThatIsReachedInTheLastTurnHoldsBeforeTheLimit() {
        Agent one = Agent.named("one", counting(turn -> Turn.says("no"))).build();
        Agent two =
                Agent.named("two", counting(turn -> Turn.says(turn == 50 ? "approved" : "no")))
                        .build();

        TeamResult result =
                inTheLastTurn(Team.roundRobin("duel", Termination.text("approved"), one, two));

        assertThat(result.stop()).isEqualTo(new StopReason.Completed());
        assertThat(result.discussion().ended()).contains("'approved' was said");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aToolThatSomebodyInATeamHasCalledEndsIt(boolean first) {
        ScriptedModel calls =
                new ScriptedModel(Turn.calls("add", "{\"a\":1,\"b\":1}"), Turn.says("It is 2."));
        ScriptedModel talks = new ScriptedModel(Turn.says("Let us add."));
        Agent one = Agent.named("one", first ? calls : talks).tools(ADD).build();
        Agent two = Agent.named("two", first ? talks : calls).tools(ADD).build();

        TeamResult result =
                Team.roundRobin("duel", Termination.toolCalled("add"), one, two).run(runs, "Add.");

        assertThat(result.stop()).isEqualTo(new StopReason.Completed());
        assertThat(result.discussion().ended()).contains("add was called");
        assertThat(result.discussion().said()).hasSize(first ? 1 : 2);
    }

    @Test
    void aTaskThatIsNotHandedOverInTheLastTurnIsDone() {
        Agent left =
                Agent.named("left", counting(turn -> Turn.calls("transfer_to_right", "{}")))
                        .handoffs("right")
                        .build();
        Agent right =
                Agent.named(
                                "right",
                                counting(turn ->
                                        turn == 50
                                                ? Turn.says("Solved.")
                                                : Turn.calls("transfer_to_left", "{}")))
                        .handoffs("left")
                        .build();

        TeamResult result =
                inTheLastTurn(Team.handoff("ping", Termination.messages(1_000), left, right));

        assertThat(result.stop()).isEqualTo(new StopReason.Completed());
        assertThat(result.text()).isEqualTo("Solved.");
    }

    private static Stream<Termination> neverReached() {
        return Stream.of(
                Termination.messages(100),
                Termination.tokens(1_000_000),
                Termination.text("farewell"),
                Termination.toolCalled("subtract"),
                Termination.handoff("expert"),
                Termination.time(Duration.ofDays(1)),
                Termination.external(),
                Termination.text("ENOUGH").and(Termination.messages(100)));
    }

    @ParameterizedTest
    @MethodSource("neverReached")
    void aConditionThatIsNotReachedEndsNothing(Termination condition) {
        TaskResult result = talk(condition, new Talker(question -> {}));

        assertThat(result.stop()).isEqualTo(new StopReason.AttemptsExhausted(MOST_TURNS));
        assertThat(result.conversation().ended()).isEmpty();
    }

    @Test
    void aSignalFromOutsideEndsAConversationInItsMiddle() {
        Signal signal = Termination.external();
        Talker talker =
                new Talker(question -> {
                    if (question == 3) {
                        signal.give();
                    }
                });

        TaskResult result = talk(signal, talker);

        assertThat(result.stop()).isEqualTo(new StopReason.Completed());
        assertThat(result.conversation().ended()).contains("a signal was given");
        assertThat(talker.asked).isEqualTo(3);
        Talker later = new Talker(question -> {});
        assertThat(talk(signal, later).conversation().ended()).contains("a signal was given");
        assertThat(later.asked).isEqualTo(1);
    }

    private static Agent desk() {
        return Agent.named("desk", new ScriptedModel(Turn.calls("transfer_to_expert", "{}")))
                .handoffs("expert")
                .build();
    }

    private TeamResult support(Termination until, ScriptedModel expert) {
        Team team = Team.handoff("support", until, desk(), Agent.named("expert", expert).build());
        TeamResult result = team.run(runs, "Help.");
        assertThat(runs.replay(team.graph(), result.run()).isFaithful()).isTrue();
        assertThat(result.stop()).isEqualTo(new StopReason.Completed());
        return result;
    }

    @Test
    void aTeamIsOverWhenTheTaskIsHandedToTheOneWhoWasNamed() {
        ScriptedModel expert = new ScriptedModel();

        TeamResult result = support(Termination.handoff("expert"), expert);

        assertThat(result.discussion().ended()).contains("handed over to expert");
        assertThat(result.discussion().said().getLast().handedTo()).contains("expert");
        assertThat(expert.prompts()).isEmpty();
    }

    @Test
    void aTeamGoesOnWhenTheTaskIsHandedToAnother() {
        TeamResult result =
                support(Termination.handoff("boss"), new ScriptedModel(Turn.says("Solved.")));

        assertThat(result.discussion().ended()).contains("nobody was handed the task");
        assertThat(result.text()).isEqualTo("Solved.");
    }

    @Test
    void anAgentAloneStopsWhenItHandsOverWhateverItsCondition() {
        for (Optional<Termination> until :
                List.of(
                        Optional.<Termination>empty(),
                        Optional.of(Termination.handoff("expert")),
                        Optional.of(Termination.handoff("boss")))) {
            ScriptedModel model = new ScriptedModel(Turn.calls("transfer_to_expert", "{}"));
            Agent.Builder desk = Agent.named("desk", model).handoffs("expert");
            until.ifPresent(desk::until);

            TaskResult result = run(desk.build());

            assertThat(result.stop()).isEqualTo(new StopReason.Completed());
            assertThat(result.conversation().handedTo()).contains("expert");
            assertThat(model.prompts()).hasSize(1);
        }
    }
}
