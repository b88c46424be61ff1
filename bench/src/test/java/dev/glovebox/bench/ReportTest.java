package dev.glovebox.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.glovebox.bench.Comparison.Contender;
import dev.glovebox.bench.Row.Figures;
import java.util.List;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;

class ReportTest {

    private static final Contender SLOW = Contender.of("slow", "the slow one").bar(75);
    private static final Contender FIRST = Contender.of("first", "the first one");
    private static final Comparison COMPARISON =
            new Comparison("test", "things", ReportTest.class, List.of(FIRST, SLOW));

    /** In the second round the machine was busy, for both of them. */
    private static List<Row> rows() {
        List<Figures> first = figures(100, 10, 110);
        return List.of(Row.of(FIRST, first, first), Row.of(SLOW, figures(50, 4, 66), first));
    }

    private static List<Figures> figures(double... perSecond) {
        return DoubleStream.of(perSecond).mapToObj(one -> new Figures(one, 1_000 + one)).toList();
    }

    @Test
    void contendersAreComparedRoundByRound() {
        Row slow = rows().getLast();
        assertThat(slow.ratio()).isEqualTo(0.5);
        assertThat(slow.median()).isEqualTo(50);
        assertThat(Row.of(SLOW, figures(2, 4), figures(1, 1)).median()).isEqualTo(3);
    }

    @Test
    void aTableHasALineForEach() {
        assertThat(Report.table(COMPARISON, rows()).lines())
                .containsExactly(
                        "test                                     things/s          lowest - highest   ratio        bar   bytes each",
                        "the first one                                 100                  10 - 110    1.00                   1,100",
                        "the slow one                                   50                    4 - 66    0.50         75        1,050");
    }

    @Test
    void aBarMayBeBesideTheFirst() {
        Contender tied = Contender.of("tied", "tied").barBesideFirst(1 / 1.2);
        assertThat(tied.bar().orElseThrow().text()).isEqualTo("x 0.83");
    }

    @Test
    void aDocumentHasTheSameFigures() {
        assertThat(Report.json(COMPARISON, rows()))
                .hasToString(
                        "{\"bench\":\"test\",\"unit\":\"things\",\"rows\":["
                                + "{\"name\":\"first\",\"per_second\":100,\"lowest\":10,\"highest\":110,"
                                + "\"ratio\":1.0,\"rounds\":3,\"bytes\":1100},"
                                + "{\"name\":\"slow\",\"per_second\":50,\"lowest\":4,\"highest\":66,"
                                + "\"ratio\":0.5,\"rounds\":3,\"bytes\":1050,\"bar\":75.0}]}");
    }

    @Test
    void whatIsAskedForIsUnderstoodOrRefused() {
        assertThat(Main.Request.of(List.of()))
                .isEqualTo(new Main.Request(Comparison.ALL, 5, false, false));
        assertThat(Main.Request.of(List.of("verify", "--rounds", "2", "--virtual", "--json")))
                .isEqualTo(new Main.Request(List.of(Comparison.ALL.get(1)), 2, true, true));
        for (List<String> wrong :
                List.of(
                        List.of("nothing"),
                        List.of("--rounds"),
                        List.of("--rounds", "0"),
                        List.of("--rounds", "many"))) {
            assertThatThrownBy(() -> Main.Request.of(wrong))
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }
}
