package dev.glovebox.cli;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.datatype.jdk8.Jdk8Module;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;
import dev.glovebox.agent.OutcomeJson;
import dev.glovebox.coder.Attempt;
import dev.glovebox.coder.CodeArtifact;
import dev.glovebox.coder.Difference;
import dev.glovebox.coder.ExecutionReport;
import dev.glovebox.coder.Work;
import dev.glovebox.run.Cost;
import dev.glovebox.run.Status;
import dev.glovebox.trace.Trace;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** What came of a task, for people and for programs. */
final class RunReport {

    private static final int WIDTH = 78;
    private static final int MICRO = 6;

    private static final JsonMapper MAPPER =
            JsonMapper.builder()
                    .addModule(new Jdk8Module())
                    .addModule(new JavaTimeModule())
                    .build();

    private final Shell shell;
    private final Trace trace;
    private final RunRecord record;
    private final long nanos;
    private final Paint paint;

    RunReport(Shell shell, Trace trace, RunRecord record, long nanos) {
        this.shell = shell;
        this.trace = trace;
        this.record = record;
        this.nanos = nanos;
        this.paint = new Paint(shell.coloured());
    }

    boolean isSealed() {
        return record.isSealed();
    }

    /** Says on standard error, in every form of the report, that there is no seal. */
    private void unsealed() {
        record.problem().ifPresent(why -> shell.say("recorded, but not sealed: " + why));
    }

    /** Code, output, and how it ended. */
    void text(Status.Finished<Work> end) {
        Work work = end.state();
        work.best()
                .ifPresent(attempt -> {
                    attempt.artifact().files().forEach((name, source) -> code(name, source));
                    changes(work, attempt);
                    printed(attempt.report());
                    left(attempt.report());
                    attempt.problems()
                            .forEach(problem -> shell.print(paint.bad("✗ ") + line(problem)));
                    attempt.diagnosis()
                            .filter(any -> !end.isCompleted())
                            .ifPresent(known ->
                                    shell.print(
                                            paint.doubtful("? ")
                                                    + line(
                                                            known.category()
                                                                    + ": "
                                                                    + known.cause())));
                });
        if (!end.isCompleted()) {
            shell.print(
                    paint.bad("✗ " + end.reason().word())
                            + "  "
                            + line(Ending.words(end.reason())));
        }
        int made = work.attempts().size();
        shell.print(
                (end.isCompleted() ? paint.good("✓ completed") : paint.faint("stopped"))
                        + " in %.2f s · %d attempt%s · %s"
                                .formatted(
                                        nanos / 1e9,
                                        made,
                                        made == 1 ? "" : "s",
                                        money(end.spent())));
        shell.print(paint.faint("trace " + end.run()));
        if (isSealed()) {
            shell.print(paint.faint("sealed; verify with: glovebox trace verify " + end.run()));
        } else {
            shell.print(
                    paint.bad("✗ not sealed")
                            + "  what is recorded: glovebox trace show "
                            + end.run());
        }
        unsealed();
    }

    private void code(String name, String source) {
        head(Shell.oneLine(name));
        List<String> lines = source.lines().toList();
        int digits = String.valueOf(lines.size()).length();
        for (int i = 0; i < lines.size(); i++) {
            String number = ("%" + digits + "d").formatted(i + 1);
            shell.print(paint.faint(number + " │ ") + visible(lines.get(i)));
        }
    }

    /** What was changed so that it works. */
    private void changes(Work work, Attempt best) {
        CodeArtifact first = work.attempts().getFirst().artifact();
        List<String> lines = Difference.between(first, best.artifact());
        if (lines.isEmpty()) {
            return;
        }
        head("what was changed");
        for (String line : lines) {
            String seen = visible(line);
            shell.print(
                    switch (seen.isEmpty() ? ' ' : seen.charAt(0)) {
                        case '+' -> paint.good(seen);
                        case '-' -> paint.bad(seen);
                        default -> paint.faint(seen);
                    });
        }
    }

    private void printed(ExecutionReport report) {
        head("output");
        report.stdout().lines().forEach(line -> shell.print(visible(line)));
        if (!report.outcome().success() && !report.stderr().isBlank()) {
            head("errors");
            report.stderr().lines().forEach(line -> shell.print(visible(line)));
        }
    }

    private void left(ExecutionReport report) {
        for (ExecutionReport.Left file : report.files()) {
            shell.print(
                    "%s  %d bytes  %s"
                            .formatted(
                                    line(file.name()), file.bytes(), paint.faint(file.digest())));
        }
        report.refused()
                .forEach((name, why) ->
                        shell.print(paint.doubtful("! ") + line(name + " is not kept: " + why)));
    }

    private void head(String title) {
        String rule = "─".repeat(Math.max(3, WIDTH - title.length() - 4));
        shell.print(paint.faint("── ") + paint.strong(title) + paint.faint(" " + rule));
    }

    /** Only what the program printed. */
    void output(Status.Finished<Work> end) {
        end.state()
                .best()
                .ifPresent(attempt -> {
                    try {
                        shell.out()
                                .write(attempt.report().stdout().getBytes(StandardCharsets.UTF_8));
                    } catch (IOException e) {
                        throw OutputLost.writing("The output", e);
                    }
                });
        if (!end.isCompleted()) {
            shell.say(end.reason().word() + ": " + Ending.words(end.reason()));
        }
        unsealed();
    }

    /**
     * Saves the code that was judged, and what the program left beside it; what cannot be saved is
     * said.
     *
     * @return whether all was
     */
    boolean save(Status.Finished<Work> end, OutputFiles folder) {
        try {
            end.state()
                    .best()
                    .ifPresent(attempt -> {
                        Map<String, String> code = attempt.artifact().files();
                        code.forEach((name, source) ->
                                folder.save(name, source.getBytes(StandardCharsets.UTF_8)));
                        RunFiles.of(trace, end.run(), attempt.report())
                                .forEach((name, content) ->
                                        saveLeft(name, content, code.keySet(), folder));
                    });
            return true;
        } catch (OutputLost e) {
            shell.say(String.valueOf(e.getMessage()));
            return false;
        }
    }

    /** A program may change its own files, but nobody looked at what came of that. */
    private void saveLeft(String name, byte[] content, Set<String> code, OutputFiles folder) {
        if (code.stream().anyMatch(file -> isInTheWay(file, name) || isInTheWay(name, file))) {
            shell.say(name + " is not saved as the program left it: the code that ran is there");
        } else {
            folder.save(name, content);
        }
    }

    private static boolean isInTheWay(String one, String other) {
        return other.equals(one) || other.startsWith(one + "/");
    }

    void json(Status.Finished<Work> end) {
        Work work = end.state();
        unsealed();
        new JsonReport(shell)
                .object(json -> {
                    JsonReport.write(json, record);
                    json.writeStringField("stop", end.reason().word());
                    json.writeStringField("why", Ending.words(end.reason()));
                    json.writeNumberField("wall_ms", nanos / 1_000_000);
                    if (work.plan().isPresent()) {
                        pojo(json, "plan", work.plan().get());
                    }
                    if (work.best().isPresent()) {
                        best(json, work.best().get());
                    }
                    json.writeArrayFieldStart("attempts");
                    for (Attempt attempt : work.attempts()) {
                        attempt(json, attempt);
                    }
                    json.writeEndArray();
                    pojo(json, "cost", end.spent());
                    JsonReport.field(
                            json,
                            "trace",
                            () -> {
                                json.writeStringField("run", end.run());
                                json.writeBooleanField("sealed", isSealed());
                            });
                });
    }

    private static void best(JsonGenerator json, Attempt best) throws IOException {
        ExecutionReport report = best.report();
        pojo(json, "artifact", best.artifact());
        JsonReport.field(json, "outcome", () -> OutcomeJson.write(json, report.outcome()));
        stream(json, "stdout", report.stdout());
        stream(json, "stderr", report.stderr());
        json.writeFieldName("receipt");
        MAPPER.writeTree(json, report.receipt());
    }

    private static void stream(JsonGenerator json, String name, String text) throws IOException {
        JsonReport.field(
                json,
                name,
                () -> {
                    json.writeStringField("text", text);
                    json.writeNumberField("bytes", text.getBytes(StandardCharsets.UTF_8).length);
                });
    }

    private static void attempt(JsonGenerator json, Attempt attempt) throws IOException {
        ExecutionReport report = attempt.report();
        json.writeStartObject();
        json.writeNumberField("attempt", report.attempt());
        json.writeStringField("step", report.step().name().toLowerCase(Locale.ROOT));
        JsonReport.field(json, "outcome", () -> OutcomeJson.write(json, report.outcome()));
        json.writeNumberField("wall_ms", report.took().toMillis());
        json.writeArrayFieldStart("problems");
        for (String problem : attempt.problems()) {
            json.writeString(problem);
        }
        json.writeEndArray();
        if (attempt.diagnosis().isPresent()) {
            pojo(json, "diagnosis", attempt.diagnosis().get());
        }
        pojo(json, "files", report.files());
        pojo(json, "refused", report.refused());
        json.writeEndObject();
    }

    private static void pojo(JsonGenerator json, String name, Object value) throws IOException {
        json.writeFieldName(name);
        MAPPER.writeTree(json, MAPPER.valueToTree(value));
    }

    private static String money(Cost spent) {
        String tokens = spent.tokens() == 0 ? "no model" : spent.tokens() + " tokens";
        return spent.microDollars() == 0
                ? tokens
                : tokens + ", $" + BigDecimal.valueOf(spent.microDollars(), MICRO).toPlainString();
    }

    private static String line(String text) {
        return Shell.oneLine(text);
    }

    /** A line of somebody's text, which must not drive the terminal. */
    private static String visible(String line) {
        return Shell.printable(line.replace("\t", "    "));
    }
}
