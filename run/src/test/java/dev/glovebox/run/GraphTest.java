package dev.glovebox.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GraphTest {

    record Count(int n) {}

    private static Graph.Builder<Count> graph() {
        return Graph.of("numbers", Count.class);
    }

    private static Count same(Count count, Context context) {
        return count;
    }

    private static void assertBad(Graph.Builder<?> builder, String why) {
        assertThatThrownBy(builder::build).isInstanceOf(BadGraph.class).hasMessage(why);
    }

    @Test
    void aNodeThatNothingLeadsToIsRefused() {
        assertBad(
                graph().node("a", GraphTest::same)
                        .node("b", GraphTest::same)
                        .edge("a", Graph.END)
                        .edge("b", Graph.END),
                "Nothing leads to 'b'");
    }

    @Test
    void anEdgeToNowhereIsRefused() {
        assertBad(
                graph().node("a", GraphTest::same).edge("a", "b"),
                "The edge from 'a' ends at 'b', which is not a node");
    }

    @Test
    void anEdgeFromNowhereIsRefused() {
        assertBad(
                graph().node("a", GraphTest::same).edge("a", Graph.END).edge("b", "a"),
                "An edge begins at 'b', which is not a node");
    }

    @Test
    void aStartThatIsNotThereIsRefused() {
        assertBad(
                graph().node("a", GraphTest::same).edge("a", Graph.END).startAt("b"),
                "The run starts at 'b', which is not a node");
    }

    @Test
    void aNodeWithoutAWayOnIsRefused() {
        assertBad(graph().node("a", GraphTest::same), "There is no way from 'a'");
    }

    @Test
    void aLoopWithoutAWayToTheEndIsRefused() {
        assertBad(
                graph().node("a", GraphTest::same)
                        .node("b", GraphTest::same)
                        .edge("a", "b")
                        .edge("b", "a"),
                "From 'a' there is no way to the end");
    }

    @Test
    void aGraphWithoutNodesIsRefused() {
        assertBad(graph(), "The graph numbers has no nodes");
    }

    @Test
    void twoNodesOfOneNameAreRefused() {
        assertThatThrownBy(() -> graph().node("a", GraphTest::same).node("a", GraphTest::same))
                .isInstanceOf(BadGraph.class)
                .hasMessage("There are two nodes 'a'");
    }

    @Test
    void twoWaysFromOneNodeAreRefused() {
        assertThatThrownBy(() -> graph().edge("a", Graph.END).edge("a", "a"))
                .isInstanceOf(BadGraph.class)
                .hasMessage("There are two ways from 'a': choose one of them");
    }

    @Test
    void twoBranchesOfOneNameAreRefused() {
        assertThatThrownBy(() ->
                        graph().fanOut(
                                        "a",
                                        Count.class,
                                        branches ->
                                                branches.add("x", GraphTest::same)
                                                        .add("x", GraphTest::same),
                                        Join.all((count, all) -> count)))
                .isInstanceOf(BadGraph.class)
                .hasMessage("There are two branches 'x'");
    }

    @Test
    void aFanOutWithoutBranchesIsRefused() {
        assertThatThrownBy(() ->
                        graph().fanOut(
                                        "a",
                                        Count.class,
                                        branches -> {},
                                        Join.all((count, all) -> count)))
                .isInstanceOf(BadGraph.class)
                .hasMessage("The fan-out 'a' has no branches");
    }

    @Test
    void aListOfWhichNothingIsDoneAtOnceIsRefused() {
        assertThatThrownBy(() ->
                        graph().map(
                                        "a",
                                        Count.class,
                                        count -> List.of(count),
                                        GraphTest::same,
                                        0,
                                        Join.all((count, all) -> count)))
                .isInstanceOf(BadGraph.class)
                .hasMessage("'a' would do 0 at once");
    }

    @Test
    void aGraphWhoseNodesMayNotBeVisitedIsRefused() {
        assertThatThrownBy(() -> graph().mostVisits(0))
                .isInstanceOf(BadGraph.class)
                .hasMessage("The nodes of numbers would be visited 0 times");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "END", "1st", "a b", "a/b", "a#1", "a:1", "ä", "a.b", "-a"})
    void aNameThatWouldBeAmbiguousInAPathIsRefused(String name) {
        assertThatThrownBy(() -> graph().node(name, GraphTest::same))
                .isInstanceOf(BadGraph.class)
                .hasMessage("Not a name of a graph, node or branch: '" + name + "'");
        assertThatThrownBy(() -> Graph.of(name, Count.class)).isInstanceOf(BadGraph.class);
    }

    private static Graph<Count> inner() {
        return Graph.of("inner", Count.class)
                .node("end", GraphTest::same)
                .edge("end", Graph.END)
                .build();
    }

    private static Graph<Count> outer() {
        return graph().node("graph", GraphTest::same)
                .node("within", inner().whole())
                .fanOut(
                        "at--once",
                        Count.class,
                        branches ->
                                branches.add("x", GraphTest::same).add("other", inner().whole()),
                        Join.all((count, all) -> count))
                .map(
                        "each",
                        Count.class,
                        count -> List.of(count),
                        inner().whole(),
                        Join.all((count, all) -> count))
                .edge("graph", "within")
                .choose("within", count -> "graph", "graph", "at--once")
                .edge("at--once", "each")
                .edge("each", Graph.END)
                .build();
    }

    @Test
    void aGraphIsDrawnWithBoxesForWhatIsInsideOfItsNodes() {
        // Names that mean something to Mermaid, such as "end" and "--", are labels only.
        assertThat(outer().mermaid())
                .isEqualTo(
                        """
                        flowchart TD
                          n2["graph"]
                          subgraph n3["within: inner"]
                            n6["end"]
                            n4(("start")) --> n6
                            n6 --> n5
                            n5(("end"))
                          end
                          subgraph n7["at--once: at once"]
                            n8["x"]
                            subgraph n9["other: inner"]
                              n12["end"]
                              n10(("start")) --> n12
                              n12 --> n11
                              n11(("end"))
                            end
                          end
                          subgraph n13["each: for each"]
                            subgraph n14["each: inner"]
                              n17["end"]
                              n15(("start")) --> n17
                              n17 --> n16
                              n16(("end"))
                            end
                          end
                          n0(("start")) --> n2
                          n2 --> n3
                          n3 -.-> n2
                          n3 -.-> n7
                          n7 --> n13
                          n13 --> n1
                          n1(("end"))
                        """);
    }

    @Test
    void twoGraphsOfOneShapeHaveTheSameOutline() {
        assertThat(Outline.difference(outer().outline(), outer().outline())).isEmpty();
    }

    private static Graph.Builder<Count> small() {
        return graph().node("a", GraphTest::same)
                .node("b", inner().whole())
                .edge("a", "b")
                .edge("b", Graph.END);
    }

    private static String difference(Graph.Builder<Count> now) {
        return Outline.difference(small().build().outline(), now.build().outline())
                .orElseThrow()
                .sentence();
    }

    @Test
    void whatIsDifferentInAnotherShapeIsNamed() {
        assertThat(
                        difference(
                                graph().node("a", GraphTest::same)
                                        .node("b", inner().whole())
                                        .choose("a", count -> "b", "b", Graph.END)
                                        .edge("b", Graph.END)))
                .isEqualTo("the graph, nodes/a/next: recorded [\"b\"], now [\"b\",\"END\"]");
        assertThat(difference(graph().node("a", GraphTest::same).edge("a", Graph.END)))
                .startsWith("the graph, nodes/a/next: recorded [\"b\"], now [\"END\"]");
        assertThat(
                        difference(
                                graph().node("a", GraphTest::same)
                                        .node("b", GraphTest::same)
                                        .edge("a", "b")
                                        .edge("b", Graph.END)))
                .startsWith("the graph, nodes/b/graph: recorded {\"name\":\"inner\"")
                .endsWith(", now not there");
        assertThat(difference(small().startAt("c").node("c", GraphTest::same).edge("c", "a")))
                .isEqualTo("the graph, nodes/c: recorded not there, now {\"next\":[\"a\"]}");
    }
}
