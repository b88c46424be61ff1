package dev.glovebox.sandbox.lifetime;

import static org.junit.platform.engine.discovery.ClassNameFilter.includeClassNamePatterns;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectPackage;
import static org.junit.platform.launcher.EngineFilter.includeEngines;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/** The main class of a JVM that runs test classes and writes a line about each test. */
final class RemoteTests {

    private RemoteTests() {}

    /** What became of a test. */
    enum Fate {
        PASSED,
        FAILED,
        SKIPPED
    }

    /** One line of the report. */
    record Line(Fate fate, String test, String message) {

        static Line parse(String text) {
            String[] parts = text.split("\t", 3);
            return new Line(Fate.valueOf(parts[0]), parts[1], parts[2]);
        }

        String format() {
            return fate + "\t" + oneLine(test) + "\t" + oneLine(message);
        }

        private static String oneLine(String text) {
            // Names of tests may hold what no file in UTF-8 can, such as half a character.
            return text.strip().replaceAll("\\s+", " ").replaceAll("[^ -~]", "?");
        }

        @Override
        public String toString() {
            return test + ": " + message;
        }
    }

    private static final class Reporter implements TestExecutionListener {

        private final List<Line> lines = Collections.synchronizedList(new ArrayList<>());

        @Override
        public void executionSkipped(TestIdentifier test, String reason) {
            lines.add(new Line(Fate.SKIPPED, name(test), reason));
        }

        @Override
        public void executionFinished(TestIdentifier test, TestExecutionResult result) {
            Fate fate =
                    switch (result.getStatus()) {
                        case SUCCESSFUL -> Fate.PASSED;
                        case ABORTED -> Fate.SKIPPED;
                        case FAILED -> Fate.FAILED;
                    };
            // A class is worth a line only when its own preparation failed.
            if (test.isTest() || fate != Fate.PASSED) {
                lines.add(
                        new Line(
                                fate,
                                name(test),
                                result.getThrowable().map(Throwable::toString).orElse("")));
            }
        }

        private static String name(TestIdentifier test) {
            Optional<String> method =
                    test.getSource()
                            .filter(MethodSource.class::isInstance)
                            .map(MethodSource.class::cast)
                            .map(source ->
                                    source.getJavaClass().getSimpleName()
                                            + "."
                                            + source.getMethodName()
                                            + " ");
            return method.orElse("") + test.getDisplayName();
        }
    }

    /** Takes the file for the report, a package, and a pattern for the names of its classes. */
    static void main(String[] arguments) throws IOException {
        Reporter reporter = new Reporter();
        LauncherFactory.create()
                .execute(
                        LauncherDiscoveryRequestBuilder.request()
                                .selectors(selectPackage(arguments[1]))
                                .filters(
                                        includeClassNamePatterns(arguments[2]),
                                        includeEngines("junit-jupiter"))
                                .build(),
                        reporter);
        Files.write(Path.of(arguments[0]), reporter.lines.stream().map(Line::format).toList());
        // Threads of tests that were given up must not keep this JVM.
        System.exit(0);
    }
}
