package dev.glovebox.agent;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What the docs show must be what the tests do, letter by letter but for white space. */
final class Examples {

    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final Pattern JAVA = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);

    private Examples() {}

    static String text(String file) throws IOException {
        return Files.readString(ROOT.resolve(file));
    }

    static List<String> in(String file) throws IOException {
        Matcher examples = JAVA.matcher(text(file));
        return examples.results().map(example -> example.group(1)).toList();
    }

    /** The examples of a file that a test does not have. */
    static List<String> missing(String file, String test) throws IOException {
        String source =
                bare(text("agent/src/test/java/dev/glovebox/agent/%s.java".formatted(test)));
        return in(file).stream().filter(example -> !source.contains(bare(example))).toList();
    }

    private static String bare(String code) {
        return code.replaceAll("\\s+", "");
    }
}
