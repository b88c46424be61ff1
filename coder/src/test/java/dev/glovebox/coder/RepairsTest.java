package dev.glovebox.coder;

import static org.assertj.core.api.Assertions.assertThat;

import dev.glovebox.sandbox.Language;
import java.util.HashSet;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Broken programs, run by real interpreters, repaired, and run again. */
class RepairsTest {

    static Stream<RepairCase> python() {
        return RepairCase.in("python.txt", Language.PYTHON).stream();
    }

    static Stream<RepairCase> node() {
        return RepairCase.in("node.txt", Language.JAVASCRIPT).stream();
    }

    static Stream<RepairCase> untouched() {
        return Stream.concat(
                RepairCase.in("python-untouched.txt", Language.PYTHON).stream(),
                RepairCase.in("node-untouched.txt", Language.JAVASCRIPT).stream());
    }

    @ParameterizedTest
    @MethodSource({"python", "node"})
    void aBrokenProgramWorksAfterItsRepairs(RepairCase broken) {
        Lab lab = new Lab(broken.debugger(), broken.plan(), broken.env());
        Lab.Cured cured = lab.cure(broken.code(), broken.output(), broken.repairs());

        assertThat(cured.works()).as(cured.toString()).isTrue();
        assertThat(cured.repairs()).as(cured.toString()).hasSize(broken.repairs());
        assertThat(cured.repairs().getFirst().diagnosis().category())
                .as(cured.toString())
                .isEqualTo(broken.category());
        List<CodeArtifact> tried = cured.attempts().stream().map(Attempt::artifact).toList();
        assertThat(new HashSet<>(tried)).hasSameSizeAs(tried);
        Debugger.Trouble after = new Debugger.Trouble(broken.plan(), cured.attempts());
        assertThat(broken.debugger().repair(after).artifact())
                .as("a program that works is left alone")
                .isEmpty();
    }

    @ParameterizedTest
    @MethodSource("untouched")
    void aProgramIsLeftAloneIfNobodyKnowsWhatWasMeant(RepairCase broken) {
        Debugger.Repair repair =
                new Lab(broken.debugger(), broken.plan(), broken.env()).repair(broken.code());

        assertThat(repair.artifact()).as(repair.toString()).isEmpty();
        assertThat(repair.diagnosis().category())
                .as(repair.toString())
                .isEqualTo(broken.category());
        assertThat(repair.diagnosis().fix()).isNotBlank();
    }
}
