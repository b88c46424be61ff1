package dev.glovebox.telemetry;

import static io.opentelemetry.api.common.AttributeKey.booleanKey;
import static io.opentelemetry.api.common.AttributeKey.doubleKey;
import static io.opentelemetry.api.common.AttributeKey.longKey;
import static io.opentelemetry.api.common.AttributeKey.stringArrayKey;
import static io.opentelemetry.api.common.AttributeKey.stringKey;

import io.opentelemetry.api.common.AttributeKey;
import java.util.List;

/**
 * Every name that leaves this module, once.
 *
 * <p>The {@code gen_ai} names are those of the OpenTelemetry conventions for generative AI, which
 * are still in development; when they change, this table does. What has no convention is ours and
 * never begins with {@code gen_ai}.
 */
final class Names {

    static final String SCOPE = "dev.glovebox";
    static final String SCHEMA = "https://opentelemetry.io/schemas/gen-ai/1.42.0";

    // Operations, which are also how the names of their spans begin.
    static final String CHAT = "chat";
    static final String EXECUTE_TOOL = "execute_tool";
    static final String INVOKE_AGENT = "invoke_agent";
    static final String INVOKE_WORKFLOW = "invoke_workflow";

    /** How those on memories end: they begin with what is done, such as {@code search}. */
    static final String MEMORY_OPERATION = "_memory";

    // Other spans.
    static final String NODE = "glovebox.node";
    static final String EFFECT = "glovebox.effect";
    static final String SANDBOX_EXEC = "sandbox.exec";

    // Attributes of the conventions.
    static final AttributeKey<String> SERVICE_NAME = stringKey("service.name");
    static final AttributeKey<String> ERROR_TYPE = stringKey("error.type");
    static final AttributeKey<String> SERVER_ADDRESS = stringKey("server.address");
    static final AttributeKey<Long> SERVER_PORT = longKey("server.port");
    static final AttributeKey<String> OPERATION = stringKey("gen_ai.operation.name");
    static final AttributeKey<String> WORKFLOW = stringKey("gen_ai.workflow.name");
    static final AttributeKey<String> AGENT = stringKey("gen_ai.agent.name");
    static final AttributeKey<String> PROVIDER = stringKey("gen_ai.provider.name");
    static final AttributeKey<String> OUTPUT_TYPE = stringKey("gen_ai.output.type");
    static final AttributeKey<String> REQUEST_MODEL = stringKey("gen_ai.request.model");
    static final AttributeKey<Long> MAX_TOKENS = longKey("gen_ai.request.max_tokens");
    static final AttributeKey<Boolean> STREAM = booleanKey("gen_ai.request.stream");
    static final AttributeKey<String> RESPONSE_ID = stringKey("gen_ai.response.id");
    static final AttributeKey<String> RESPONSE_MODEL = stringKey("gen_ai.response.model");
    static final AttributeKey<List<String>> FINISH_REASONS =
            stringArrayKey("gen_ai.response.finish_reasons");
    static final AttributeKey<Double> FIRST_CHUNK =
            doubleKey("gen_ai.response.time_to_first_chunk");
    static final AttributeKey<Long> INPUT_TOKENS = longKey("gen_ai.usage.input_tokens");
    static final AttributeKey<Long> OUTPUT_TOKENS = longKey("gen_ai.usage.output_tokens");
    static final AttributeKey<Long> CACHE_READ_TOKENS =
            longKey("gen_ai.usage.cache_read.input_tokens");
    static final AttributeKey<Long> CACHE_CREATION_TOKENS =
            longKey("gen_ai.usage.cache_creation.input_tokens");
    static final AttributeKey<Long> REASONING_TOKENS =
            longKey("gen_ai.usage.reasoning.output_tokens");
    static final AttributeKey<String> TOKEN_TYPE = stringKey("gen_ai.token.type");
    static final AttributeKey<String> TOOL_NAME = stringKey("gen_ai.tool.name");
    static final AttributeKey<String> TOOL_TYPE = stringKey("gen_ai.tool.type");
    static final AttributeKey<String> TOOL_CALL_ID = stringKey("gen_ai.tool.call.id");
    static final AttributeKey<String> TOOL_DESCRIPTION = stringKey("gen_ai.tool.description");
    static final AttributeKey<String> MEMORY_STORE = stringKey("gen_ai.memory.store.id");
    static final AttributeKey<String> MEMORY_RECORD = stringKey("gen_ai.memory.record.id");
    static final AttributeKey<Long> MEMORY_COUNT = longKey("gen_ai.memory.record.count");

    // Attributes of ours.
    static final AttributeKey<String> TIER = stringKey("sandbox.tier");
    static final AttributeKey<Long> CODE_LENGTH = longKey("sandbox.code_length");
    static final AttributeKey<Double> TIMEOUT = doubleKey("sandbox.timeout_s");
    static final AttributeKey<Long> MEMORY_LIMIT = longKey("sandbox.mem_limit_mb");
    static final AttributeKey<Long> EXIT_CODE = longKey("sandbox.exit_code");
    static final AttributeKey<Boolean> TIMED_OUT = booleanKey("sandbox.timed_out");
    static final AttributeKey<Long> STDOUT_BYTES = longKey("sandbox.stdout_bytes");
    static final AttributeKey<String> STDERR_PREVIEW = stringKey("sandbox.stderr_preview");
    static final AttributeKey<String> OUTCOME = stringKey("glovebox.sandbox.outcome");
    static final AttributeKey<String> RUN_ID = stringKey("glovebox.run.id");
    static final AttributeKey<String> SOFTWARE = stringKey("glovebox.software");
    static final AttributeKey<String> STOP = stringKey("glovebox.stop");
    static final AttributeKey<String> PATH = stringKey("glovebox.path");
    static final AttributeKey<String> EDGE = stringKey("glovebox.edge");
    static final AttributeKey<String> EFFECT_KEY = stringKey("glovebox.effect.key");
    static final AttributeKey<String> EFFECT_NAME = stringKey("glovebox.effect.name");
    static final AttributeKey<String> FAILURE = stringKey("glovebox.failure.category");
    static final AttributeKey<Double> COST = doubleKey("glovebox.cost.usd");
    static final AttributeKey<Boolean> PARTIAL = booleanKey("glovebox.partial");
    static final AttributeKey<Boolean> UNFINISHED = booleanKey("glovebox.unfinished");
    static final AttributeKey<Long> EPOCH = longKey("glovebox.epoch");
    static final AttributeKey<String> CLAIMED_BY = stringKey("glovebox.claimed_by");
    static final AttributeKey<Long> ORDINAL = longKey("glovebox.ordinal");
    static final AttributeKey<Long> VERSION = longKey("glovebox.version");

    // Metrics.
    static final String TOKEN_USAGE = "gen_ai.client.token.usage";
    static final String OPERATION_DURATION = "gen_ai.client.operation.duration";
    static final String TOOL_DURATION = "gen_ai.execute_tool.duration";
    static final String AGENT_DURATION = "gen_ai.invoke_agent.duration";
    static final String WORKFLOW_DURATION = "gen_ai.workflow.duration";
    static final String RUN_COUNT = "glovebox.run.count";
    static final String ATTEMPTS = "glovebox.run.attempts";
    static final String FAILURES = "glovebox.attempt.failures";
    static final String MODEL_COST = "glovebox.model.cost";
    static final String SANDBOX_DURATION = "glovebox.sandbox.duration";
    static final String SANDBOX_OUTCOME = "glovebox.sandbox.outcome";
    static final String DROPPED = "glovebox.telemetry.dropped";

    // Upper ends of buckets: the first three are the conventions'.
    static final List<Long> TOKEN_BUCKETS =
            List.of(
                    1L, 4L, 16L, 64L, 256L, 1024L, 4096L, 16384L, 65536L, 262144L, 1048576L,
                    4194304L, 16777216L, 67108864L);
    static final List<Double> OPERATION_BUCKETS =
            List.of(
                    0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96,
                    81.92);

    static final List<Double> AGENT_BUCKETS =
            List.of(0.1, 0.2, 0.4, 0.8, 1.6, 3.2, 6.4, 12.8, 25.6, 51.2, 102.4, 204.8, 409.6);

    /** A run may take many model calls. */
    static final List<Double> WORKFLOW_BUCKETS =
            List.of(
                    0.04, 0.16, 0.64, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92, 163.84, 327.68,
                    655.36, 1310.72, 2621.44);

    /** A box may take a few milliseconds. */
    static final List<Double> SANDBOX_BUCKETS =
            List.of(0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 30.0, 60.0);

    /** Nobody tries more often. */
    static final List<Long> ATTEMPT_BUCKETS = List.of(1L, 2L, 3L, 4L, 5L, 7L, 10L, 20L);

    private Names() {}
}
