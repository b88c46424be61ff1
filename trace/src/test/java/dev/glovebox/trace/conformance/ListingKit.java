package dev.glovebox.trace.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.glovebox.trace.spi.RunQuery;
import dev.glovebox.trace.spi.RunRow;
import dev.glovebox.trace.spi.TraceStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Runs are found, newest first, page by page. */
interface ListingKit extends Medium {

    private static List<String> names(List<RunRow> rows) {
        return rows.stream().map(RunRow::run).toList();
    }

    private static RunQuery text(String text) {
        return new RunQuery(
                Optional.empty(), Optional.empty(), Optional.of(text), Optional.empty(), 100);
    }

    private static RunQuery with(Optional<String> kind, Optional<String> stop) {
        return new RunQuery(kind, stop, Optional.empty(), Optional.empty(), 100);
    }

    @Test
    default void theNewestAreFirstAndThoseOfOneMomentByName() {
        try (TraceStore store = open()) {
            assertThat(store.runs(RunQuery.newest(10))).isEmpty();
            store.append(new Chain("old").at(1).start("k", "t")).join();
            store.append(new Chain("same-b").at(5).start("k", "t")).join();
            store.append(new Chain("same-a").at(5).start("k", "t")).join();
            store.append(new Chain("same-c").at(5).start("k", "t")).join();
            store.append(new Chain("new").at(9).start("k", "t")).join();

            List<RunRow> rows = store.runs(RunQuery.newest(10));
            assertThat(names(rows)).containsExactly("new", "same-a", "same-b", "same-c", "old");
            assertThat(rows).allSatisfy(row -> assertThat(store.run(row.run())).contains(row));
            assertThat(names(store.runs(RunQuery.newest(2)))).containsExactly("new", "same-a");
            for (int i = 0; i < rows.size(); i++) {
                RunQuery rest =
                        new RunQuery(
                                Optional.empty(),
                                Optional.empty(),
                                Optional.empty(),
                                Optional.of(rows.get(i)),
                                10);
                assertThat(store.runs(rest)).isEqualTo(rows.subList(i + 1, rows.size()));
            }
        }
    }

    @Test
    default void runsAreFoundByKindAndHowTheyEnded() {
        try (TraceStore store = open()) {
            for (int i = 0; i < 12; i++) {
                Chain chain = new Chain("run-" + (char) ('a' + i)).at(100 - i);
                store.append(chain.start(i % 2 == 0 ? "exec" : "coder", "t")).join();
                if (i % 3 != 0) {
                    store.append(chain.finish(i % 3 == 1 ? "Completed" : "TimedOut")).join();
                }
            }
            assertThat(names(store.runs(with(Optional.of("exec"), Optional.empty()))))
                    .containsExactly("run-a", "run-c", "run-e", "run-g", "run-i", "run-k");
            assertThat(names(store.runs(with(Optional.empty(), Optional.of("TimedOut")))))
                    .containsExactly("run-c", "run-f", "run-i", "run-l");
            assertThat(names(store.runs(with(Optional.empty(), Optional.of("")))))
                    .containsExactly("run-a", "run-d", "run-g", "run-j");
            assertThat(names(store.runs(with(Optional.of("coder"), Optional.of("Completed")))))
                    .containsExactly("run-b", "run-h");
            assertThat(store.runs(with(Optional.of("' OR 1=1 --"), Optional.empty()))).isEmpty();
            RunQuery open = with(Optional.empty(), Optional.of(""));
            assertThat(names(store.runs(open.without("exec")))).containsExactly("run-d", "run-j");
            assertThat(store.runs(open.without("exec", "coder"))).isEmpty();
        }
    }

    @Test
    default void titlesAreSearchedLiterallyAndWhateverTheCase() {
        List<String> titles =
                List.of(
                        "100% sure",
                        "100 percent",
                        "snake_case",
                        "snakeXcase",
                        "It's a \\ \"thing\"",
                        "GRÖSSE Übung",
                        "日本語のタイトル",
                        "Smile \ud83d\ude00");
        try (TraceStore store = open()) {
            for (int i = 0; i < titles.size(); i++) {
                store.append(new Chain("run-" + i).at(100 - i).start("k", titles.get(i))).join();
            }
            assertThat(names(store.runs(text("100%")))).containsExactly("run-0");
            assertThat(names(store.runs(text("100")))).containsExactly("run-0", "run-1");
            assertThat(names(store.runs(text("e_c")))).containsExactly("run-2");
            assertThat(names(store.runs(text("SNAKE")))).containsExactly("run-2", "run-3");
            assertThat(names(store.runs(text("it's a \\ \"")))).containsExactly("run-4");
            assertThat(names(store.runs(text("größe übung")))).containsExactly("run-5");
            assertThat(names(store.runs(text("本語の")))).containsExactly("run-6");
            assertThat(names(store.runs(text("\ud83d\ude00")))).containsExactly("run-7");
            assertThat(names(store.runs(text("' OR '1'='1")))).isEmpty();
            assertThat(store.runs(text(""))).hasSize(titles.size());
        }
    }

    @Test
    default void aHundredThousandRunsAreListedPageByPage() {
        int runs = 100_000;
        try (TraceStore store = open()) {
            List<CompletableFuture<Void>> appends = new ArrayList<>();
            for (int i = 0; i < runs; i++) {
                Chain chain = new Chain("run-" + i).at(1_000 + i / 3);
                String kind = i % 1_000 == 7 ? "rare" : "common";
                appends.add(store.append(chain.start(kind, "Title " + i)));
                if (i % 2 == 0) {
                    appends.add(store.append(chain.finish("Completed")));
                }
            }
            appends.forEach(CompletableFuture::join);
            List<RunRow> all = new ArrayList<>();
            List<RunRow> page = store.runs(RunQuery.newest(999));
            while (!page.isEmpty()) {
                all.addAll(page);
                page = store.runs(after(all.getLast(), Optional.empty(), 999));
            }
            assertThat(all.stream().map(RunRow::run).distinct()).hasSize(runs);
            assertThat(all).isEqualTo(store.runs(RunQuery.newest(runs + 1)));
            List<RunRow> rare = all.stream().filter(row -> row.kind().equals("rare")).toList();
            assertThat(rare).hasSize(100);
            assertThat(store.runs(after(rare.get(49), Optional.of("rare"), 10)))
                    .isEqualTo(rare.subList(50, 60));
            assertThat(names(store.runs(text("TITLE 77777")))).containsExactly("run-77777");
        }
    }

    private static RunQuery after(RunRow row, Optional<String> kind, int most) {
        return new RunQuery(kind, Optional.empty(), Optional.empty(), Optional.of(row), most);
    }
}
