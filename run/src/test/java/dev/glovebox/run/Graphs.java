package dev.glovebox.run;

import dev.glovebox.run.support.World;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** One graph of each shape, over a state that tells what was done. */
final class Graphs {

    /** What was done, in its order. */
    record Diary(int size, List<String> lines) {

        Diary plus(String... more) {
            return new Diary(size, Stream.concat(lines.stream(), Stream.of(more)).toList());
        }

        Diary plus(List<String> more) {
            return plus(more.toArray(String[]::new));
        }

        static Diary of(int size) {
            return new Diary(size, List.of());
        }
    }

    record Page(String title, List<String> words) {}

    private final World world;

    Graphs(World world) {
        this.world = world;
    }

    /** A graph of one node. */
    static Graph<Diary> one(Node<Diary, Diary> node) {
        return Graph.of("one", Diary.class).node("only", node).edge("only", Graph.END).build();
    }

    /** A graph of one node that is run for each number, in branches that fail together. */
    static Graph<Diary> each(int count, Node<Integer, String> node) {
        return each(count, node, Integer.MAX_VALUE, Join.all(Diary::plus));
    }

    static Graph<Diary> each(
            int count, Node<Integer, String> node, int atOnce, Join<Diary, String> join) {
        return Graph.of("each", Diary.class)
                .map(
                        "all",
                        String.class,
                        diary -> IntStream.range(0, count).boxed().toList(),
                        node,
                        atOnce,
                        join)
                .edge("all", Graph.END)
                .build();
    }

    /** Failures beside results, in words. */
    static Join<Diary, String> collected() {
        return Join.settled(
                (diary, branches) -> diary.plus(branches.stream().map(Graphs::told).toList()));
    }

    private static String told(Settled<String> branch) {
        return switch (branch) {
            case Settled.Done<String> done -> done.result();
            case Settled.Failed<String> failed -> failed.problem();
        };
    }

    /** All of them, by their names. */
    Map<String, Graph<Diary>> all() {
        return Stream.of(loop(), fanOut(), nested(), approval(), subgraph(), failing())
                .collect(Collectors.toMap(Graph::name, graph -> graph));
    }

    String say(Context context, String what) {
        return context.perform(
                world.tool("say", what, String.class, (text, call) -> "said " + text));
    }

    Graph<Diary> loop() {
        return Graph.of("loop", Diary.class)
                .node(
                        "write",
                        (diary, context) -> {
                            context.note("line " + diary.lines().size());
                            String time = context.now().toString();
                            int chance = context.random().nextInt(1000);
                            return diary.plus(
                                    say(context, "line " + diary.lines().size()),
                                    time.substring(0, 2),
                                    chance < 1000 ? "random" : "impossible");
                        })
                .choose(
                        "write",
                        diary -> diary.lines().size() < 3 * diary.size() ? "write" : Graph.END,
                        "write",
                        Graph.END)
                .build();
    }

    Graph<Diary> fanOut() {
        return Graph.of("fan-out", Diary.class)
                .node("before", (diary, context) -> diary.plus(say(context, "before")))
                .fanOut(
                        "both",
                        String.class,
                        branches ->
                                branches.add("left", (diary, context) -> say(context, "left"))
                                        .add(
                                                "right",
                                                (diary, context) ->
                                                        say(context, "right")
                                                                + say(context, " twice")),
                        Join.all(Diary::plus))
                .map(
                        "each",
                        String.class,
                        diary -> IntStream.range(0, diary.size()).boxed().toList(),
                        (Integer number, Context context) -> say(context, "number " + number),
                        2,
                        Join.all(Diary::plus))
                .edge("before", "both")
                .edge("both", "each")
                .edge("each", Graph.END)
                .build();
    }

    private Graph<Page> page() {
        return Graph.of("page", Page.class)
                .map(
                        "letters",
                        String.class,
                        page -> List.of(page.title() + "a", page.title() + "b"),
                        (String text, Context context) -> say(context, text),
                        Join.all((page, words) -> new Page(page.title(), words)))
                .node(
                        "sign",
                        (page, context) ->
                                new Page(
                                        page.title(),
                                        Stream.concat(
                                                        page.words().stream(),
                                                        Stream.of(say(context, "signed")))
                                                .toList()))
                .edge("letters", "sign")
                .edge("sign", Graph.END)
                .build();
    }

    /** A list in a graph in a list. */
    Graph<Diary> nested() {
        return Graph.of("nested", Diary.class)
                .map(
                        "pages",
                        Page.class,
                        diary ->
                                IntStream.range(0, diary.size())
                                        .mapToObj(i -> new Page("page " + i, List.of()))
                                        .toList(),
                        page().whole(),
                        Join.all((diary, pages) ->
                                diary.plus(
                                        pages.stream()
                                                .flatMap(page -> page.words().stream())
                                                .toList())))
                .edge("pages", Graph.END)
                .build();
    }

    Graph<Diary> approval() {
        return Graph.of("approval", Diary.class)
                .node("draft", (diary, context) -> diary.plus(say(context, "draft")))
                .fanOut(
                        "ask",
                        String.class,
                        branches ->
                                branches.add(
                                                "editor",
                                                (diary, context) ->
                                                        context.ask(Question.approval("Good?"))
                                                                .text())
                                        .add("printer", (diary, context) -> say(context, "print")),
                        Join.all(Diary::plus))
                .node(
                        "publish",
                        (diary, context) -> {
                            Answer where = context.ask(Question.open("Where?"));
                            return diary.plus(say(context, "at " + where.text()), where.by());
                        })
                .edge("draft", "ask")
                .edge("ask", "publish")
                .edge("publish", Graph.END)
                .build();
    }

    Graph<Diary> subgraph() {
        return Graph.of("subgraph", Diary.class)
                .node(
                        "page",
                        page().within(
                                        diary -> new Page("p" + diary.lines().size(), List.of()),
                                        (diary, page) -> diary.plus(page.words())))
                .node("between", (diary, context) -> diary.plus(say(context, "between")))
                .edge("page", "between")
                .choose(
                        "between",
                        diary -> diary.lines().size() < 4 * diary.size() ? "page" : Graph.END,
                        "page",
                        Graph.END)
                .build();
    }

    /** Branches that fail, caught and collected. */
    Graph<Diary> failing() {
        return Graph.of("failing", Diary.class)
                .node(
                        "try",
                        (diary, context) -> {
                            try {
                                context.perform(
                                        world.tool(
                                                "break",
                                                "x",
                                                String.class,
                                                (text, call) -> {
                                                    throw Failure.lasting("broken", "It broke");
                                                }));
                                return diary.plus("not reached");
                            } catch (EffectFailed e) {
                                return diary.plus(e.code());
                            }
                        })
                .map(
                        "some",
                        String.class,
                        diary -> List.of(1, 2, 3),
                        (Integer number, Context context) -> {
                            String said = say(context, "some " + number);
                            if (number == 2) {
                                throw new IllegalStateException("Not two");
                            }
                            return said;
                        },
                        collected())
                .node(
                        "all",
                        (diary, context) ->
                                diary.plus(
                                        context.performAll(
                                                IntStream.range(0, 3)
                                                        .mapToObj(i ->
                                                                world.tool(
                                                                                "all",
                                                                                i,
                                                                                String.class,
                                                                                (n, call) ->
                                                                                        "all " + n)
                                                                        .retry(Retry.standard()))
                                                        .toList())))
                .edge("try", "some")
                .edge("some", "all")
                .edge("all", Graph.END)
                .build();
    }
}
