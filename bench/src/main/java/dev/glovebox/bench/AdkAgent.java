package dev.glovebox.bench;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.google.adk.agents.LlmAgent;
import com.google.adk.events.Event;
import com.google.adk.models.BaseLlm;
import com.google.adk.models.BaseLlmConnection;
import com.google.adk.models.LlmRequest;
import com.google.adk.models.LlmResponse;
import com.google.adk.runner.InMemoryRunner;
import com.google.adk.sessions.Session;
import com.google.adk.tools.Annotations.Schema;
import com.google.adk.tools.FunctionTool;
import com.google.genai.types.Content;
import com.google.genai.types.FunctionCall;
import com.google.genai.types.Part;
import io.reactivex.rxjava3.core.Flowable;
import java.util.Map;

/** An agent of Google's ADK that adds. */
public final class AdkAgent {

    private static final String NAME = "adder";
    private static final String USER = "bench";

    private final Sums sums = new Sums();
    private final InMemoryRunner runner =
            new InMemoryRunner(
                    LlmAgent.builder()
                            .name(NAME)
                            .model(new Instant())
                            .instruction(Sums.INSTRUCTIONS)
                            .tools(FunctionTool.create(this, "add"))
                            .build(),
                    NAME);

    /** The tool; here it must give a map. */
    @Schema(description = Sums.DESCRIPTION)
    public Map<String, Object> add(
            @Schema(name = "first") int first, @Schema(name = "second") int second) {
        return Map.of("result", sums.add(first, second));
    }

    String run() {
        Session session = runner.sessionService().createSession(NAME, USER).blockingGet();
        Event last =
                runner.runAsync(USER, session.id(), Content.fromParts(Part.fromText(Sums.TASK)))
                        .blockingLast();
        runner.sessionService().deleteSession(NAME, USER, session.id()).blockingAwait();
        return sums.checked(last.stringifyContent());
    }

    /** Answers at once. */
    private static final class Instant extends BaseLlm {

        private static final JsonMapper JSON = new JsonMapper();
        private static final TypeReference<Map<String, Object>> ARGUMENTS =
                new TypeReference<>() {};

        Instant() {
            super("instant");
        }

        @Override
        public Flowable<LlmResponse> generateContent(LlmRequest request, boolean stream) {
            // Behind the task there are a call and a result for each round.
            int round = (request.contents().size() - 1) / 2;
            Part part = round < Sums.ROUNDS ? call(round) : Part.fromText(Sums.ANSWER);
            return Flowable.just(
                    LlmResponse.builder()
                            .content(Content.builder().role("model").parts(part).build())
                            .build());
        }

        /** Its arguments are read here, since a model of this kind must give a map. */
        private static Part call(int round) {
            try {
                return Part.builder()
                        .functionCall(
                                FunctionCall.builder()
                                        .id("call-" + round)
                                        .name(Sums.TOOL)
                                        .args(JSON.readValue(Sums.arguments(round), ARGUMENTS))
                                        .build())
                        .build();
            } catch (JsonProcessingException e) {
                throw new IllegalStateException(e);
            }
        }

        @Override
        public BaseLlmConnection connect(LlmRequest request) {
            throw new UnsupportedOperationException("Nobody connects");
        }
    }
}
