package dev.glovebox.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Examples leave imports out: {@code docs/library.md} must say where everything is that does not
 * stand in the package of its module.
 */
class LibraryPageTest {

    private static final Path ROOT = Path.of("..");
    private static final Pattern PAGE = Pattern.compile("\\{@code ((?:docs/)?[\\w-]+\\.md)}");
    private static final Pattern JAVA = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);
    private static final Pattern IMPORT =
            Pattern.compile(
                    "import (?:static )?(dev\\.(?:glovebox|langchain4j)\\.[\\w.]+)\\.(\\w+);");
    private static final Pattern OF_A_MODULE = Pattern.compile("dev\\.glovebox\\.\\w+");

    static Stream<Path> tests() throws IOException {
        try (Stream<Path> modules = Files.list(ROOT)) {
            return modules
                    .map(module -> module.resolve("src/test/java"))
                    .filter(Files::isDirectory)
                    .flatMap(LibraryPageTest::tests)
                    .toList()
                    .stream();
        }
    }

    private static Stream<Path> tests(Path folder) {
        try (Stream<Path> files = Files.walk(folder)) {
            return files
                    .filter(file -> file.toString().endsWith("ExamplesTest.java"))
                    .toList()
                    .stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @ParameterizedTest
    @MethodSource("tests")
    void the_page_says_where_what_is_in_the_examples_is(Path test) throws IOException {
        String source = Files.readString(test);
        String examples =
                PAGE.matcher(source)
                        .results()
                        .map(page -> ROOT.resolve(page.group(1)))
                        .flatMap(LibraryPageTest::examples)
                        .collect(Collectors.joining("\n"));
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

    private static Stream<String> examples(Path page) {
        try {
            return JAVA
                    .matcher(Files.readString(page))
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
