package dev.glovebox.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.glovebox.trace.Event.EffectIntent;
import dev.glovebox.trace.Event.EffectOutcome;
import dev.glovebox.trace.conformance.Child;
import dev.glovebox.trace.spi.TraceStore;
import dev.glovebox.trace.store.SqliteStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A process that is killed at any moment, and another one that goes on. */
class KillTest {

    private static final int KILLS = Boolean.getBoolean("glovebox.soak") ? 200 : 10;
    private static final int ROUNDS = 60;
    private static final int BRANCHES = 3;

    record Sum(int round, long total) {}

    private record Place(Path store, Path keys, Path done) {

        static Place in(Path folder) {
            return new Place(
                    folder.resolve("traces.db"), folder.resolve("keys"), folder.resolve("done"));
        }

        Engine engine() {
            return new Engine(SqliteStore.open(store), keys);
        }

        /** Rounds of effects, each of which leaves its key in a file before it ends. */
        Graph<Sum> graph() {
            return Graph.of("killed", Sum.class)
                    .node(
                            "one",
                            (sum, context) ->
                                    new Sum(sum.round() + 1, sum.total() + doing(context, 1)))
                    .map(
                            "some",
                            Long.class,
                            sum -> IntStream.range(0, BRANCHES).boxed().toList(),
                            (Integer n, Context context) -> (long) doing(context, n),
                            Join.all((sum, numbers) ->
                                    new Sum(
                                            sum.round(),
                                            sum.total()
                                                    + numbers.stream()
                                                            .mapToLong(Long::longValue)
                                                            .sum())))
                    .edge("one", "some")
                    .choose(
                            "some",
                            sum -> sum.round() < ROUNDS ? "one" : Graph.END,
                            "one",
                            Graph.END)
                    .build();
        }

        private int doing(Context context, int n) {
            return context.perform(new Trail(done, n));
        }

        /** How often each effect was done. */
        Map<String, Integer> counts() throws IOException {
            Map<String, Integer> counts = new HashMap<>();
            if (Files.exists(done)) {
                String text = Files.readString(done);
                text.substring(0, text.lastIndexOf('\n') + 1)
                        .lines()
                        .forEach(key -> counts.merge(key, 1, Integer::sum));
            }
            return counts;
        }
    }

    /** Leaves its key in a file, durably. */
    private record Trail(Path file, int n) implements Effect<Integer, Integer> {

        @Override
        public String kind() {
            return "tool";
        }

        @Override
        public String name() {
            return "trail";
        }

        @Override
        public Integer arguments() {
            return n;
        }

        @Override
        public Class<Integer> resultType() {
            return Integer.class;
        }

        @Override
        public IfUnknown ifUnknown() {
            return IfUnknown.REPEAT;
        }

        @Override
        public boolean countsAsLoop() {
            return false;
        }

        @Override
        public Done<Integer> perform(Call call) throws IOException {
            byte[] line = (call.key() + "\n").getBytes(StandardCharsets.UTF_8);
            try (FileChannel out =
                    FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.APPEND)) {
                out.write(ByteBuffer.wrap(line));
                out.force(true);
            }
            return Done.of(n + 1);
        }
    }

    /** What is killed. */
    static final class Program {

        private Program() {}

        public static void main(String[] arguments) {
            Place place = Place.in(Path.of(arguments[0]));
            try (Engine engine = place.engine()) {
                Run<Sum> run =
                        arguments.length == 1
                                ? engine.start(place.graph(), new Sum(0, 0), "killed")
                                : engine.resume(place.graph(), arguments[1]);
                System.out.println(run.name());
                System.out.println(Engine.finished(run).state());
            }
        }
    }

    @Test
    void aRunWhoseProcessesAreKilledComesToItsEndAndDoesNothingTwiceThatItKnows(
            @TempDir Path folder) throws Exception {
        Random random = new Random();
        int kills = 0;
        for (int number = 0; kills < KILLS; number++) {
            Path own = Files.createDirectory(folder.resolve("run" + number));
            kills += toTheEnd(own, KILLS - kills, random);
        }
    }

    /** How many processes it took. */
    private static int toTheEnd(Path folder, int most, Random random) throws Exception {
        Place place = Place.in(folder);
        String run = "";
        int kills = 0;
        while (true) {
            Known before = run.isEmpty() ? Known.NOTHING : Known.of(place, run);
            String[] order =
                    run.isEmpty()
                            ? new String[] {folder.toString()}
                            : new String[] {folder.toString(), run};
            try (Child child = Child.start(List.of(), Program.class, order)) {
                child.awaitLine();
                if (kills < most) {
                    TimeUnit.MILLISECONDS.sleep(random.nextInt(150));
                    child.kill();
                }
                List<String> said = child.lines();
                run = said.getFirst();
                if (isUnknown(place, run)) {
                    // It was killed before its first record.
                    run = "";
                    kills++;
                    continue;
                }
                Known after = Known.of(place, run);
                after.assertContinues(before);
                if (said.size() > 1) {
                    assertThat(said.get(1)).isEqualTo(new Sum(ROUNDS, ROUNDS * 8L).toString());
                    break;
                }
                if (after.finished()) {
                    break;
                }
                kills++;
            }
        }
        try (Engine engine = place.engine()) {
            engine.assertFaithful(place.graph(), run);
        }
        return Math.max(1, kills);
    }

    private static boolean isUnknown(Place place, String run) {
        try (TraceStore store = SqliteStore.open(place.store())) {
            return store.run(run).isEmpty();
        }
    }

    /** What is known of a run between two processes. */
    private record Known(
            int records,
            boolean finished,
            Set<String> begun,
            Set<String> ended,
            Map<String, Integer> done) {

        static final Known NOTHING = new Known(0, false, Set.of(), Set.of(), Map.of());

        static Known of(Place place, String run) throws IOException {
            try (Engine engine = place.engine()) {
                return new Known(
                        engine.entries(run).size(),
                        engine.trace().run(run).finishedAt().isPresent(),
                        engine.events(run, EffectIntent.class).stream()
                                .map(intent -> run + "/" + intent.id().key())
                                .collect(Collectors.toSet()),
                        engine.events(run, EffectOutcome.class).stream()
                                .map(outcome -> run + "/" + outcome.id().key())
                                .collect(Collectors.toSet()),
                        place.counts());
            }
        }

        void assertContinues(Known before) {
            assertThat(records).isGreaterThanOrEqualTo(before.records);
            assertThat(begun).containsAll(before.begun);
            assertThat(ended).containsAll(before.ended);
            // What was done was on record before, and what has an outcome was done.
            assertThat(begun).containsAll(done.keySet());
            assertThat(done.keySet()).containsAll(ended);
            // What had an outcome was not done again.
            before.ended.forEach(key -> assertThat(done.get(key)).isEqualTo(before.done.get(key)));
        }
    }
}
