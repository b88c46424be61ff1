package dev.glovebox.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.glovebox.agent.Guardrail.Passage;
import dev.glovebox.agent.Guardrail.Point;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;

/** How often the shipped guardrails stop what is harmless. */
class FalsePositivesTest {

    private static final JsonMapper MAPPER = new JsonMapper();
    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

    /** The tasks of HumanEval, packed by gzip, which do not come with the sources. */
    private static final Path HUMAN_EVAL =
            Path.of(
                    System.getProperty(
                            "glovebox.humaneval", "../../shared/data/HumanEval.jsonl.gz"));

    /** One text that was stopped or changed. */
    private record Hit(String guardrail, String where, String reason) {}

    private static List<Hit> hits(Point point, String where, String text) {
        return Guardrails.standard().check(new Passage(point, "a", "t", text)).findings().stream()
                .filter(finding -> finding.verdict() != Finding.Verdict.PASS)
                .map(finding -> new Hit(finding.guardrail(), where, finding.reason()))
                .toList();
    }

    @Test
    void tasksForProgrammersAndTheirSolutionsPass() throws IOException {
        assumeTrue(Files.isRegularFile(HUMAN_EVAL), "the tasks of HumanEval are not here");
        List<Hit> hits = new ArrayList<>();
        int texts = 0;
        try (BufferedReader lines =
                new BufferedReader(
                        new InputStreamReader(
                                new GZIPInputStream(Files.newInputStream(HUMAN_EVAL)),
                                StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                JsonNode task = MAPPER.readTree(line);
                String id = task.path("task_id").asText();
                String solution =
                        task.path("prompt").asText() + task.path("canonical_solution").asText();
                hits.addAll(hits(Point.TASK, id, task.path("prompt").asText()));
                hits.addAll(hits(Point.REPLY, id, solution));
                hits.addAll(hits(Point.TOOL_ARGUMENTS, id, line));
                hits.addAll(hits(Point.TOOL_RESULT, id, task.path("test").asText()));
                texts += 4;
            }
        }
        assertThat(texts).isEqualTo(4 * 164);
        assertThat(hits).isEmpty();
    }

    @Test
    void ourOwnSourcesPassButForThoseOfGuardrails() throws IOException {
        TreeMap<String, List<Hit>> hits = new TreeMap<>();
        List<Path> files;
        try (Stream<Path> all = Files.walk(ROOT)) {
            files =
                    all.filter(path -> path.toString().matches(".*\\.(java|md|xml|py|c)"))
                            .filter(path -> !path.toString().contains("/target/"))
                            // Tests show what is found.
                            .filter(path -> !path.toString().contains("/src/test/"))
                            .toList();
        }
        for (Path file : files) {
            for (Hit hit :
                    hits(
                            Point.TOOL_RESULT,
                            ROOT.relativize(file).toString(),
                            Files.readString(file))) {
                hits.computeIfAbsent(hit.guardrail(), _ -> new ArrayList<>()).add(hit);
            }
        }
        assertThat(files).hasSizeGreaterThan(300);
        hits.values().forEach(list -> list.removeIf(hit -> isAboutThem(hit.where())));
        hits.values().removeIf(List::isEmpty);
        assertThat(hits).isEmpty();
    }

    private static boolean isAboutThem(String file) {
        return file.matches("(agent|docs)/.*(Secrets|Injection|[Gg]uard|HostReach).*");
    }
}
