package dev.glovebox.coder;

import com.fasterxml.jackson.databind.JsonNode;
import dev.glovebox.sandbox.Language;
import java.util.List;
import java.util.Optional;

/** What a rule looks at: the code, what happened, and the error that was found in it. */
final class Scene {

    private final ExecutionPlan plan;
    private final CodeArtifact artifact;
    private final ExecutionReport report;
    private final String stderr;
    private final Problem problem;
    private final Optional<Problem.Frame> frame;
    private final String file;
    private final Source source;

    Scene(ExecutionPlan plan, CodeArtifact artifact, ExecutionReport report, String stderr) {
        this.plan = plan;
        this.artifact = artifact;
        this.report = report;
        this.stderr = stderr;
        List<String> lines = stderr.lines().toList();
        this.problem =
                switch (artifact.language()) {
                    case PYTHON -> Traceback.read(lines);
                    case JAVASCRIPT -> NodeStack.read(lines);
                    case BASH -> Problem.NONE;
                };
        this.frame =
                problem.frames().stream()
                        .filter(f -> named(f.file()).isPresent())
                        // Whoever asks for what is not there is one further out.
                        .filter(f -> !f.function().equals("__getattr__"))
                        .findFirst();
        this.file = frame.flatMap(f -> named(f.file())).orElse(artifact.entry());
        this.source = Source.of(artifact.language(), artifact.files().getOrDefault(file, ""));
    }

    ExecutionPlan plan() {
        return plan;
    }

    CodeArtifact artifact() {
        return artifact;
    }

    ExecutionReport report() {
        return report;
    }

    Problem problem() {
        return problem;
    }

    /** As much of it as is looked at. */
    String stderr() {
        return stderr;
    }

    boolean isPython() {
        return artifact.language() == Language.PYTHON;
    }

    boolean isNode() {
        return artifact.language() == Language.JAVASCRIPT;
    }

    /** The file of the artifact in which it happened: that of the innermost frame that is ours. */
    String file() {
        return file;
    }

    Source source() {
        return source;
    }

    /** Where in that file, from 1; 0: nobody knows, or what is said is not true. */
    int line() {
        int said = frame.map(Problem.Frame::line).orElse(0);
        return said >= 1 && said <= source.lines() ? said : 0;
    }

    /** Where in that line, from 0; -1: nobody knows. */
    int column() {
        if (line() == 0) {
            return -1;
        }
        int column;
        if (isPython()) {
            int mark = marks().indexOf('^');
            int wave = marks().indexOf('~');
            int first = wave >= 0 && wave < mark ? wave : mark;
            column = first < 0 ? -1 : first + Source.indent(source.line(line())).length();
        } else {
            column = frame.map(Problem.Frame::column).orElse(0) - 1;
        }
        return column <= source.line(line()).length() ? column : -1;
    }

    /** What points at a part of the line, if it is the innermost frame that is ours. */
    String marks() {
        boolean ours = frame.isPresent() && frame.get().equals(problem.frames().getFirst());
        return ours ? problem.marks() : "";
    }

    /** The name of the artifact's file that a path of the box means. */
    Optional<String> named(String path) {
        return artifact.files().keySet().stream()
                .filter(name -> path.equals(name) || path.endsWith("/" + name))
                .max(java.util.Comparator.comparingInt(String::length));
    }

    JsonNode inputs() {
        return plan.inputs();
    }

    /** The file in which it happened, with another text. */
    List<Rule.Change> change(
            String text, Mistake mistake, String cause, String fix, double confidence) {
        return change(artifact.file(file, text), mistake, cause, fix, confidence);
    }

    List<Rule.Change> change(
            CodeArtifact changed, Mistake mistake, String cause, String fix, double confidence) {
        return changed.equals(artifact)
                ? List.of()
                : List.of(
                        new Rule.Change(
                                changed, new Diagnosis(mistake.word(), cause, fix, confidence)));
    }
}
