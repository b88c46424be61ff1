package dev.glovebox.cli;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.glovebox.run.OpenQuestion;
import dev.glovebox.run.Runs;
import dev.glovebox.trace.Trace;
import dev.glovebox.trace.spi.RunRow;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** What a run waits for. */
record Questions(String run, List<OpenQuestion> open) {

    static Questions of(Trace trace, RunRow row) {
        if (row.finishedAt().isPresent()) {
            return new Questions(row.run(), List.of());
        }
        try (Runs runs = Runs.in(trace)) {
            return new Questions(row.run(), runs.questions(row.run()));
        }
    }

    /** For people, with what to type. */
    List<String> lines(Paint paint) {
        List<String> lines = new ArrayList<>();
        for (OpenQuestion question : open) {
            List<String> choices = question.question().choices();
            String key = open.size() == 1 ? "" : " " + quoted(question.key());
            lines.add(paint.doubtful("It asks: " + Shell.oneLine(question.question().text())));
            question.until()
                    .ifPresent(until -> lines.add(paint.faint("  until " + Times.local(until))));
            lines.add(
                    "  glovebox trace answer %s%s %s"
                            .formatted(
                                    run,
                                    key,
                                    choices.isEmpty()
                                            ? "ANSWER"
                                            : Shell.oneLine(String.join("|", choices))));
        }
        return lines;
    }

    /** Keys have a number sign, which begins a comment in shells. */
    private static String quoted(String key) {
        return "'" + Shell.oneLine(key) + "'";
    }

    void write(JsonGenerator json) throws IOException {
        if (open.isEmpty()) {
            return;
        }
        json.writeArrayFieldStart("questions");
        for (OpenQuestion question : open) {
            json.writeStartObject();
            json.writeStringField("question", question.key());
            json.writeStringField("text", question.question().text());
            json.writeArrayFieldStart("choices");
            for (String choice : question.question().choices()) {
                json.writeString(choice);
            }
            json.writeEndArray();
            if (question.until().isPresent()) {
                json.writeStringField("until", question.until().get().toString());
            }
            json.writeEndObject();
        }
        json.writeEndArray();
    }
}
