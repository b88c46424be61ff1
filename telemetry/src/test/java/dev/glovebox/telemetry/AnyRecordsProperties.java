package dev.glovebox.telemetry;

import static org.assertj.core.api.Assertions.assertThatCode;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.glovebox.trace.BlobRef;
import dev.glovebox.trace.Entry;
import dev.glovebox.trace.Event;
import java.io.OutputStream;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** Whatever stands in records, and in whatever order they come, they can be shown. */
class AnyRecordsProperties {

    private static final List<Entry> RUN =
            Tape.coder("run-1", Tape.blob("oh").reference(BlobRef.TEXT)).entries();

    private static final List<String> VALUES =
            List.of(
                    "''",
                    "'a/b'",
                    "'/'",
                    "'tool'",
                    "'NaN'",
                    "'agent#0'",
                    "-1",
                    "9007199254740991",
                    "true",
                    "null",
                    "[]",
                    "['x',1]",
                    "{}",
                    "{'blob':'x'}",
                    "{'type':'exited','code':'x'}");

    /** Puts another value somewhere into a record. */
    record Edit(int record, int member, String value) {}

    @Property(tries = 300)
    void any_records_can_be_shown(
            @ForAll("edits") List<Edit> edits, @ForAll("orders") List<Integer> order) {
        List<ObjectNode> bodies = new ArrayList<>();
        RUN.forEach(entry -> bodies.add((ObjectNode) entry.rawBody()));
        edits.forEach(edit -> apply(edit, bodies.get(edit.record())));

        assertThatCode(() -> show(bodies, order)).doesNotThrowAnyException();
    }

    private static void show(List<ObjectNode> bodies, List<Integer> order) {
        try (Telemetry telemetry =
                Telemetry.console(
                        new PrintStream(OutputStream.nullOutputStream(), false),
                        digest -> Optional.empty())) {
            for (int seq = 0; seq < order.size(); seq++) {
                Entry like = RUN.get(order.get(seq));
                Event event = new Event.Other(like.type(), 1, bodies.get(order.get(seq)));
                telemetry.accept(Entry.of(like.run(), seq, like.at(), Entry.NOTHING, event));
            }
        }
    }

    private static void apply(Edit edit, ObjectNode body) {
        List<ObjectNode> parts = new ArrayList<>();
        body.forEach(part -> collect(part, parts));
        ObjectNode part = parts.get(edit.member() % parts.size());
        List<String> names = new ArrayList<>();
        part.fieldNames().forEachRemaining(names::add);
        if (!names.isEmpty()) {
            part.set(names.get(edit.member() % names.size()), Tape.json(edit.value()));
        }
    }

    private static void collect(JsonNode node, List<ObjectNode> into) {
        if (node instanceof ObjectNode object) {
            into.add(object);
            object.forEach(member -> collect(member, into));
        }
    }

    @Provide
    Arbitrary<List<Edit>> edits() {
        return Combinators.combine(
                        Arbitraries.integers().between(0, RUN.size() - 1),
                        Arbitraries.integers().between(0, 1000),
                        Arbitraries.of(VALUES))
                .as(Edit::new)
                .list()
                .ofMaxSize(5);
    }

    @Provide
    Arbitrary<List<Integer>> orders() {
        return Arbitraries.integers().between(0, RUN.size() - 1).list().ofMinSize(8).ofMaxSize(24);
    }
}
