package dev.glovebox.cli;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.glovebox.coder.Layer;
import dev.glovebox.coder.Layers;
import dev.glovebox.sandbox.Language;
import dev.glovebox.sandbox.Policy;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** Installs packages ahead, and tells which there are. */
final class LayerCommand implements Subcommand {

    private static final String TRACE = "--trace";
    private static final int NOT_DONE = 1;
    private static final int SHORTEST_KEY = 8;
    private static final int SHOWN_KEY = 12;

    private final Shell shell;

    LayerCommand(Shell shell) {
        this.shell = shell;
    }

    @Override
    public CommandSpec spec() {
        CommandSpec spec =
                Options.command(
                        "glovebox layer",
                        "Packages that programs can use without a network: installed once, in a box of their"
                                + " own, and shown read-only from then on.%n");
        spec.usageMessage()
                .customSynopsis(
                        "glovebox layer add LANGUAGE PACKAGE…     such as: glovebox layer add python numpy"
                                + " pandas==2.2.3",
                        "       glovebox layer list",
                        "       glovebox layer remove KEY               the beginning of it is enough",
                        "")
                .footer(
                        "",
                        "Packages come from the index that pip or npm is configured with here. Nothing of them is"
                                + " built or run.",
                        "A program gets a layer when it depends on just the packages that were added together.",
                        "",
                        "Exit codes: 0 done; 1 not done; 2 usage, or no wall here satisfies the policy.");
        spec.addOption(Options.flag(TRACE, "Records the installation, with all its connections."))
                .addOption(Options.flag(Options.JSON, "One JSON document on standard output."));
        PolicyOptions.addTo(spec);
        return spec.addOption(Options.help()).addPositional(Options.words());
    }

    @Override
    public int failed() {
        return Main.USAGE;
    }

    @Override
    public int run(ParseResult parsed) {
        List<String> words = Options.words(parsed);
        boolean json = parsed.hasMatchedOption(Options.JSON);
        Layers layers = Layers.of(shell.env());
        return switch (words.isEmpty() ? "" : words.getFirst()) {
            case "add" ->
                    Interruption.during(
                            shell,
                            json,
                            interruption ->
                                    add(
                                            layers,
                                            words.subList(1, words.size()),
                                            parsed,
                                            interruption));
            case "list" -> list(layers, words.size(), json);
            case "remove" -> remove(layers, words.subList(1, words.size()), json);
            default -> throw new BadInput("Say add, list or remove; see glovebox layer --help");
        };
    }

    private int add(
            Layers layers, List<String> words, ParseResult parsed, Interruption interruption) {
        boolean json = parsed.hasMatchedOption(Options.JSON);
        if (words.size() < 2) {
            throw new BadInput("Say the language and the packages, such as: python numpy pandas");
        }
        Language language = language(words.getFirst());
        Policy policy = PolicyOptions.policy(parsed, shell);
        @Nullable String tier = Options.one(parsed, PolicyOptions.TIER);
        try (Recording recording =
                parsed.hasMatchedOption(TRACE) ? ExecTrace.open(shell, false) : Recording.NONE) {
            Layers.Added added =
                    layers.add(
                            language,
                            words.subList(1, words.size()),
                            policy,
                            Optional.ofNullable(tier),
                            recording::run);
            interruption.check();
            recording
                    .record()
                    .filter(RunRecord::isWhole)
                    .ifPresent(written -> shell.say("recorded as " + written.run()));
            return switch (added) {
                case Layers.Added.There(Layer layer, boolean fresh) -> there(layer, fresh, json);
                case Layers.Added.Failed(String why, String said) -> failed(why, said, json);
            };
        } catch (IllegalArgumentException e) {
            throw new BadInput(String.valueOf(e.getMessage()), e);
        }
    }

    private static Language language(String word) {
        return Stream.of(Language.PYTHON, Language.JAVASCRIPT)
                .filter(one -> one.toString().equals(word.toLowerCase(Locale.ROOT)))
                .findFirst()
                .orElseThrow(() ->
                        new BadInput(
                                "There are packages for python and javascript, not for '"
                                        + word
                                        + "'"));
    }

    private int there(Layer layer, boolean fresh, boolean json) {
        if (json) {
            new JsonReport(shell)
                    .object(out -> {
                        write(out, layer);
                        out.writeBooleanField("fresh", fresh);
                    });
        } else {
            shell.print((fresh ? "added      " : "was there  ") + line(layer));
        }
        return Main.OK;
    }

    private int failed(String why, String said, boolean json) {
        said.lines().forEach(shell::say);
        shell.say(why);
        if (json) {
            new JsonReport(shell).problem(Problem.of("not-installed", why));
        }
        return NOT_DONE;
    }

    private int list(Layers layers, int words, boolean json) {
        if (words > 1) {
            throw new BadInput("glovebox layer list takes no more words");
        }
        List<Layer> all = layers.list();
        if (json) {
            new JsonReport(shell)
                    .object(out -> {
                        out.writeArrayFieldStart("layers");
                        for (Layer layer : all) {
                            out.writeStartObject();
                            write(out, layer);
                            out.writeEndObject();
                        }
                        out.writeEndArray();
                    });
        } else if (all.isEmpty()) {
            shell.say("there are no layers; glovebox layer add python numpy makes one");
        } else {
            all.forEach(layer -> shell.print(line(layer)));
        }
        return Main.OK;
    }

    private int remove(Layers layers, List<String> words, boolean json) {
        if (words.size() != 1 || words.getFirst().length() < SHORTEST_KEY) {
            throw new BadInput(
                    "Say which layer: its key, or the first %d letters of it"
                            .formatted(SHORTEST_KEY));
        }
        List<Layer> meant =
                layers.list().stream()
                        .filter(layer -> layer.key().startsWith(words.getFirst()))
                        .toList();
        if (meant.size() != 1 || !layers.remove(meant.getFirst().key())) {
            return failed("There is no such layer, or more than one", "", json);
        }
        if (json) {
            new JsonReport(shell)
                    .object(out -> out.writeStringField("removed", meant.getFirst().key()));
        } else {
            shell.print("removed    " + line(meant.getFirst()));
        }
        return Main.OK;
    }

    private static String line(Layer layer) {
        return "%s  %s  %s  %d files, %d KiB"
                .formatted(
                        layer.key().substring(0, SHOWN_KEY),
                        Shell.oneLine(layer.language()),
                        Shell.oneLine(String.join(" ", layer.requirements())),
                        layer.files(),
                        layer.bytes() >> 10);
    }

    private static void write(JsonGenerator json, Layer layer) throws IOException {
        json.writeStringField("key", layer.key());
        json.writeStringField("digest", layer.digest());
        json.writeStringField("language", layer.language());
        json.writeStringField("interpreter", layer.interpreter());
        json.writeArrayFieldStart("requirements");
        for (String one : layer.requirements()) {
            json.writeString(one);
        }
        json.writeEndArray();
        json.writeStringField("source", layer.source());
        json.writeNumberField("files", layer.files());
        json.writeNumberField("bytes", layer.bytes());
        json.writeStringField("created", layer.created());
    }
}
