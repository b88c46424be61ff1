package dev.glovebox.bench;

import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.memory.ChatMemory;
import dev.langchain4j.memory.chat.MessageWindowChatMemory;
import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.service.AiServices;

/** An AI Service of LangChain4j that adds. */
final class LangChainAgent {

    private final Sums sums = new Sums();
    private final ChatMemory memory = MessageWindowChatMemory.withMaxMessages(3 * Sums.ROUNDS);
    private final Adder adder =
            AiServices.builder(Adder.class)
                    .chatModel(new Instant())
                    .systemMessageProvider(id -> Sums.INSTRUCTIONS)
                    .chatMemory(memory)
                    .tools(sums)
                    .build();

    /** What a user of it sees. */
    interface Adder {
        String ask(String task);
    }

    String run() {
        memory.clear();
        return sums.checked(adder.ask(Sums.TASK));
    }

    /** Answers at once. */
    private static final class Instant implements ChatModel {

        @Override
        public ChatResponse doChat(ChatRequest request) {
            // Behind the instructions and the task there are a call and a result for each round.
            int round = (request.messages().size() - 2) / 2;
            return ChatResponse.builder()
                    .aiMessage(
                            round < Sums.ROUNDS
                                    ? AiMessage.from(call(round))
                                    : AiMessage.from(Sums.ANSWER))
                    .build();
        }

        private static ToolExecutionRequest call(int round) {
            return ToolExecutionRequest.builder()
                    .id("call-" + round)
                    .name(Sums.TOOL)
                    .arguments(Sums.arguments(round))
                    .build();
        }
    }
}
