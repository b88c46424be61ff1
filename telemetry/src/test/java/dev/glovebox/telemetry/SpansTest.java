package dev.glovebox.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.glovebox.trace.Blob;
import dev.glovebox.trace.BlobRef;
import dev.glovebox.trace.Event;
import dev.glovebox.trace.Event.Status;
import io.opentelemetry.proto.trace.v1.Span.SpanKind;
import io.opentelemetry.proto.trace.v1.Status.StatusCode;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What a receiver gets to see of what runs did. */
class SpansTest extends SentSpans {

    @Test
    void a_model_call_has_the_attributes_of_the_conventions() {
        send(coder("run-1"));

        assertThat(receiver.span("chat gpt-4o").getKind()).isEqualTo(SpanKind.SPAN_KIND_CLIENT);
        assertThat(status("chat gpt-4o")).isEqualTo(StatusCode.STATUS_CODE_UNSET);
        assertThat(of("chat gpt-4o"))
                .containsExactlyInAnyOrderEntriesOf(
                        Map.ofEntries(
                                Map.entry("gen_ai.operation.name", "chat"),
                                Map.entry("gen_ai.provider.name", "openai"),
                                Map.entry("gen_ai.request.model", "gpt-4o"),
                                Map.entry("gen_ai.request.max_tokens", 500L),
                                Map.entry("gen_ai.request.stream", true),
                                Map.entry("gen_ai.agent.name", "planner"),
                                Map.entry("gen_ai.output.type", "json"),
                                Map.entry("gen_ai.response.id", "r-1"),
                                Map.entry("gen_ai.response.model", "gpt-4o-2024"),
                                Map.entry("gen_ai.response.finish_reasons", List.of("stop")),
                                Map.entry("gen_ai.response.time_to_first_chunk", 0.25),
                                Map.entry("gen_ai.usage.input_tokens", 1200L),
                                Map.entry("gen_ai.usage.output_tokens", 80L),
                                Map.entry("gen_ai.usage.cache_read.input_tokens", 1000L),
                                Map.entry("gen_ai.usage.cache_creation.input_tokens", 100L),
                                Map.entry("gen_ai.usage.reasoning.output_tokens", 30L),
                                Map.entry("glovebox.cost.usd", 0.0025),
                                Map.entry("server.address", "api.example.com"),
                                Map.entry("server.port", 443L),
                                Map.entry("glovebox.effect.key", "planner#0"),
                                Map.entry("glovebox.path", "planner")));
    }

    @Test
    void a_tool_call_has_the_attributes_of_the_conventions() {
        send(coder("run-1"));

        assertThat(receiver.span("execute_tool run_python").getKind())
                .isEqualTo(SpanKind.SPAN_KIND_INTERNAL);
        assertThat(of("execute_tool run_python"))
                .containsEntry("gen_ai.operation.name", "execute_tool")
                .containsEntry("gen_ai.tool.name", "run_python")
                .containsEntry("gen_ai.tool.type", "function")
                .containsEntry("gen_ai.tool.call.id", "call-9")
                .containsEntry("gen_ai.tool.description", "Runs Python");
    }

    @Test
    void a_program_that_fails_is_an_error_with_the_beginning_of_what_it_said() {
        send(coder("run-1"));

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
                                Map.entry(
                                        "sandbox.stderr_preview", "Traceback: division by zero\n"),
                                Map.entry("glovebox.sandbox.outcome", "exited"),
                                Map.entry("error.type", "exited"),
                                Map.entry("glovebox.effect.key", "agent/run_python#0"),
                                Map.entry("glovebox.path", "agent/run_python")));
    }

    @Test
    void what_is_done_with_a_memory_has_the_attributes_of_the_conventions() {
        send(
                new Tape("run-1")
                        .starts("agent")
                        .intends(0, "a", 0, "memory", "search", "{'store':'facts'}")
                        .gets(1, "a", 0, "memory", Status.DONE, "{'records':3}")
                        .intends(0, "a", 1, "memory", "upsert", "{'store':'episodes'}")
                        .gets(1, "a", 1, "memory", Status.DONE, "{'records':1,'record':'id-1'}")
                        .intends(0, "a", 2, "memory", "delete", "{'record':'id-2'}")
                        .gets(1, "a", 2, "memory", Status.FAILED, "{}")
                        .stops(0, "completed"));

        assertThat(receiver.span("search_memory facts").getKind())
                .isEqualTo(SpanKind.SPAN_KIND_INTERNAL);
        assertThat(of("search_memory facts"))
                .containsEntry("gen_ai.operation.name", "search_memory")
                .containsEntry("gen_ai.memory.store.id", "facts")
                .containsEntry("gen_ai.memory.record.count", 3L)
                .doesNotContainKey("error.type");
        assertThat(of("upsert_memory episodes"))
                .containsEntry("gen_ai.operation.name", "upsert_memory")
                .containsEntry("gen_ai.memory.record.id", "id-1");
        assertThat(of("delete_memory"))
                .containsEntry("gen_ai.memory.record.id", "id-2")
                .containsEntry("error.type", "_OTHER");
    }

    private Tape exec(String outcome) {
        return new Tape("run-1")
                .starts("exec")
                .intends(0, "", 0, "sandbox.exec", "python3", "{'tier':'jail'}")
                .gets(5, "", 0, "sandbox.exec", Status.DONE, outcome)
                .stops(0, "completed");
    }

    @Test
    void a_program_that_exits_with_0_is_ok() {
        send(exec("{'outcome':{'type':'exited','code':0}}"));

        assertThat(status("sandbox.exec")).isEqualTo(StatusCode.STATUS_CODE_OK);
        assertThat(of("sandbox.exec")).containsEntry("sandbox.exit_code", 0L);
        assertParent("sandbox.exec", "invoke_workflow exec");
    }

    @Test
    void a_time_out_and_a_limit_are_errors() {
        send(exec("{'outcome':{'type':'timed-out','limit_ms':1000}}"));

        assertThat(status("sandbox.exec")).isEqualTo(StatusCode.STATUS_CODE_ERROR);
        assertThat(of("sandbox.exec"))
                .containsEntry("sandbox.timed_out", true)
                .containsEntry("error.type", "timed-out")
                .doesNotContainKey("sandbox.exit_code");
    }

    @Test
    void the_tier_that_was_really_used_replaces_the_one_that_was_asked_for() {
        send(exec("{'tier':'gvisor','outcome':{'type':'limit-hit','limit':'memory'}}"));

        assertThat(status("sandbox.exec")).isEqualTo(StatusCode.STATUS_CODE_ERROR);
        assertThat(of("sandbox.exec")).containsEntry("sandbox.tier", "gvisor");
    }

    @Test
    void of_long_error_output_200_characters_are_sent() {
        Blob words = Tape.blob("😀".repeat(150) + "x".repeat(1000));
        send(
                digest -> Optional.of(words),
                List.of(Tape.coder("run-1", words.reference(BlobRef.TEXT)).entries()));

        assertThat(of("sandbox.exec"))
                .containsEntry("sandbox.stderr_preview", "😀".repeat(150) + "x".repeat(50));
    }

    @Test
    void private_error_output_is_not_sent() {
        Blob secret = Tape.privateBlob("password: 1234");
        send(
                digest -> Optional.of(secret),
                List.of(Tape.coder("run-1", secret.reference(BlobRef.TEXT)).entries()));

        assertThat(of("sandbox.exec")).doesNotContainKey("sandbox.stderr_preview");
    }

    @Test
    void redacted_error_output_is_not_sent() {
        send(digest -> Optional.empty(), List.of(coder("run-1").entries()));

        assertThat(of("sandbox.exec")).doesNotContainKey("sandbox.stderr_preview");
    }

    @Test
    void what_somebody_asked_and_noted_is_not_sent() {
        send(
                new Tape("run-1")
                        .starts("coder")
                        .after(1, new Event.Noted("", 0, "The customer's name"))
                        .stops(1, "completed"));

        assertThat(receiver.resourceSpans().toString())
                .doesNotContain("What somebody asked")
                .doesNotContain("The customer's name");
    }

    @Test
    void the_root_tells_the_run_and_why_it_stopped() {
        send(coder("run-1"), new Tape("run-2").starts("exec").stops(1, "BudgetExhausted(tokens)"));

        assertThat(status("invoke_workflow coder")).isEqualTo(StatusCode.STATUS_CODE_OK);
        assertThat(of("invoke_workflow coder"))
                .isEqualTo(
                        Map.of(
                                "gen_ai.operation.name",
                                "invoke_workflow",
                                "gen_ai.workflow.name",
                                "coder",
                                "glovebox.run.id",
                                "run-1",
                                "glovebox.software",
                                "glovebox 0.1.0",
                                "glovebox.stop",
                                "completed"));
        assertThat(status("invoke_workflow exec")).isEqualTo(StatusCode.STATUS_CODE_ERROR);
        assertThat(of("invoke_workflow exec"))
                .containsEntry("error.type", "BudgetExhausted(tokens)");
    }

    @Test
    void a_cancelled_run_is_neither_good_nor_bad() {
        send(new Tape("run-1").starts("exec").stops(1, "cancelled"));

        assertThat(status("invoke_workflow exec")).isEqualTo(StatusCode.STATUS_CODE_UNSET);
    }

    @Test
    void effects_that_fail_are_errors_of_the_type_that_they_name() {
        send(
                new Tape("run-1")
                        .starts("agent")
                        .intends(0, "a", 0, "model", "m", "{}")
                        .gets(
                                1,
                                "a",
                                0,
                                "model",
                                Status.FAILED,
                                "{'problem':{'code':'rate-limit'}}")
                        .intends(0, "a", 1, "tool", "t", "{}")
                        .gets(
                                1,
                                "a",
                                1,
                                "tool",
                                Status.FAILED,
                                "{'problem':{'code':'What somebody said'}}")
                        .intends(0, "a", 2, "mail", "somebody", "{}")
                        .gets(1, "a", 2, "mail", Status.UNKNOWN, "{}")
                        .stops(0, "ModelFailed"));

        assertThat(of("chat m")).containsEntry("error.type", "rate-limit");
        assertThat(of("execute_tool t")).containsEntry("error.type", "_OTHER");
        assertThat(of("glovebox.effect mail"))
                .containsEntry("error.type", "unknown")
                .containsEntry("glovebox.effect.name", "somebody");
        assertThat(receiver.spans())
                .extracting(span -> span.getStatus().getCode())
                .containsOnly(StatusCode.STATUS_CODE_ERROR);
    }
}
