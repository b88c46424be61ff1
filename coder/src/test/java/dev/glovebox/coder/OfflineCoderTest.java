package dev.glovebox.coder;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.glovebox.agent.support.Jail;
import dev.glovebox.sandbox.Language;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class OfflineCoderTest {

    private static final List<String> HOSTILE =
            List.of(
                    "'); import os; os.system('rm -rf /') #",
                    "\\\"); process.exit(7); //",
                    "\\",
                    "\\\\\" + __import__('os').getcwd() + \"",
                    "${process.env.HOME} `whoami` $(id)",
                    "{{text}} {% end %} {{operation}}",
                    "line\u2028separator\u2029and\u0085next",
                    "*/ \"\"\" ''' -->",
                    "\\u0022); boom(\\u0022",
                    "emoji 😀 and ümlauts, שלום, zero\u200bwidth",
                    "%s %d {0} $1 \\1 \\Q\\E");

    @ParameterizedTest
    @EnumSource(
            value = Language.class,
            names = {"PYTHON", "JAVASCRIPT"})
    void hostileTextsStayData(Language language) {
        Jail.assumed();
        Recipe recipe = Recipes.standard().named("text-transform").orElseThrow();
        for (String text : HOSTILE) {
            ObjectNode inputs = JsonNodeFactory.instance.objectNode();
            inputs.put("operation", "upper").put("text", text);

            String printed = RecipeRuns.run(RecipeRuns.plan(recipe, language, inputs), Map.of());

            assertThat(printed).as(text).contains("Text:   " + text + "\n");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "reverse the text \"'); import os; os.system('rm -rf /') #\"",
                "reverse the text '\"); process.exit(3); (\"'",
                "reverse the text \"\\\\\"",
                "reverse the text “\"\"\"; raise SystemExit(9) #”"
            })
    void hostileSentencesRunAsTheyAreQuoted(String sentence) {
        Jail.assumed();
        for (Language language : List.of(Language.PYTHON, Language.JAVASCRIPT)) {
            ExecutionPlan plan =
                    switch (OfflinePlanner.standard().plan(Task.of(sentence).in(language))) {
                        case Planner.Planned.Plan(ExecutionPlan it) -> it;
                        case Planner.Planned.Unclear(String why) -> throw new AssertionError(why);
                    };
            String text = plan.inputs().path("text").asText();

            String printed = RecipeRuns.run(plan, Map.of());

            assertThat(sentence).contains(text);
            assertThat(text.length()).isGreaterThanOrEqualTo(sentence.length() - 20);
            assertThat(printed)
                    .contains("Text:   " + text + "\n")
                    .contains("Result: " + new StringBuilder(text).reverse() + "\n");
        }
    }

    @Test
    void aFileThatIsThereIsReadAndNotReplaced() {
        Jail.assumed();
        for (Language language : List.of(Language.PYTHON, Language.JAVASCRIPT)) {
            ExecutionPlan plan =
                    switch (OfflinePlanner.standard()
                            .plan(Task.of("sum of cost per shop in bills.csv").in(language))) {
                        case Planner.Planned.Plan(ExecutionPlan it) -> it;
                        case Planner.Planned.Unclear(String why) -> throw new AssertionError(why);
                    };

            String printed =
                    RecipeRuns.run(
                            plan,
                            Map.of(
                                    "bills.csv",
                                    "shop,what,cost\n\"Meyer, Ltd\",nails,2.50\nBaker,bread,4\n\"Meyer, Ltd\",glue,1\n"));

            assertThat(printed)
                    .doesNotContain("There is no")
                    .contains("Meyer, Ltd: 3.50\n")
                    .contains("Baker: 4.00\n");
        }
    }

    @Test
    void whatIsNoRecipeIsNotWritten() {
        ExecutionPlan plan =
                new ExecutionPlan(
                        Language.PYTHON,
                        List.of(),
                        false,
                        "anything",
                        "",
                        JsonNodeFactory.instance.objectNode(),
                        ExecutionPlan.OutputKind.TEXT,
                        List.of());

        assertThat(OfflineCoder.standard().code(plan))
                .isInstanceOfSatisfying(
                        Coder.Coded.Stuck.class,
                        stuck -> assertThat(stuck.why()).contains("no recipe"));
    }

    @Test
    void aPlanWithoutAValueIsNotWritten() {
        Recipe recipe = Recipes.standard().named("fizzbuzz").orElseThrow();
        JsonNode nothing = JsonNodeFactory.instance.objectNode();

        assertThat(OfflineCoder.standard().code(RecipeRuns.plan(recipe, Language.PYTHON, nothing)))
                .isInstanceOfSatisfying(
                        Coder.Coded.Stuck.class,
                        stuck -> assertThat(stuck.why()).contains("[limit]"));
    }
}
