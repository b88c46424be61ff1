package dev.glovebox.coder;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Map;

/** Of recipes about files, which make a sample of those that are not there. */
final class FileOracles {

    private FileOracles() {}

    static void into(Map<String, Oracle> all) {
        all.put("json-file", FileOracles::json);
        all.put("csv-report", FileOracles::csv);
        all.put("text-file", FileOracles::text);
    }

    private static void saysSo(JsonNode inputs, Printed printed) {
        assertThat(printed.lines().getFirst())
                .startsWith("There is no " + inputs.path("file").asText() + ": creating it");
    }

    private static void json(JsonNode inputs, Printed printed) {
        saysSo(inputs, printed);
        List<String> lines = printed.lines();
        String body = String.join("\n", lines.subList(1, lines.size() - 1));
        if (inputs.path("operation").asText().equals("csv")) {
            assertThat(body)
                    .isEqualTo(
                            """
                            name,city,age
                            Ada,London,36
                            Emmy,Erlangen,53
                            Srinivasa,Madras,32\
                            """);
            assertThat(lines.getLast())
                    .isEqualTo(
                            "Wrote 3 rows to "
                                    + inputs.path("file").asText().replace(".json", ".csv"));
            return;
        }
        try {
            JsonNode data = RecipeRuns.JSON.readTree(body);
            assertThat(data).hasSize(3);
            assertThat(data.get(0).path("city").asText()).isEqualTo("London");
        } catch (JsonProcessingException e) {
            throw new AssertionError(body, e);
        }
        assertThat(printed.after("Entries:")).isEqualTo("3");
    }

    private static void csv(JsonNode inputs, Printed printed) {
        saysSo(inputs, printed);
        Map<String, String> expected =
                switch (inputs.path("how").asText()) {
                    case "sum" -> Map.of("north:", "165.50", "south:", "100.00", "east:", "60.00");
                    case "average" ->
                            Map.of("north:", "82.75", "south:", "50.00", "east:", "60.00");
                    default -> Map.of("north:", "2", "south:", "2", "east:", "1");
                };
        expected.forEach((label, value) -> assertThat(printed.after(label)).isEqualTo(value));
    }

    private static void text(JsonNode inputs, Printed printed) {
        saysSo(inputs, printed);
        assertThat(printed.after("Lines:")).isEqualTo("4");
        assertThat(printed.after("Empty lines:")).isEqualTo("1");
        assertThat(printed.after("Words:")).isEqualTo("19");
        assertThat(printed.after("Longest line:")).startsWith("The second one");
    }
}
