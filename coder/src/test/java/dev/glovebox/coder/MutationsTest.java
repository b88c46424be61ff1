package dev.glovebox.coder;

import static org.assertj.core.api.Assertions.assertThat;

import dev.glovebox.sandbox.Language;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Correct programs are broken in one place, and the debugger gets three attempts. */
class MutationsTest {

    private static final int MOST_REPAIRS = 3;

    /** One way to break a program: each match is a place. */
    private record Mutation(String name, Pattern place, String by) {

        static Mutation of(String name, String place, String by) {
            return new Mutation(name, Pattern.compile(place), by);
        }

        List<String> of(Source source) {
            List<String> broken = new ArrayList<>();
            Matcher matcher = place.matcher(source.code());
            while (matcher.find()) {
                broken.add(
                        source.with(
                                matcher.start(),
                                matcher.end(),
                                by.equals("~") ? swapped(matcher.group()) : by));
            }
            return broken;
        }

        /** Two letters in the middle change places. */
        private static String swapped(String word) {
            int middle = word.length() / 2;
            return word.substring(0, middle - 1)
                    + word.charAt(middle)
                    + word.charAt(middle - 1)
                    + word.substring(middle + 1);
        }
    }

    private static final List<Mutation> IN_PYTHON =
            List.of(
                    Mutation.of("import removed", "(?m)^(?:import|from) [^\n]*\n", ""),
                    Mutation.of("colon removed", "(?m):$", ""),
                    Mutation.of("closing bracket removed", "[)\\]]", ""),
                    Mutation.of("closing bracket doubled", "\\)(?=\n)", "))"),
                    Mutation.of("bound moved", "(?<=range\\(len\\(\\w{1,20}\\))(?=\\))", " + 1"),
                    Mutation.of(
                            "name misspelt",
                            "(?<![\\w.])(?!return|import|print|while|yield|range|class|enumerate|lambda|False)[a-z]{5,}(?=[),\\]])",
                            "~"),
                    Mutation.of("quote removed", "(?<=[(,=] {0,1})\"(?=\\s)", ""));

    private static final List<Mutation> IN_NODE =
            List.of(
                    Mutation.of("require removed", "(?m)^const [^\n]* = require[^\n]*\n", ""),
                    Mutation.of("closing bracket removed", "[)\\]](?=[^)\\]])", ""),
                    Mutation.of("closing brace removed", "(?m)^ *\\}(?=\n)", ""),
                    Mutation.of("closing bracket doubled", "\\)(?=;\n)", "))"),
                    Mutation.of("let made const", "\\blet\\b", "const"),
                    Mutation.of("bound moved", "<(?= \\w{1,20}\\.length)", "<="),
                    Mutation.of(
                            "name misspelt",
                            "(?<![\\w.])(?!return|false|const)[a-z]{5,}(?=[),\\]])",
                            "~"));

    @Test
    void mostPythonProgramsAreRepairedThatWereBrokenInOnePlace() {
        assertThat(share("programs-python.txt", Language.PYTHON, IN_PYTHON)).isGreaterThan(0.9);
    }

    @Test
    void mostJavaScriptProgramsAreRepairedThatWereBrokenInOnePlace() {
        assertThat(share("programs-node.txt", Language.JAVASCRIPT, IN_NODE)).isGreaterThan(0.9);
    }

    private static double share(String file, Language language, List<Mutation> mutations) {
        Map<String, int[]> counts = new LinkedHashMap<>();
        StringBuilder missed = new StringBuilder();
        for (RepairCase program : RepairCase.in(file, language)) {
            Lab lab = new Lab(OfflineDebugger.standard(), program.plan());
            Source source = Source.of(language, program.code().source());
            assertThat(lab.cure(program.code(), program.output(), 0).works())
                    .as("%s is correct", program)
                    .isTrue();
            for (Mutation mutation : mutations) {
                // One place of each kind per program, not always the first.
                List<String> all = mutation.of(source);
                if (all.isEmpty()) {
                    continue;
                }
                String broken = all.get(program.name().length() % all.size());
                Lab.Cured cured =
                        lab.cure(program.code().source(broken), program.output(), MOST_REPAIRS);
                if (cured.attempts().size() == 1 && cured.works()) {
                    continue;
                }
                int[] count = counts.computeIfAbsent(mutation.name(), n -> new int[2]);
                count[0]++;
                count[1] += cured.works() ? 1 : 0;
                if (!cured.works()) {
                    missed.append("\nmissed: " + program + ", " + mutation.name());
                }
            }
        }
        int broken = counts.values().stream().mapToInt(c -> c[0]).sum();
        int repaired = counts.values().stream().mapToInt(c -> c[1]).sum();
        StringBuilder table = new StringBuilder();
        counts.forEach((name, c) -> table.append("%n%-26s %d of %d".formatted(name, c[1], c[0])));
        System.out.printf(
                "%s: %d of %d repaired within %d attempts%s%s%n",
                language, repaired, broken, MOST_REPAIRS, table, missed);
        return (double) repaired / broken;
    }
}
