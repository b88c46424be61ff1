package dev.glovebox.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What {@code docs/command.md} says of each command must be what the command's help says. */
class CommandPageTest {

    private static final Cli CLI = Cli.in(Path.of(""));

    private static final Pattern COMMAND = Pattern.compile("(?m)^  ([a-z]+) {2,}");
    private static final Pattern OPTION_OF_HELP = Pattern.compile("(?m)^ {2,6}(--?[a-z][a-z-]*)");
    private static final Pattern OPTION_OF_PAGE = Pattern.compile("(?m)^\\| `(--?[a-z][a-z-]*)");
    private static final Pattern NUMBER = Pattern.compile("\\b[0-9]+\\b");
    private static final Pattern JSON = Pattern.compile("```json\n(.*?)```", Pattern.DOTALL);

    private static final String SHARED = "(#options-of-the-box)";

    static Stream<String> commands() {
        return found(COMMAND, CLI.run("--help").out())
                .flatMap(word ->
                        word.equals("trace")
                                ? found(COMMAND, CLI.run(word, "--help").out())
                                        .map(part -> word + " " + part)
                                : Stream.of(word));
    }

    @ParameterizedTest
    @MethodSource("commands")
    void the_page_has_the_options_of_the_help_and_no_others(String command) throws IOException {
        String section = section("`glovebox " + command + "`");
        Set<String> told = options(section);
        if (section.contains(SHARED)) {
            told.addAll(options(section("Options of the box")));
        }
        Set<String> real = set(found(OPTION_OF_HELP, help(command)));
        real.remove("-h");

        assertThat(told).isEqualTo(real);
    }

    @ParameterizedTest
    @MethodSource("commands")
    void the_page_has_the_exit_codes_of_the_help(String command) throws IOException {
        String section = section("`glovebox " + command + "`");
        String help = help(command);
        int codes = help.indexOf("Exit codes:");
        Stream<String> real =
                codes < 0
                        ? Stream.of("0", "2")
                        : NUMBER.matcher(help.substring(codes)).results().map(MatchResult::group);

        assertThat(real).allSatisfy(code -> assertThat(section).containsPattern("\\b" + code));
    }

    @Test
    void every_sample_is_a_document() throws IOException {
        JsonMapper mapper =
                JsonMapper.builder().enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS).build();
        List<String> samples = found(JSON, page()).toList();

        assertThat(samples).hasSizeGreaterThan(10);
        assertThat(samples)
                .allSatisfy(sample -> assertThat(mapper.readTree(sample).isObject()).isTrue());
    }

    private static String help(String command) {
        String[] words = (command + " --help").split(" ");
        return CLI.run(words).out();
    }

    private static Set<String> options(String section) {
        return set(found(OPTION_OF_PAGE, section));
    }

    private static Set<String> set(Stream<String> words) {
        return words.collect(TreeSet::new, Set::add, Set::addAll);
    }

    private static Stream<String> found(Pattern pattern, String text) {
        return pattern.matcher(text).results().map(match -> match.group(1));
    }

    /** What stands under a heading, up to the next one. */
    private static String section(String heading) throws IOException {
        String[] parts = page().split("(?m)^##+ ");
        return Stream.of(parts)
                .filter(part -> part.startsWith(heading + "\n"))
                .findFirst()
                .orElseThrow(() -> new AssertionError("There is no section " + heading));
    }

    private static String page() throws IOException {
        return Files.readString(Path.of("../docs/command.md"));
    }
}
