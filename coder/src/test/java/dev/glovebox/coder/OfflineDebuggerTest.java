package dev.glovebox.coder;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.glovebox.sandbox.Language;
import dev.glovebox.sandbox.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OfflineDebuggerTest {

    private static Debugger.Repair repair(OfflineDebugger debugger, Attempt... attempts) {
        Language language = attempts[0].artifact().language();
        return debugger.repair(new Debugger.Trouble(Lab.plan(language), List.of(attempts)));
    }

    private static Attempt ran(CodeArtifact code) {
        return new Attempt(code, Lab.run(code, 1, Map.of()), List.of("?"), Optional.empty());
    }

    @Test
    void thereAreManyRules() {
        Set<Class<?>> rules = new HashSet<>();
        Rules.all(true).forEach(rule -> rules.add(rule.getClass()));

        assertThat(rules).hasSizeGreaterThanOrEqualTo(26);
    }

    @Test
    void everyRuleAndEveryCategoryIsInTheDocumentation() throws IOException {
        String text = Files.readString(Path.of("../docs/debugger.md"));

        assertThat(Rules.all(true))
                .allSatisfy(rule ->
                        assertThat(text).contains("`" + rule.getClass().getSimpleName() + "`"));
        assertThat(Arrays.stream(Mistake.values()).map(Mistake::word))
                .allSatisfy(word -> assertThat(text).contains("`" + word + "`"));
    }

    @ParameterizedTest
    @CsvSource({
        "import cv2, opencv-python",
        "import PIL.Image, pillow",
        "import yaml, PyYAML",
        "from sklearn.linear_model import Ridge, scikit-learn",
        "from bs4 import BeautifulSoup, beautifulsoup4",
        "import dateutil.parser, python-dateutil",
        "from Crypto.Cipher import AES, pycryptodome",
        "import serial, pyserial",
        "import numpy as np, numpy",
        "import somethingrare, somethingrare"
    })
    void aMissingPythonModuleIsInstalledByTheNameOfItsDistribution(
            String code, String distribution) {
        Attempt attempt = ran(CodeArtifact.of(Language.PYTHON, code + "\n"));

        Debugger.Repair repair = repair(OfflineDebugger.standard(), attempt);

        assertThat(repair.diagnosis().category()).isEqualTo("missing-module");
        assertThat(repair.artifact().orElseThrow().dependencies()).containsExactly(distribution);
        assertThat(repair.artifact().orElseThrow().source()).isEqualTo(code + "\n");
    }

    @ParameterizedTest
    @CsvSource({
        "require('express'), express",
        "require('@babel/core/lib/index'), @babel/core",
        "require('lodash/fp'), lodash",
        "import x from 'left-pad', left-pad"
    })
    void aMissingPackageIsInstalledByItsName(String code, String name) {
        Debugger.Repair repair =
                repair(
                        OfflineDebugger.standard(),
                        ran(CodeArtifact.of(Language.JAVASCRIPT, code + ";\n")));

        assertThat(repair.artifact().orElseThrow().dependencies()).containsExactly(name);
    }

    @Test
    void whatIsInstalledAlreadyIsNotInstalledAgain() {
        CodeArtifact code =
                CodeArtifact.of(Language.PYTHON, "import yaml\n")
                        .dependencies(List.of("pyyaml>=6"));

        Debugger.Repair repair = repair(OfflineDebugger.standard(), ran(code));

        assertThat(repair.artifact()).isEmpty();
        assertThat(repair.diagnosis().category()).isEqualTo("missing-module");
    }

    @Test
    void aDependencyThatCannotBeInstalledIsReplaced() {
        CodeArtifact code =
                CodeArtifact.of(Language.PYTHON, "import simplejson\nprint(simplejson.dumps(1))\n")
                        .dependencies(List.of("simplejson"));
        ExecutionReport report =
                new ExecutionReport(
                        1,
                        ExecutionReport.Step.INSTALL,
                        new Outcome.Exited(1),
                        "",
                        "ERROR: No matching distribution found for simplejson",
                        List.of(),
                        Map.of(),
                        JsonNodeFactory.instance.objectNode(),
                        Duration.ofSeconds(1));

        Debugger.Repair repair =
                repair(
                        OfflineDebugger.standard(),
                        new Attempt(code, report, List.of("?"), Optional.empty()));

        CodeArtifact changed = repair.artifact().orElseThrow();
        assertThat(changed.dependencies()).isEmpty();
        assertThat(Lab.run(changed, 2, Map.of()).stdout()).isEqualTo("1\n");
    }

    @Test
    void whatWasTriedIsNotProposedAgain() {
        CodeArtifact broken = CodeArtifact.of(Language.PYTHON, "print(max(min(1, 2), 3)\n");
        Attempt first = ran(broken);
        Set<CodeArtifact> proposed = new HashSet<>();
        List<Attempt> attempts = new java.util.ArrayList<>(List.of(first));
        Optional<CodeArtifact> next =
                repair(OfflineDebugger.standard(), attempts.toArray(Attempt[]::new)).artifact();
        while (next.isPresent()) {
            assertThat(proposed.add(next.get())).isTrue();
            // As if nothing of it had helped.
            attempts.add(new Attempt(next.get(), first.report(), List.of("?"), Optional.empty()));
            next = repair(OfflineDebugger.standard(), attempts.toArray(Attempt[]::new)).artifact();
        }
        assertThat(proposed).hasSizeBetween(2, 200).doesNotContain(broken);
    }

    @Test
    void anotherPlaceIsTriedIfTheFirstDidNotHelp() {
        CodeArtifact broken =
                CodeArtifact.of(
                        Language.PYTHON,
                        "import hashlib\nprint(len(hashlib.md5(\"x\".encode().hexdigest()))\n");

        Lab.Cured cured =
                new Lab(OfflineDebugger.standard(), Lab.plan(Language.PYTHON))
                        .cure(broken, "32", 6);

        assertThat(cured.works()).as(cured.toString()).isTrue();
    }

    @Test
    void theFileIsRepairedInWhichTheErrorIs() {
        CodeArtifact code =
                CodeArtifact.of(Language.PYTHON, "import helper\nprint(helper.root(16))\n")
                        .file("helper.py", "def root(x):\n    return math.sqrt(x)\n");

        Lab.Cured cured =
                new Lab(OfflineDebugger.standard(), Lab.plan(Language.PYTHON)).cure(code, "4.0", 1);

        assertThat(cured.works()).as(cured.toString()).isTrue();
        assertThat(cured.last().artifact().source()).isEqualTo(code.source());
    }
}
