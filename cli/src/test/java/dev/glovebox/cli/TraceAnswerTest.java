package dev.glovebox.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs that wait for people, or whose program has changed. */
class TraceAnswerTest {

    private static final int UNFINISHED = 3;

    @TempDir private Path directory = Path.of("");

    @AfterEach
    void theProgramIsAsBefore() {
        Survey.note = "as always";
    }

    private Cli.Ran glovebox(String... arguments) {
        return Cli.in(directory).run(arguments);
    }

    private String begun(String kind) {
        return Survey.begin(directory.resolve(Cli.HOME), kind);
    }

    @Test
    void a_run_that_waits_is_answered_and_goes_on() throws IOException {
        String run = begun("survey");
        assertThat(glovebox("trace", "show", "last").out())
                .contains("It asks: Tea?")
                .contains("  glovebox trace answer " + run + " yes|no");
        JsonNode asked = glovebox("trace", "show", run, "--json").json().at("/questions/0");
        assertThat(asked.get("text").textValue()).isEqualTo("Tea?");
        assertThat(asked.get("choices")).hasSize(2);

        Cli.Ran ran = glovebox("trace", "answer", run, "yes", "--by", "anna", "--json");
        assertThat(ran.exit()).as(ran.stderr()).isZero();
        assertThat(ran.json().get("question")).isEqualTo(asked.get("question"));
        assertThat(glovebox("trace", "show", "last").out()).doesNotContain("It asks");

        Cli.Ran waits = glovebox("trace", "resume", "last");
        assertThat(waits.exit()).as(waits.stderr()).isEqualTo(UNFINISHED);
        assertThat(waits.out()).contains(run + "  waits").contains("It asks: Milk?");
        JsonNode open = glovebox("trace", "resume", "last", "--json").json();
        String key = open.at("/questions/0/question").textValue();
        assertThat(glovebox("trace", "answer", run, key, "a little").exit()).isZero();

        Cli.Ran end = glovebox("trace", "resume", run);
        assertThat(end.exit()).as(end.stderr()).isZero();
        assertThat(end.out()).isEqualTo(run + "  completed\n");
        assertThat(glovebox("trace", "verify", run).exit()).isZero();
        assertThat(glovebox("trace", "replay", run).exit()).isZero();
        assertThat(glovebox("trace", "show", run).out()).contains("anna").contains("a little");
        // Answers are listed for whoever asks for them.
        assertThat(glovebox("trace", "list").out()).contains(run).doesNotContain("letter");
        assertThat(glovebox("trace", "list", "--kind", "letter").out()).contains("letter");
    }

    @Test
    void a_question_is_answered_once_and_only_with_one_of_its_choices() {
        String run = begun("survey");
        Cli.Ran other = glovebox("trace", "answer", run, "perhaps");
        assertThat(other.exit()).isEqualTo(Main.USAGE);
        assertThat(other.stderr()).contains("'perhaps' is not among the choices [yes, no]");
        assertThat(glovebox("trace", "answer", run, "no").exit()).isZero();
        Cli.Ran late = glovebox("trace", "answer", run, "ask#1:2", "yes");
        assertThat(late.exit()).isEqualTo(Main.USAGE);
        assertThat(late.stderr()).contains("answered already");
    }

    @Test
    void a_run_that_waits_is_faithful_as_far_as_it_goes() throws IOException {
        String run = begun("survey");
        Cli.Ran ran = glovebox("trace", "replay", run);
        assertThat(ran.exit()).isEqualTo(UNFINISHED);
        assertThat(ran.out())
                .startsWith("Not finished: the run " + run + " does what its ")
                .endsWith("To go on: glovebox trace resume " + run + "\n");
        assertThat(glovebox("trace", "replay", run, "--json").json().get("verdict").textValue())
                .isEqualTo("unfinished");
    }

    @Test
    void the_first_thing_that_a_changed_program_does_otherwise_is_named() throws IOException {
        String run = begun("survey");
        Survey.note = "for once";
        Cli.Ran ran = glovebox("trace", "replay", run);
        assertThat(ran.exit()).isEqualTo(1);
        assertThat(ran.out())
                .isEqualTo(
                        "Diverged: ask#1, text of note: recorded \"as always\", now \"for once\"\n");
        assertThat(glovebox("trace", "replay", run, "--json").json().get("why").textValue())
                .contains("for once");
        Cli.Ran resumed = glovebox("trace", "resume", run);
        assertThat(resumed.exit()).isEqualTo(1);
        assertThat(resumed.out()).contains("diverged").contains("for once");
    }

    @Test
    void a_kind_that_nothing_here_knows_gets_one_clear_sentence() {
        String run = begun("dance");
        for (String command : new String[] {"replay", "resume"}) {
            Cli.Ran ran = glovebox("trace", command, run);
            assertThat(ran.exit()).isEqualTo(Main.USAGE);
            assertThat(ran.stderr())
                    .isEqualTo(
                            "glovebox: Nothing here knows how runs of the kind 'dance' work; known"
                                    + " are [coder, exec, survey]\n");
        }
    }
}
