package dev.glovebox.trace;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.glovebox.trace.Event.EffectId;
import dev.glovebox.trace.Event.EffectIntent;
import dev.glovebox.trace.Event.EffectOutcome;
import dev.glovebox.trace.Event.Status;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GrowthTest {

    private static final int CALLS = 1_000;
    private static final int TOKENS = 209_000;
    private static final int BYTES_PER_TOKEN = 4;
    private static final int KIBIBYTE = 1024;

    @TempDir private Path home;

    /** Sent again with every call, the conversation would be 400 MB; it is recorded once. */
    @Test
    void aConversationThatGrowsIsRecordedOnce() {
        try (Installation here = new Installation(home.resolve("keys"))) {
            Recorder recorder = here.start("a long conversation");
            Random random = new Random(1);
            List<JsonNode> messages = new ArrayList<>();
            KeptList before = KeptList.EMPTY;
            long distinct = 0;
            for (int call = 0; call < CALLS; call++) {
                String question = words(random, TOKENS * BYTES_PER_TOKEN / CALLS / 2);
                String answer = words(random, TOKENS * BYTES_PER_TOKEN / CALLS / 2);
                distinct += question.length() + answer.length();
                messages.add(message("user", question));
                KeptList list = recorder.keepList(before, messages);
                EffectId id = new EffectId("agent/loop:" + call, call, "call-" + call, "model");
                recorder.record(new EffectIntent(id, "a-model", list.reference(), Event.NONE));
                BlobRef result = recorder.keep(Installation.utf8(answer), BlobRef.TEXT);
                recorder.record(
                        new EffectOutcome(
                                id,
                                Status.DONE,
                                Optional.of(result),
                                Duration.ofSeconds(1),
                                Event.NONE));
                // The answer is in the list by reference: its bytes are kept already.
                messages.add(result.json());
                before = list;
            }
            recorder.finish("Completed");
            String run = recorder.run();
            long records = here.store.tape(run).stream().mapToLong(line -> line.length + 1).sum();
            long blobs =
                    here.store.blobs.values().stream().mapToLong(b -> b.content().length).sum();
            long most = distinct * 3 / 2 + recorder.size() * KIBIBYTE;

            assertThat(distinct).isGreaterThan(800_000);
            assertThat(records + blobs).isLessThanOrEqualTo(most);
            byte[] export = here.export(run);
            assertThat((long) export.length).isLessThanOrEqualTo(most);
            assertThat(ExportLines.verdict(export, here.trusted()))
                    .isInstanceOf(Verdict.Intact.class);
            assertThat(here.trace.list(before.reference()).elements())
                    .map(JsonNode::toString)
                    .isEqualTo(
                            messages.subList(0, messages.size() - 1).stream()
                                    .map(JsonNode::toString)
                                    .toList());
        }
    }

    private static JsonNode message(String role, String text) {
        return JsonNodeFactory.instance.objectNode().put("role", role).put("text", text);
    }

    private static String words(Random random, int length) {
        StringBuilder text = new StringBuilder();
        while (text.length() < length) {
            text.append((char) ('a' + random.nextInt(26)));
            if (random.nextInt(5) == 0) {
                text.append(' ');
            }
        }
        return text.toString();
    }
}
