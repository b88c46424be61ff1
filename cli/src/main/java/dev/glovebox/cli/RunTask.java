package dev.glovebox.cli;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.glovebox.coder.Check;
import dev.glovebox.coder.CodeArtifact;
import dev.glovebox.coder.ExecutionPlan;
import dev.glovebox.coder.ModelCoder;
import dev.glovebox.coder.ModelPlanner;
import dev.glovebox.coder.Settings;
import dev.glovebox.coder.Task;
import dev.glovebox.coder.Work;
import dev.glovebox.run.Budget;
import dev.glovebox.run.RunOptions;
import dev.glovebox.sandbox.Language;
import dev.glovebox.sandbox.Program;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** What somebody wants to be done, and what that may cost. */
record RunTask(Work work, Budget budget) {

    private static final String CODE = "--code";
    private static final String LANG = "--lang";
    private static final String ATTEMPTS = "--attempts";
    private static final int MOST_ATTEMPTS = 100;

    static void addTo(CommandSpec spec) {
        spec.addOption(Options.one(CODE, "FILE", "Begins with this code instead of writing some."))
                .addOption(Options.one(LANG, "L", "The language: python, javascript or bash."))
                .addOption(ModelOption.spec(Settings.ROLES));
        BudgetOptions.addTo(spec, "this run");
        spec.addOption(
                Options.one(
                        ATTEMPTS,
                        "N",
                        "How many attempts are made; %d unless said otherwise."
                                .formatted(Settings.ATTEMPTS)));
    }

    /**
     * Reads it from a command line.
     *
     * @throws BadInput if it makes no sense
     */
    static RunTask of(ParseResult parsed, Shell shell) {
        ModelOption models = models(parsed);
        Budget budget = BudgetOptions.of(parsed, models.names(shell));
        Settings any =
                new Settings(
                                PolicyOptions.ofTask(parsed, shell).json(),
                                models.all(),
                                attempts(Options.one(parsed, ATTEMPTS)))
                        .models(models.own())
                        .installing()
                        .remembering();
        @Nullable String tier = Options.one(parsed, PolicyOptions.TIER);
        Settings settings = tier == null ? any : any.tier(tier);
        return new RunTask(work(parsed, shell, settings), budget);
    }

    private static ModelOption models(ParseResult parsed) {
        ModelOption models = ModelOption.of(parsed, Settings.ROLES);
        if (!models.of(ModelPlanner.ROLE).isEmpty() && models.of(ModelCoder.ROLE).isEmpty()) {
            throw new BadInput(
                    "A planner with a model needs a coder with one: recipes know their own plans only");
        }
        return models;
    }

    private static Work work(ParseResult parsed, Shell shell, Settings settings) {
        String sentence = String.join(" ", Options.words(parsed));
        @Nullable String language = Options.one(parsed, LANG);
        @Nullable String file = Options.one(parsed, CODE);
        if (file != null) {
            return given(file, new Source(shell).script(file, language), sentence, settings);
        }
        if (sentence.isBlank()) {
            throw new BadInput(
                    "What is to be done? Say it in a sentence, or name code with --code FILE");
        }
        if (shell.hasFile(sentence)) {
            throw new BadInput(
                    "'%1$s' is a file. To run and repair it: --code '%1$s'; as a task it needs more words"
                            .formatted(sentence));
        }
        Optional<Language> wanted = Optional.ofNullable(language).map(Source::language);
        return Work.of(new Task(sentence, wanted), settings);
    }

    /** Code that there is already. */
    private static Work given(
            String file, Program.Script script, String sentence, Settings settings) {
        CodeArtifact artifact =
                CodeArtifact.of(script.language(), script.filename(), text(file, script.source()));
        String task = sentence.isBlank() ? "Run " + script.filename() : sentence;
        ExecutionPlan plan =
                new ExecutionPlan(
                        script.language(),
                        List.of(),
                        false,
                        task,
                        "",
                        JsonNodeFactory.instance.objectNode(),
                        ExecutionPlan.OutputKind.TEXT,
                        List.of(new Check.Exits(0)));
        return Work.of(new Task(task, Optional.of(script.language())), settings, plan, artifact);
    }

    /** As it is: what is not text would not be the same code any more. */
    private static String text(String file, byte[] source) {
        try {
            return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(source)).toString();
        } catch (CharacterCodingException e) {
            throw new BadInput("'" + file + "' is not a text in UTF-8, so it is no source code", e);
        }
    }

    private static int attempts(@Nullable String number) {
        if (number == null) {
            return Settings.ATTEMPTS;
        }
        try {
            int wanted = Integer.parseInt(number);
            if (wanted >= 1 && wanted <= MOST_ATTEMPTS) {
                return wanted;
            }
            throw new NumberFormatException();
        } catch (NumberFormatException e) {
            throw new BadInput(
                    "%s wants a number from 1 to %d, not '%s'"
                            .formatted(ATTEMPTS, MOST_ATTEMPTS, number),
                    e);
        }
    }

    RunOptions options() {
        return RunOptions.titled(title()).inPrivate().budget(budget);
    }

    /** What was said may be private, and titles cannot be redacted. */
    private String title() {
        return work.next().map(code -> code.language() + ": " + code.entry()).orElse("a task");
    }
}
