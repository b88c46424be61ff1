package dev.glovebox.cli;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.IFactory;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.ParseResult;

/**
 * The kinds of options our commands have.
 *
 * <p>They are built by hand, since picocli's annotations cost 40 ms at each start: Java makes a
 * proxy class for every annotation type that is read.
 */
final class Options {

    static final String JSON = "--json";

    private static final int HELP_WIDTH = 110;

    private Options() {}

    /** A command that has nothing but {@code --help} yet. */
    static CommandSpec command(String name, String... description) {
        CommandSpec spec = CommandSpec.wrapWithoutInspection(null, new Plain()).name(name);
        spec.usageMessage()
                .description(description)
                .sortOptions(false)
                .sortSynopsis(false)
                .width(HELP_WIDTH);
        return spec;
    }

    static CommandLine parser(CommandSpec spec) {
        return new CommandLine(spec, new Plain());
    }

    static OptionSpec help() {
        return OptionSpec.builder("-h", "--help")
                .type(boolean.class)
                .usageHelp(true)
                .description("Shows this.")
                .build();
    }

    static OptionSpec flag(String name, String description) {
        return OptionSpec.builder(name).type(boolean.class).description(description).build();
    }

    /** An option with a value, given once at most. */
    static OptionSpec one(String name, String label, String description) {
        return OptionSpec.builder(name)
                .type(String.class)
                .paramLabel(label)
                .description(description)
                .build();
    }

    /** An option with a value, given as often as one likes. */
    static OptionSpec many(String name, String label, String description) {
        return OptionSpec.builder(name)
                .type(List.class)
                .auxiliaryTypes(String.class)
                .arity("1")
                .paramLabel(label)
                .description(description)
                .build();
    }

    /** All words behind the options; the help shows them in the synopsis only. */
    static PositionalParamSpec words() {
        return PositionalParamSpec.builder()
                .type(List.class)
                .auxiliaryTypes(String.class)
                .arity("0..*")
                .index("0..*")
                .hidden(true)
                .build();
    }

    static @Nullable String one(ParseResult parsed, String name) {
        return parsed.matchedOptionValue(name, (String) null);
    }

    static List<String> many(ParseResult parsed, String name) {
        return parsed.matchedOptionValue(name, List.<String>of());
    }

    static List<String> words(ParseResult parsed) {
        return parsed.matchedPositionalValue(0, List.<String>of());
    }

    /** Makes what picocli asks for. Its own looks for Groovy first, in every jar there is. */
    private static final class Plain implements IFactory {

        @Override
        public <K> K create(Class<K> type) throws ReflectiveOperationException {
            return type == List.class
                    ? type.cast(new ArrayList<>())
                    : type.getDeclaredConstructor().newInstance();
        }
    }
}
