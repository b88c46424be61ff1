package dev.glovebox.telemetry;

import static dev.glovebox.telemetry.Receiver.attributes;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.glovebox.trace.BlobRef;
import dev.glovebox.trace.Entry;
import dev.glovebox.trace.Event;
import dev.glovebox.trace.Event.EffectId;
import dev.glovebox.trace.Event.EffectIntent;
import dev.glovebox.trace.Event.EffectOutcome;
import dev.glovebox.trace.Event.Status;
import io.opentelemetry.proto.trace.v1.Span;
import io.opentelemetry.proto.trace.v1.Status.StatusCode;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** How the spans of runs hang together, whoever sends which part of them and when. */
class SpanTreesTest extends SentSpans {

    @Test
    void a_run_is_one_trace_whose_parents_are_as_its_paths() {
        send(coder("run-1"));

        assertThat(receiver.spans())
                .extracting(Span::getName)
                .containsExactlyInAnyOrder(
                        "invoke_workflow coder",
                        "glovebox.node planner",
                        "chat gpt-4o",
                        "glovebox.node agent",
                        "execute_tool run_python",
                        "sandbox.exec");
        assertThat(receiver.spans())
                .extracting(Span::getTraceId)
                .containsOnly(receiver.span("invoke_workflow coder").getTraceId());
        assertThat(receiver.span("invoke_workflow coder").getParentSpanId().isEmpty()).isTrue();
        assertParent("glovebox.node planner", "invoke_workflow coder");
        assertParent("chat gpt-4o", "glovebox.node planner");
        assertParent("glovebox.node agent", "invoke_workflow coder");
        assertParent("execute_tool run_python", "glovebox.node agent");
        assertParent("sandbox.exec", "execute_tool run_python");
    }

    @Test
    void spans_begin_and_end_when_the_events_say() {
        send(coder("run-1"));

        Span root = receiver.span("invoke_workflow coder");
        assertThat(root.getStartTimeUnixNano()).isEqualTo(millis(0));
        assertThat(root.getEndTimeUnixNano()).isEqualTo(millis(1543));
        Span chat = receiver.span("chat gpt-4o");
        assertThat(chat.getStartTimeUnixNano()).isEqualTo(millis(3));
        assertThat(chat.getEndTimeUnixNano()).isEqualTo(millis(1503));
    }

    private static Tape tool(String outcome) {
        return new Tape("run-1")
                .starts("agent")
                .enters(0, "agent")
                .intends(
                        1,
                        "agent",
                        0,
                        "tool",
                        "run_python",
                        "{'callId':'c','codeLength':42,'timeoutMillis':1500,"
                                + "'memoryBytes':268435456}")
                .gets(30, "agent", 0, "tool", Status.DONE, outcome)
                .leaves(1, "agent", "end")
                .stops(1, "completed");
    }

    @Test
    void a_program_that_a_tool_ran_itself_is_a_span_in_that_of_the_tool() {
        send(
                tool(
                        "{'isError':true,'tier':'jail','outcome':{'type':'exited','code':1},"
                                + "'stdoutBytes':17,'stderrBytes':3}"));

        assertParent("execute_tool run_python", "glovebox.node agent");
        assertParent("sandbox.exec", "execute_tool run_python");
        assertThat(status("sandbox.exec")).isEqualTo(StatusCode.STATUS_CODE_ERROR);
        assertThat(of("sandbox.exec"))
                .containsExactlyInAnyOrderEntriesOf(
                        Map.ofEntries(
                                Map.entry("sandbox.tier", "jail"),
                                Map.entry("sandbox.code_length", 42L),
                                Map.entry("sandbox.timeout_s", 1.5),
                                Map.entry("sandbox.mem_limit_mb", 256L),
                                Map.entry("sandbox.exit_code", 1L),
                                Map.entry("sandbox.timed_out", false),
                                Map.entry("sandbox.stdout_bytes", 17L),
                                Map.entry("glovebox.sandbox.outcome", "exited"),
                                Map.entry("error.type", "exited"),
                                Map.entry("glovebox.effect.key", "agent#0"),
                                Map.entry("glovebox.path", "agent")));
        Span exec = receiver.span("sandbox.exec");
        assertThat(exec.getStartTimeUnixNano()).isEqualTo(millis(1));
        assertThat(exec.getEndTimeUnixNano()).isEqualTo(millis(31));
        assertThat(of("execute_tool run_python"))
                .containsEntry("error.type", "tool_error")
                .doesNotContainKey("sandbox.tier");
    }

    @Test
    void a_tool_that_went_well_is_no_error_and_ran_no_program() {
        send(tool("{'isError':false}"));

        assertThat(status("execute_tool run_python")).isEqualTo(StatusCode.STATUS_CODE_UNSET);
        assertThat(of("execute_tool run_python")).doesNotContainKey("error.type");
        assertThat(receiver.spans()).extracting(Span::getName).doesNotContain("sandbox.exec");
    }

    @Test
    void a_parent_can_be_named_where_tools_run_side_by_side() {
        send(
                new Tape("run-1")
                        .starts("agent")
                        .enters(0, "agent")
                        .intends(0, "agent", 0, "tool", "first", "{}")
                        .intends(0, "agent", 1, "tool", "second", "{}")
                        .intends(0, "agent/x", 0, "sandbox.exec", "p", "{'parent':'agent#1'}")
                        .intends(0, "agent/x", 1, "search", "q", "{}")
                        .stops(1, "completed"));

        assertParent("sandbox.exec", "execute_tool second");
        assertParent("glovebox.effect search", "glovebox.node agent");
    }

    /** A call as an agent records it, in the branch that it has for itself. */
    private static Event call(EffectId id, String callId) {
        BlobRef arguments = Tape.blob(callId).reference(BlobRef.JSON);
        return new EffectIntent(id, "add", arguments, Tape.json("{'callId':'" + callId + "'}"));
    }

    private static Event result(EffectId id, long millis, boolean isError) {
        return new EffectOutcome(
                id,
                Status.DONE,
                Optional.empty(),
                Duration.ofMillis(millis),
                Tape.json("{'isError':" + isError + "}"));
    }

    private static EffectId tool(int branch) {
        String path = "act-at-once#1/" + branch;
        return new EffectId(path, 1, path + ":1", "tool");
    }

    private Span spanWith(String attribute, String value) {
        List<Span> found =
                receiver.spans().stream()
                        .filter(span ->
                                value.equals(attributes(span.getAttributesList()).get(attribute)))
                        .toList();
        assertThat(found).as(attribute + " " + value).hasSize(1);
        return found.getFirst();
    }

    @Test
    void calls_of_one_answer_each_have_a_span_of_their_own_in_their_branch() {
        send(
                new Tape("run-1")
                        .starts("clerk")
                        .enters(0, "act-at-once#1")
                        .enters(1, "act-at-once#1/1")
                        .enters(1, "act-at-once#1/0")
                        .after(1, call(tool(1), "call-2"))
                        .after(1, call(tool(0), "call-1"))
                        .after(5, result(tool(0), 5, false))
                        .after(7, result(tool(1), 13, true))
                        .leaves(1, "act-at-once#1/1", "")
                        .leaves(1, "act-at-once#1/0", "")
                        .leaves(1, "act-at-once#1", "think")
                        .stops(1, "completed"));

        Span first = spanWith("gen_ai.tool.call.id", "call-1");
        Span second = spanWith("gen_ai.tool.call.id", "call-2");
        assertThat(List.of(first, second))
                .extracting(Span::getName)
                .containsOnly("execute_tool add");
        assertThat(first.getSpanId()).isNotEqualTo(second.getSpanId());
        // They ran side by side, and each took its own time.
        assertThat(first.getStartTimeUnixNano()).isEqualTo(millis(4));
        assertThat(first.getEndTimeUnixNano()).isEqualTo(millis(9));
        assertThat(second.getStartTimeUnixNano()).isEqualTo(millis(3));
        assertThat(second.getEndTimeUnixNano()).isEqualTo(millis(16));
        assertThat(first.getStatus().getCode()).isEqualTo(StatusCode.STATUS_CODE_UNSET);
        assertThat(second.getStatus().getCode()).isEqualTo(StatusCode.STATUS_CODE_ERROR);
        assertThat(first.getParentSpanId()).isEqualTo(receiver.span("glovebox.node 0").getSpanId());
        assertThat(second.getParentSpanId())
                .isEqualTo(receiver.span("glovebox.node 1").getSpanId());
        assertParent("glovebox.node 0", "glovebox.node act-at-once#1");
        assertParent("glovebox.node 1", "glovebox.node act-at-once#1");
        assertParent("glovebox.node act-at-once#1", "invoke_workflow clerk");
    }

    @Test
    void a_path_may_begin_with_the_key_of_an_effect() {
        send(
                new Tape("run-1")
                        .starts("agent")
                        .enters(0, "agent")
                        .intends(0, "agent", 0, "tool", "first", "{}")
                        .intends(0, "agent", 1, "tool", "second", "{}")
                        .enters(0, "agent#1/inner")
                        .intends(0, "agent#1/inner", 0, "model", "m", "{}")
                        .stops(1, "completed"));

        assertParent("glovebox.node inner", "execute_tool second");
        assertParent("chat m", "glovebox.node inner");
    }

    @Test
    void a_run_that_does_not_end_is_sent_as_unfinished_when_telemetry_is_closed() {
        send(
                new Tape("run-1")
                        .starts("agent")
                        .enters(5, "a")
                        .intends(5, "a", 0, "model", "m", "{}"));

        assertThat(receiver.spans()).hasSize(3);
        for (Span span : receiver.spans()) {
            assertThat(attributes(span.getAttributesList()))
                    .containsEntry("glovebox.unfinished", true);
            assertThat(span.getStatus().getCode()).isEqualTo(StatusCode.STATUS_CODE_UNSET);
            assertThat(span.getEndTimeUnixNano()).isEqualTo(millis(10));
        }
    }

    @Test
    void ids_follow_from_the_run() {
        send(coder("run-1"));
        List<Span> first = receiver.spans();
        send(coder("run-1"));

        assertThat(receiver.spans().subList(first.size(), 2 * first.size()))
                .containsExactlyElementsOf(first);
    }

    @Test
    void two_processes_that_each_see_a_part_make_one_trace() throws IOException {
        send(coder("run-1"));
        List<Entry> all = coder("run-1").entries();
        try (Receiver other = new Receiver(Receiver.Health.WELL)) {
            try (Telemetry second =
                    Telemetry.fromEnvironment(other.environment(), digest -> Optional.empty())) {
                // It comes while the tool and the program are running.
                all.subList(8, all.size()).forEach(second);
            }

            assertThat(other.spans())
                    .extracting(Span::getName)
                    .containsExactlyInAnyOrder(
                            "sandbox.exec",
                            "execute_tool",
                            "glovebox.node agent",
                            "invoke_workflow");
            assertSame(other.span("sandbox.exec"), receiver.span("sandbox.exec"));
            assertSame(other.span("execute_tool"), receiver.span("execute_tool run_python"));
            assertSame(other.span("glovebox.node agent"), receiver.span("glovebox.node agent"));
            assertThat(other.span("invoke_workflow").getSpanId())
                    .isEqualTo(receiver.span("invoke_workflow coder").getSpanId());
            assertThat(attributes(other.span("invoke_workflow").getAttributesList()))
                    .containsEntry("glovebox.partial", true);
        }
    }

    private static void assertSame(Span one, Span other) {
        assertThat(one.getTraceId()).isEqualTo(other.getTraceId());
        assertThat(one.getSpanId()).isEqualTo(other.getSpanId());
        assertThat(one.getStartTimeUnixNano()).isEqualTo(other.getStartTimeUnixNano());
        assertThat(one.getEndTimeUnixNano()).isEqualTo(other.getEndTimeUnixNano());
    }

    @Test
    void a_node_that_is_done_again_after_a_takeover_is_one_span() {
        send(
                new Tape("run-1")
                        .starts("agent")
                        .enters(1, "a")
                        .intends(1, "a", 0, "model", "m", "{}")
                        .after(10, new Event.RunClaimed(1, "host-2"))
                        .enters(1, "a")
                        .intends(1, "a", 0, "model", "m", "{}")
                        .gets(1, "a", 0, "model", Status.DONE, "{}")
                        .leaves(1, "a", "end")
                        .stops(1, "completed"));

        assertThat(receiver.spans()).hasSize(3);
        assertThat(receiver.span("invoke_workflow agent").getEventsList())
                .singleElement()
                .satisfies(event -> {
                    assertThat(event.getName()).isEqualTo("run.claimed");
                    assertThat(event.getTimeUnixNano()).isEqualTo(millis(12));
                    assertThat(attributes(event.getAttributesList()))
                            .containsEntry("glovebox.epoch", 1L)
                            .containsEntry("glovebox.claimed_by", "host-2");
                });
        assertThat(receiver.span("glovebox.node a").getEventsList())
                .extracting(Span.Event::getName)
                .containsExactly("node.started");
        assertThat(receiver.span("glovebox.node a").getStartTimeUnixNano()).isEqualTo(millis(1));
    }

    @Test
    void events_of_unknown_types_and_versions_are_events_of_the_span_they_are_in() {
        send(
                new Tape("run-1")
                        .starts("agent")
                        .enters(1, "a")
                        .after(
                                1,
                                new Event.Other(
                                        "dream.begun",
                                        1,
                                        Tape.json("{'derived':{'path':'a'},'observed':{}}")))
                        .after(
                                1,
                                new Event.Other(
                                        "run.finished",
                                        2,
                                        Tape.json("{'derived':{},'observed':{}}")))
                        .leaves(1, "a", "end")
                        .stops(1, "completed"));

        assertThat(receiver.span("glovebox.node a").getEventsList())
                .extracting(Span.Event::getName)
                .containsExactly("dream.begun");
        assertThat(receiver.span("invoke_workflow agent").getEventsList())
                .extracting(Span.Event::getName)
                .containsExactly("run.finished");
    }

    @Test
    void a_record_whose_body_makes_no_sense_is_an_event_too() {
        send(
                new Tape("run-1")
                        .starts("agent")
                        .after(
                                1,
                                new Event.Other(
                                        "effect.outcome",
                                        1,
                                        Tape.json("{'derived':{'path':3},'observed':{}}")))
                        .stops(1, "completed"));

        assertThat(receiver.span("invoke_workflow agent").getEventsList())
                .extracting(Span.Event::getName)
                .containsExactly("effect.outcome");
    }

    @Test
    void records_that_come_twice_count_once_and_redactions_after_the_end_begin_nothing() {
        Tape tape =
                coder("run-1")
                        .after(1, new Event.BlobRedacted(STDERR.digest(), "asked for by law"));
        List<Entry> stuttering = tape.entries().stream().flatMap(e -> Stream.of(e, e)).toList();
        List<Entry> untilTheEnd = stuttering.subList(0, stuttering.size() - 3);
        send(
                digest -> Optional.empty(),
                List.of(
                        untilTheEnd,
                        tape.entries().subList(tape.entries().size() - 1, tape.entries().size())));

        assertThat(receiver.spans()).hasSize(6);
    }

    @Test
    void runs_may_be_interleaved() {
        Tape one = coder("run-1");
        Tape two = coder("run-2");
        try (Telemetry telemetry =
                Telemetry.fromEnvironment(receiver.environment(), digest -> Optional.empty())) {
            for (int i = 0; i < one.entries().size(); i++) {
                telemetry.accept(one.entries().get(i));
                telemetry.accept(two.entries().get(i));
            }
        }

        assertThat(receiver.spans()).hasSize(12);
        assertThat(receiver.spans().stream().map(Span::getTraceId).distinct()).hasSize(2);
    }

    @Test
    void many_threads_may_show_many_runs() {
        int runs = 200;
        try (Telemetry telemetry =
                Telemetry.fromEnvironment(
                        receiver.environment("OTEL_BSP_MAX_QUEUE_SIZE", "10000"),
                        digest -> Optional.empty())) {
            IntStream.range(0, runs).parallel().forEach(i -> coder("run-" + i).play(telemetry));
        }

        List<Span> spans = receiver.spans();
        Map<ByteString, Span> byId =
                spans.stream().collect(Collectors.toMap(Span::getSpanId, Function.identity()));
        assertThat(byId).hasSize(runs * 6);
        assertThat(spans)
                .filteredOn(span -> !span.getParentSpanId().isEmpty())
                .hasSize(runs * 5)
                .allSatisfy(span ->
                        assertThat(byId.get(span.getParentSpanId()))
                                .extracting(Span::getTraceId)
                                .isEqualTo(span.getTraceId()));
    }

    @Test
    void a_store_that_cannot_be_read_costs_the_preview_only() {
        send(
                digest -> {
                    throw new IllegalStateException("closed");
                },
                List.of(coder("run-1").entries()));

        assertThat(of("sandbox.exec"))
                .containsEntry("sandbox.exit_code", 1L)
                .doesNotContainKey("sandbox.stderr_preview");
    }
}
