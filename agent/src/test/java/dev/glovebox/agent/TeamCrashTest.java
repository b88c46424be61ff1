package dev.glovebox.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.glovebox.agent.support.Script;
import dev.glovebox.agent.support.ScriptedModel;
import dev.glovebox.agent.support.Turn;
import dev.glovebox.run.Budget;
import dev.glovebox.run.Effect.IfUnknown;
import dev.glovebox.run.RecordedRun;
import dev.glovebox.run.RunOptions;
import dev.glovebox.run.Runs;
import dev.glovebox.run.StopReason;
import dev.glovebox.run.support.CrashInjector;
import dev.glovebox.run.support.CrashInjector.Crash;
import dev.glovebox.trace.Entry;
import dev.glovebox.trace.Event.EffectOutcome;
import dev.glovebox.trace.MemoryStore;
import dev.glovebox.trace.Trace;
import dev.glovebox.trace.TraceException;
import dev.glovebox.trace.Verdict;
import dev.glovebox.trace.spi.RunQuery;
import dev.glovebox.trace.spi.RunRow;
import dev.glovebox.trace.spi.TraceStore;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A team whose process ends at each of its records. */
class TeamCrashTest {

    private static final Termination NEVER = Termination.messages(1_000);

    @TempDir private Path keys;

    /** What was bought, by the key of the call. */
    private final Map<String, Integer> bought = new ConcurrentHashMap<>();

    private record Purchase(String item) {}

    private Tool buy() {
        Tool plain =
                Tools.of(
                        "buy",
                        "Buys something",
                        Purchase.class,
                        (purchase, input) -> {
                            bought.merge(input.key(), 1, Integer::sum);
                            return "bought " + purchase.item();
                        });
        return Tools.with(plain, plain.traits().ifUnknown(IfUnknown.REPEAT));
    }

    enum Kind {
        SEQUENCE,
        PARALLEL,
        MERGED,
        ROUND_ROBIN,
        SELECTOR,
        HANDOFF
    }

    private static ScriptedModel model(Function<String, String> answer) {
        return new ScriptedModel(Script.answering(asked -> Turn.says(answer.apply(asked))));
    }

    /** It buys ink before it says something. */
    private Agent writer() {
        Script script =
                Script.answering(asked ->
                        asked.contains("bought ink")
                                ? Turn.says("A poem.")
                                : Turn.calls("buy", "{\"item\":\"ink\"}"));
        return Agent.named("writer", new ScriptedModel(script)).tools(buy()).build();
    }

    private static Agent critic() {
        return Agent.named(
                        "critic",
                        model(asked -> asked.contains("A poem.") ? "Approved." : "Write first."))
                .build();
    }

    private Team team(Kind kind) {
        return switch (kind) {
            case SEQUENCE -> Team.sequence("line", writer(), critic());
            case PARALLEL ->
                    Team.parallel(
                            "both",
                            Agent.named("editor", model(asked -> "The best of both.")).build(),
                            writer(),
                            critic());
            case MERGED ->
                    Team.parallel(
                            "both",
                            said ->
                                    said.stream()
                                            .map(Discussion.Said::text)
                                            .collect(Collectors.joining(" ")),
                            writer(),
                            critic());
            case ROUND_ROBIN ->
                    Team.roundRobin("ring", Termination.text("approved"), critic(), writer());
            case SELECTOR -> Team.selector("led", Route.of(leader()), NEVER, critic(), writer());
            case HANDOFF -> {
                Script transfer = Script.answering(asked -> Turn.calls("transfer_to_writer", "{}"));
                yield Team.handoff(
                        "support",
                        NEVER,
                        Agent.named("desk", new ScriptedModel(transfer)).handoffs("writer").build(),
                        writer());
            }
        };
    }

    private static ScriptedModel leader() {
        return model(asked -> {
            if (asked.contains("[critic]")) {
                return "DONE";
            }
            return asked.contains("[writer]") ? "critic" : "writer";
        });
    }

    private TeamResult run(Kind kind, TraceStore store) {
        try (Trace trace = Trace.open(store, keys);
                Runs runs = Runs.in(trace)) {
            Budget large = Budget.unlimited().tokens(1_000_000);
            return team(kind).run(runs, "Write a poem.", RunOptions.titled("a team").budget(large));
        }
    }

    @ParameterizedTest
    @EnumSource
    void aTeamThatCrashesAtAnyRecordGoesOnAndBuysNothingTwiceThatItKnows(Kind kind) {
        CrashInjector never = new CrashInjector(new MemoryStore(), Integer.MAX_VALUE, Crash.BEFORE);
        TeamResult expected = run(kind, never);
        assertThat(expected.stop()).isEqualTo(new StopReason.Completed());
        assertThat(bought).hasSize(1);
        int resumed = 0;
        for (int record = 1; record < never.records(); record++) {
            for (Crash crash : List.of(Crash.BEFORE, Crash.AFTER)) {
                resumed += crash(kind, record, crash, expected) ? 1 : 0;
            }
        }
        assertThat(resumed).isGreaterThan(never.records());
    }

    /** Whether there was something to be resumed. */
    private boolean crash(Kind kind, int record, Crash crash, TeamResult expected) {
        bought.clear();
        MemoryStore store = new MemoryStore();
        try {
            run(kind, new CrashInjector(store, record, crash));
        } catch (TraceException e) {
            assertThat(e).hasMessageContaining("crash");
        }
        Optional<RunRow> left =
                store.runs(RunQuery.newest(10)).stream()
                        .filter(row -> row.finishedAt().isEmpty())
                        .findFirst();
        left.ifPresent(row -> resume(kind, store, row.run(), expected, crash + " " + record));
        return left.isPresent();
    }

    private void resume(
            Kind kind, MemoryStore store, String name, TeamResult expected, String where) {
        try (Trace trace = Trace.open(store, keys);
                Runs runs = Runs.in(trace)) {
            Set<String> known = known(trace, name);
            Map<String, Integer> before = Map.copyOf(bought);

            TeamResult result = Team.result(runs.resume(team(kind).graph(), name));

            assertThat(result.discussion()).as(where).isEqualTo(expected.discussion());
            assertThat(result.stop()).as(where).isEqualTo(expected.stop());
            assertThat(result.spent()).as(where).isEqualTo(RecordedRun.of(trace, name).spent());
            assertThat(result.spent().tokens())
                    .as(where)
                    .isGreaterThanOrEqualTo(expected.spent().tokens());
            before.forEach((key, times) -> {
                if (known.contains(key)) {
                    assertThat(bought.get(key)).as(where + " " + key).isEqualTo(times);
                }
            });
            assertThat(bought).as(where).hasSize(1);
            assertThat(trace.verify(name)).as(where).isInstanceOf(Verdict.Intact.class);
            assertThat(runs.replay(team(kind).graph(), name).isFaithful()).as(where).isTrue();
        }
    }

    /** The keys of effects of which the outcome is on record. */
    private static Set<String> known(Trace trace, String run) {
        try (Stream<Entry> entries = trace.entries(run, 0)) {
            return entries.map(Entry::event)
                    .filter(EffectOutcome.class::isInstance)
                    .map(event -> run + "/" + ((EffectOutcome) event).id().key())
                    .collect(Collectors.toSet());
        }
    }
}
