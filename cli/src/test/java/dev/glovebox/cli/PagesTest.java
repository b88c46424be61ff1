package dev.glovebox.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What a page shows in Java is what a test does that names the page. Examples leave imports out:
 * one page must say where everything is that does not stand in the package of its module.
 */
class PagesTest {

    private static final Path ROOT = Path.of("..");
    private static final Pattern PAGE = Pattern.compile("\\{@code ((?:docs/)?[\\w-]+\\.md)}");
    private static final Pattern JAVA = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);
    private static final Pattern IMPORT =
            Pattern.compile(
                    "import (?:static )?(dev\\.(?:glovebox|langchain4j)\\.[\\w.]+)\\.(\\w+);");
    private static final Pattern OF_A_MODULE = Pattern.compile("dev\\.glovebox\\.\\w+");

    private static List<Path> tests() throws IOException {
        List<Path> tests = new ArrayList<>();
        try (Stream<Path> modules = Files.list(ROOT)) {
            for (Path module : modules.toList()) {
                Path folder = module.resolve("src/test/java");
                if (Files.isDirectory(folder)) {
                    try (Stream<Path> files = Files.walk(folder)) {
                        files.filter(file -> file.toString().endsWith("Test.java"))
                                .forEach(tests::add);
                    }
                }
            }
        }
        return tests;
    }

    static Stream<Path> testsOfExamples() throws IOException {
        return tests().stream().filter(test -> test.toString().endsWith("ExamplesTest.java"));
    }

    static Stream<String> pagesWithExamples() throws IOException {
        try (Stream<Path> pages = Files.list(ROOT.resolve("docs"))) {
            return Stream.concat(
                    Stream.of("README.md"),
                    pages.map(page -> "docs/" + page.getFileName())
                            .filter(page -> page.endsWith(".md"))
                            .sorted())
                    .filter(page -> examples(page).findAny().isPresent())
                    .toList()
                    .stream();
        }
    }

    @ParameterizedTest
    @MethodSource("pagesWithExamples")
    void each_example_of_a_page_is_what_a_test_does(String page) throws IOException {
        StringBuilder sources = new StringBuilder();
        for (Path test : tests()) {
            String source = Files.readString(test);
            if (pages(source).anyMatch(page::equals)) {
                sources.append(bare(source));
            }
        }

        assertThat(examples(page).map(PagesTest::bare))
                .allSatisfy(example -> assertThat(sources).contains(example));
    }

    /** Nothing but white space may be different. */
    private static String bare(String code) {
        return code.replaceAll("\\s+", "");
    }

    private static Stream<String> pages(String source) {
        return PAGE.matcher(source).results().map(page -> page.group(1));
    }

    @ParameterizedTest
    @MethodSource("testsOfExamples")
    void the_page_says_where_what_is_in_the_examples_is(Path test) throws IOException {
        String source = Files.readString(test);
        String examples =
                pages(source).flatMap(PagesTest::examples).collect(Collectors.joining("\n"));
        assertThat(examples).as("examples of %s", test).isNotEmpty();
        List<String> rows =
                Files.readString(ROOT.resolve("docs/library.md"))
                        .lines()
                        .filter(line -> line.startsWith("| `"))
                        .toList();

        List<MatchResult> elsewhere =
                IMPORT.matcher(source)
                        .results()
                        .filter(one -> !OF_A_MODULE.matcher(one.group(1)).matches())
                        .filter(one -> isIn(examples, one.group(2)))
                        .toList();
        assertThat(elsewhere)
                .allSatisfy(one ->
                        assertThat(rows)
                                .as(one.group())
                                .anySatisfy(row -> {
                                    assertThat(isIn(row.split(" \\| ")[0], one.group(2))).isTrue();
                                    assertThat(row).contains("`" + one.group(1) + "`");
                                }));
    }

    private static Stream<String> examples(String page) {
        try {
            return JAVA
                    .matcher(Files.readString(ROOT.resolve(page)))
                    .results()
                    .map(example -> example.group(1))
                    .toList()
                    .stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean isIn(String text, String word) {
        return Pattern.compile("\\b" + word + "\\b").matcher(text).find();
    }
}
