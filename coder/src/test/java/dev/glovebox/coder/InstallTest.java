package dev.glovebox.coder;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.glovebox.agent.Executed;
import dev.glovebox.agent.SandboxExec;
import dev.glovebox.agent.support.Jail;
import dev.glovebox.run.Graph;
import dev.glovebox.run.RecordedRun;
import dev.glovebox.run.RunOptions;
import dev.glovebox.run.Runs;
import dev.glovebox.run.Status;
import dev.glovebox.run.StopReason;
import dev.glovebox.sandbox.Connection;
import dev.glovebox.sandbox.Language;
import dev.glovebox.sandbox.Outcome;
import dev.glovebox.sandbox.Policy;
import dev.glovebox.trace.MemoryStore;
import dev.glovebox.trace.Trace;
import dev.glovebox.trace.Verdict.Intact;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.KeyStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Modules that are missing are installed by the real pip and npm, once. */
class InstallTest {

    private static final Policy POLICY =
            Policy.denyAll().install(new Policy.Install(Duration.ofMinutes(2), true));

    private final IndexServer server = new IndexServer();
    private Path folder;
    private Trace trace;
    private Runs runs;

    @BeforeEach
    void open(@TempDir Path keys, @TempDir Path home) throws IOException {
        Jail.assumed();
        // The boxes of root are of another user, who must get there.
        Files.setPosixFilePermissions(home, PosixFilePermissions.fromString("rwxr-xr-x"));
        folder = home.resolve("layers");
        trace = Trace.open(new MemoryStore(), keys);
        runs = Runs.in(trace);
    }

    @AfterEach
    void close() {
        server.close();
        if (runs != null) {
            runs.close();
            trace.close();
        }
    }

    private static void needs(String tool) {
        assumeTrue(Files.isExecutable(Path.of(tool)), tool + " is not installed here");
    }

    private Graph<Work> graph(OfflineDebugger debugger, Map<String, String> environment) {
        return new Pipeline(
                        OfflinePlanner.standard(),
                        OfflineCoder.standard(),
                        SandboxExecutor.of(POLICY).layers(Layers.in(folder, environment)),
                        debugger)
                .graph();
    }

    private static Work work(CodeArtifact code, String expected) {
        return Work.of(
                new Task("Run it", Optional.of(code.language())),
                new Settings(POLICY.json(), "", Settings.ATTEMPTS),
                Lab.plan(code.language(), new Check.Exits(0), new Check.Prints(expected)),
                code);
    }

    private Status.Finished<Work> run(CodeArtifact code, String expected) {
        return run(code, expected, server.environment());
    }

    private Status.Finished<Work> run(
            CodeArtifact code, String expected, Map<String, String> environment) {
        Graph<Work> graph = graph(OfflineDebugger.standard(), environment);
        Status<Work> status =
                runs.start(graph, work(code, expected), RunOptions.titled("it").inPrivate())
                        .await();
        assertThat(status).isInstanceOf(Status.Finished.class);
        assertThat(trace.verify(status.run())).isInstanceOf(Intact.class);
        return (Status.Finished<Work>) status;
    }

    private List<Executed> executions(Status<Work> status) {
        return RecordedRun.of(trace, status.run()).effects(SandboxExec.KIND).stream()
                .map(one -> one.result(Executed.class, SandboxExec.APART).orElseThrow())
                .toList();
    }

    private static String told(Status.Finished<Work> end) {
        return end.reason() + "\n" + end.state();
    }

    @Test
    void aMissingModuleIsInstalledOnceAndSeenWithoutANetworkFromThenOn() {
        needs("/usr/bin/pip3");
        server.wheel("tiny", Map.of("tiny/__init__.py", "answer = 42\n"));
        String port = server.url("").replaceAll(".*:", "");
        CodeArtifact code =
                CodeArtifact.of(
                        Language.PYTHON,
                        """
                        import os, socket, tiny
                        print(tiny.answer)
                        print([name for name in os.environ if 'proxy' in name.lower()])
                        try:
                            socket.create_connection(('127.0.0.1', %s), timeout=2)
                            print('reached')
                        except OSError:
                            print('no network')
                        """
                                .formatted(port));
        Status.Finished<Work> first = run(code, "42\n[]\nno network");
        assertThat(first.isCompleted()).as(told(first)).isTrue();
        List<Attempt> attempts = first.state().attempts();
        assertThat(attempts).hasSize(2);
        assertThat(attempts.getFirst().report().stderr()).contains("ModuleNotFoundError");
        assertThat(attempts.getLast().artifact().dependencies()).containsExactly("tiny");
        List<Executed> ran = executions(first);
        assertThat(ran).hasSize(3);
        assertThat(ran.get(1).connections())
                .isNotEmpty()
                .extracting(Connection::fate)
                .containsOnly(Connection.Fate.ALLOWED);
        assertThat(ran.getLast().connections()).isEmpty();
        assertThat(server.asked()).contains("/files/tiny-1.0-py3-none-any.whl");

        server.close();
        int asked = server.asked().size();
        Graph<Work> graph = graph(OfflineDebugger.standard(), server.environment());
        assertThat(runs.replay(graph, first.run()).isFaithful()).isTrue();
        Status.Finished<Work> second = run(code, "42\n[]\nno network");
        assertThat(second.isCompleted()).as(told(second)).isTrue();
        assertThat(executions(second)).hasSize(2);
        Status.Finished<Work> third = run(code.dependencies(List.of("Tiny")), "42\n[]\nno network");
        assertThat(third.state().attempts()).hasSize(1);
        assertThat(executions(third)).hasSize(1);
        assertThat(server.asked()).hasSize(asked);
    }

    @Test
    void aReplayInstallsNothingAndNeedsNoLayer() throws IOException {
        needs("/usr/bin/pip3");
        server.wheel("tiny", Map.of("tiny/__init__.py", "answer = 42\n"));
        CodeArtifact code =
                CodeArtifact.of(Language.PYTHON, "import tiny\nprint(tiny.answer)")
                        .dependencies(List.of("tiny"));
        Status.Finished<Work> made = run(code, "42");
        assertThat(made.isCompleted()).as(told(made)).isTrue();
        Status.Finished<Work> found = run(code, "42");
        LayerTree.delete(folder);
        int asked = server.asked().size();
        Graph<Work> elsewhere = graph(OfflineDebugger.standard(), Map.of("PIP_NO_INDEX", "1"));
        assertThat(runs.replay(elsewhere, made.run()).isFaithful()).isTrue();
        assertThat(runs.replay(elsewhere, found.run()).isFaithful()).isTrue();
        assertThat(server.asked()).hasSize(asked);
        assertThat(folder).doesNotExist();
    }

    @Test
    void theDistributionMayHaveAnotherNameThanTheModule() {
        needs("/usr/bin/pip3");
        server.wheel("opencv-python", Map.of("cv2/__init__.py", "def see(): return 'seen'\n"));
        Status.Finished<Work> end =
                run(CodeArtifact.of(Language.PYTHON, "import cv2\nprint(cv2.see())"), "seen");
        assertThat(end.isCompleted()).as(told(end)).isTrue();
        assertThat(end.state().attempts().getLast().artifact().dependencies())
                .containsExactly("opencv-python");
    }

    @Test
    void npmInstallsForBothKindsOfModules() {
        needs("/usr/bin/npm");
        server.npm("tinyjs", "", Map.of("index.js", "module.exports = 42;\n"));
        Status.Finished<Work> first =
                run(CodeArtifact.of(Language.JAVASCRIPT, "console.log(require('tinyjs'));"), "42");
        assertThat(first.isCompleted()).as(told(first)).isTrue();
        assertThat(executions(first)).hasSize(3);
        server.close();
        Status.Finished<Work> second =
                run(
                        CodeArtifact.of(
                                        Language.JAVASCRIPT,
                                        "main.mjs",
                                        "import tiny from 'tinyjs';\nconsole.log(tiny);")
                                .dependencies(List.of("tinyjs")),
                        "42");
        assertThat(second.isCompleted()).as(told(second)).isTrue();
        assertThat(executions(second)).hasSize(1);
    }

    /** A certificate that nobody knows but who is told of it; its file, and who has its key. */
    private record Own(Path pem, SSLContext context) {

        static Own made(Path folder) throws Exception {
            Path store = folder.resolve("keys.p12");
            Path pem = folder.resolve("own.pem");
            keytool(
                    "-genkeypair -keyalg EC -alias own -dname CN=own -ext san=ip:127.0.0.1,dns:localhost"
                            + " -ext bc=ca:true -storepass secret -keystore "
                            + store);
            keytool(
                    "-exportcert -rfc -alias own -storepass secret -keystore "
                            + store
                            + " -file "
                            + pem);
            KeyStore keys = KeyStore.getInstance(store.toFile(), "secret".toCharArray());
            KeyManagerFactory managers =
                    KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            managers.init(keys, "secret".toCharArray());
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(managers.getKeyManagers(), null, null);
            return new Own(pem, context);
        }

        private static void keytool(String words) throws Exception {
            List<String> command = new ArrayList<>();
            command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
            command.addAll(List.of(words.split(" ", -1)));
            Process process =
                    new ProcessBuilder(command)
                            .redirectErrorStream(true)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .start();
            assertThat(process.waitFor()).isZero();
        }
    }

    @Test
    void anIndexWithACertificateOfItsOwnIsBelievedByWhoIsToldSo(@TempDir Path own)
            throws Exception {
        needs("/usr/bin/pip3");
        needs("/usr/bin/npm");
        Own made = Own.made(own);
        try (IndexServer proven = IndexServer.proven(made.context())) {
            proven.wheel("tiny", Map.of("tiny/__init__.py", "answer = 42\n"));
            proven.npm("tinyjs", "", Map.of("index.js", "module.exports = 42;\n"));
            CodeArtifact python =
                    CodeArtifact.of(Language.PYTHON, "import tiny\nprint(tiny.answer)")
                            .dependencies(List.of("tiny"));
            CodeArtifact node =
                    CodeArtifact.of(Language.JAVASCRIPT, "console.log(require('tinyjs'));")
                            .dependencies(List.of("tinyjs"));
            Status.Finished<Work> doubted = run(python, "42", proven.environment());
            assertThat(doubted.isCompleted()).isFalse();
            assertThat(proven.asked()).isEmpty();
            Map<String, String> told = new HashMap<>(proven.environment());
            told.put("PIP_CERT", made.pem().toString());
            told.put("npm_config_cafile", made.pem().toString());
            for (CodeArtifact code : List.of(python, node)) {
                Status.Finished<Work> end = run(code, "42", told);
                assertThat(end.isCompleted()).as(told(end)).isTrue();
                // Its record has all that a replay needs, on any machine.
                Graph<Work> elsewhere = graph(OfflineDebugger.standard(), NOTHING);
                assertThat(runs.replay(elsewhere, end.run()).isFaithful()).isTrue();
            }
        }
    }

    @Test
    void scriptsOfPackagesDoNotRun() {
        needs("/usr/bin/npm");
        server.npm(
                "sly",
                ",\"scripts\":{\"install\":\"echo ran > ran.txt\",\"postinstall\":\"exit 1\"},\"hasInstallScript\":true",
                Map.of("index.js", "module.exports = 1;\n"));
        Status.Finished<Work> end =
                run(
                        CodeArtifact.of(
                                        Language.JAVASCRIPT,
                                        "require('sly');\nconsole.log(require('fs').existsSync('/node_modules/sly/ran.txt'));")
                                .dependencies(List.of("sly")),
                        "false");
        assertThat(end.isCompleted()).as(told(end)).isTrue();
    }

    @Test
    void whatWouldHaveToBeBuiltIsNotInstalled() {
        needs("/usr/bin/pip3");
        server.file(
                "source",
                "source-1.0.zip",
                IndexServer.zip(
                        Map.of(
                                "source-1.0/setup.py",
                                "raise SystemExit('it ran')\n".getBytes(UTF_8))));
        Status.Finished<Work> end = failing("source");
        ExecutionReport report = end.state().attempts().getFirst().report();
        assertThat(report.step()).isEqualTo(ExecutionReport.Step.INSTALL);
        assertThat(report.stderr()).contains("No matching distribution").doesNotContain("it ran");
    }

    private Status.Finished<Work> failing(String dependency) {
        Status.Finished<Work> end =
                run(
                        CodeArtifact.of(Language.PYTHON, "print(1)")
                                .dependencies(List.of(dependency)),
                        "1");
        assertThat(end.isCompleted()).as(told(end)).isFalse();
        return end;
    }

    @Test
    void aWheelThatWantsToGetOutIsNotInstalled() {
        needs("/usr/bin/pip3");
        server.wheel(
                "escaping",
                Map.of("escaping/__init__.py", "", "../../escaped.py", "print('out')\n"));
        failing("escaping");
        assertThat(folder.getParent()).isDirectoryNotContaining("glob:**/escaped.py");
        assertThat(Layers.in(folder, Map.of()).list()).isEmpty();
    }

    @Test
    void withoutAnIndexTheStopSaysSo() {
        CodeArtifact code = CodeArtifact.of(Language.PYTHON, "import tiny\n");
        Status.Finished<Work> none = run(code, "", Map.of("PIP_NO_INDEX", "1"));
        assertThat(none.reason())
                .isInstanceOfSatisfying(
                        StopReason.NeedsInput.class,
                        stop ->
                                assertThat(stop.toString())
                                        .contains("[tiny]")
                                        .contains("There is no package index for python"));
        ExecutionReport report = none.state().attempts().getLast().report();
        assertThat(report.step()).isEqualTo(ExecutionReport.Step.INSTALL);
        assertThat(report.outcome()).isInstanceOf(Outcome.NotStarted.class);
        assertThat(executions(none)).hasSize(1);
    }

    @Test
    void anIndexThatIsNotThereIsSaidToBeOutOfReach() {
        server.close();
        Status.Finished<Work> end = run(CodeArtifact.of(Language.PYTHON, "import tiny\n"), "");
        assertThat(end.reason().toString())
                .contains("The package index 127.0.0.1:", "cannot be reached");
        assertThat(executions(end)).hasSize(1);
    }

    /** Nobody has configured anything, on whatever machine this is. */
    private static final Map<String, String> NOTHING =
            Map.of(
                    "PIP_CONFIG_FILE", "/dev/null",
                    "NPM_CONFIG_GLOBALCONFIG", "/dev/null",
                    "NPM_CONFIG_USERCONFIG", "/dev/null");

    /** As the command does it, where clients go to the server of the test by themselves. */
    private Status.Finished<Work> runByDefault(CodeArtifact code, String expected) {
        Layers layers =
                Layers.in(
                        folder,
                        NOTHING,
                        language ->
                                Optional.of(
                                        new PublicIndex(
                                                server.url(
                                                        language == Language.PYTHON
                                                                ? "/simple"
                                                                : "/"),
                                                List.of())));
        Work work = work(code, expected);
        Graph<Work> graph =
                new Pipeline(
                                OfflinePlanner.standard(),
                                OfflineCoder.standard(),
                                SandboxExecutor.of(POLICY).layers(layers),
                                new IndexDebugger(layers, POLICY, Optional.empty()))
                        .graph(work);
        Status<Work> status = runs.start(graph, work, RunOptions.titled("it").inPrivate()).await();
        assertThat(runs.replay(graph, status.run()).isFaithful()).isTrue();
        return (Status.Finished<Work>) status;
    }

    @Test
    void whereNobodyConfiguredAnIndexTheOneOfTheClientIsTaken() {
        needs("/usr/bin/pip3");
        needs("/usr/bin/npm");
        server.wheel("tiny", Map.of("tiny/__init__.py", "answer = 42\n"));
        server.npm("tinyjs", "", Map.of("index.js", "module.exports = 42;\n"));
        Status.Finished<Work> python =
                runByDefault(
                        CodeArtifact.of(Language.PYTHON, "import tiny\nprint(tiny.answer)"), "42");
        assertThat(python.isCompleted()).as(told(python)).isTrue();
        Status.Finished<Work> node =
                runByDefault(
                        CodeArtifact.of(Language.JAVASCRIPT, "console.log(require('tinyjs'));"),
                        "42");
        assertThat(node.isCompleted()).as(told(node)).isTrue();
    }

    @Test
    void whereNoIndexAnswersTheStopSaysSoWithoutAnAttemptInVain() {
        server.close();
        Status.Finished<Work> end =
                runByDefault(CodeArtifact.of(Language.PYTHON, "import tiny\n"), "");
        assertThat(end.reason())
                .isInstanceOfSatisfying(
                        StopReason.NeedsInput.class,
                        stop ->
                                assertThat(stop.what())
                                        .contains("'tiny'", "nothing can be installed")
                                        .contains("The package index 127.0.0.1:")
                                        .contains("cannot be reached"));
        assertThat(end.state().attempts()).hasSize(1);
    }

    @Test
    void whereNoIndexAnswersAModuleIsReplacedAtOnce() {
        server.close();
        Status.Finished<Work> end =
                runByDefault(
                        CodeArtifact.of(
                                Language.JAVASCRIPT,
                                "const _ = require('lodash');\nconsole.log(_.sum([1, 2, 3]));\n"),
                        "6");
        assertThat(end.isCompleted()).as(told(end)).isTrue();
        assertThat(end.state().attempts()).hasSize(2);
    }

    @Test
    void aPolicyWithoutTheIndexInstallsNothing() {
        CodeArtifact code =
                CodeArtifact.of(Language.PYTHON, "import tiny\n").dependencies(List.of("tiny"));
        Graph<Work> graph =
                new Pipeline(
                                OfflinePlanner.standard(),
                                OfflineCoder.standard(),
                                SandboxExecutor.of(Policy.denyAll())
                                        .layers(Layers.in(folder, server.environment())),
                                OfflineDebugger.standard())
                        .graph();
        Status<Work> end = runs.start(graph, work(code, ""), "it").await();
        assertThat(((Status.Finished<Work>) end).reason().toString())
                .contains("install: {network: package-index}");
        assertThat(server.asked()).isEmpty();
    }

    @Test
    void namesThatAreNoneAreRefusedBeforeAnythingRuns() {
        Status.Finished<Work> end = failing("--index-url=http://elsewhere/");
        assertThat(executions(end)).isEmpty();
        assertThat(end.state().attempts().getFirst().report().stderr())
                .contains("is not the name of a python package");
        assertThat(server.asked()).isEmpty();
    }

    @Test
    void whatAProgramLeavesIsKeptWithItsDigest() {
        Status.Finished<Work> end =
                run(
                        CodeArtifact.of(
                                        Language.PYTHON,
                                        """
                                        import os
                                        os.mkdir('out')
                                        open('out/table.csv', 'w').write('a,b\\n1,2\\n')
                                        open('data.txt').read()
                                        os.symlink('/etc/passwd', 'link')
                                        open('big.bin', 'wb').write(b'x' * (2 << 20))
                                        print('done')
                                        """)
                                .file("data.txt", "as it was"),
                        "done");
        assertThat(end.isCompleted()).as(told(end)).isTrue();
        ExecutionReport report = end.state().attempts().getLast().report();
        assertThat(report.files())
                .extracting(ExecutionReport.Left::name)
                .containsExactly("out/table.csv");
        assertThat(report.files().getFirst().bytes()).isEqualTo(8);
        assertThat(executions(end).getFirst().files()).containsOnlyKeys("out/table.csv");
        // What is not kept is told.
        assertThat(report.refused()).containsOnlyKeys("link", "big.bin");
        assertThat(report.refused().get("link")).contains("not a regular file");
        assertThat(runs.replay(graph(OfflineDebugger.standard(), Map.of()), end.run()).isFaithful())
                .isTrue();
    }
}
