package dev.glovebox.coder;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.glovebox.sandbox.Language;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

class LiteralsProperties {

    private static String literal(String text, Language language) {
        return Literals.of(JsonNodeFactory.instance.textNode(text), language);
    }

    @Property
    void noTextEndsItsLiteral(@ForAll String text) {
        for (Language language : Language.values()) {
            String literal = literal(text, language);
            String inner = literal.substring(1, literal.length() - 1);

            assertThat(literal).startsWith("\"").endsWith("\"");
            assertThat(inner.replaceAll("\\\\.", "")).doesNotContain("\"").doesNotContain("\\");
            assertThat(inner.codePoints())
                    .noneMatch(point ->
                            Character.isISOControl(point)
                                    || point == '\u2028'
                                    || point == '\u2029');
        }
    }

    /** What is below the supplementary planes is escaped as JSON has it. */
    @Property
    void aLiteralMeansItsText(@ForAll char first, @ForAll char second)
            throws JsonProcessingException {
        String text = "" + first + second;
        if (text.codePoints().allMatch(point -> point <= 0xFFFF)) {
            String literal = literal(text, Language.JAVASCRIPT);
            assertThat(RecipeRuns.JSON.readTree(literal).asText()).isEqualTo(text);
        }
    }
}
