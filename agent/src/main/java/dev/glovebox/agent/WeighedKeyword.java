package dev.glovebox.agent;

import com.fasterxml.jackson.databind.JsonNode;
import com.networknt.schema.ExecutionContext;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaContext;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.dialect.Dialect;
import com.networknt.schema.keyword.Keyword;
import com.networknt.schema.keyword.KeywordValidator;
import com.networknt.schema.path.NodePath;
import com.networknt.schema.vocabulary.Vocabularies;
import com.networknt.schema.vocabulary.Vocabulary;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A keyword for which all of a value is looked at, and perhaps copied: as many steps as there are
 * parts in it, since a schema that has it again and again would otherwise take all memory, or days.
 */
record WeighedKeyword(Keyword keyword) implements Keyword {

    private static final String OF_NAMES = "patternProperties";

    private static final Set<String> WEIGHED =
            Set.of("enum", "const", "uniqueItems", "pattern", OF_NAMES);

    // A step looks at no more of a text.
    private static final int CHARACTERS = 100;

    /** The same words, with the steps that they take. */
    static Dialect in(Dialect dialect) {
        return Dialect.builder(dialect)
                .keywords(known -> known.replaceAll((word, keyword) -> weighed(keyword)))
                // Newer ones take their words from vocabularies, and these win.
                .vocabularyRegistry(WeighedKeyword::vocabulary)
                .build();
    }

    private static @Nullable Vocabulary vocabulary(String name) {
        Vocabulary known = Vocabularies.getVocabulary(name);
        return known == null
                ? null
                : new Vocabulary(
                        name,
                        known.getKeywords().stream()
                                .map(WeighedKeyword::weighed)
                                .toArray(Keyword[]::new));
    }

    private static Keyword weighed(Keyword keyword) {
        return WEIGHED.contains(keyword.getValue()) ? new WeighedKeyword(keyword) : keyword;
    }

    @Override
    public String getValue() {
        return keyword.getValue();
    }

    @Override
    public KeywordValidator newValidator(
            SchemaLocation location, JsonNode node, Schema parent, SchemaContext context)
            throws Exception {
        KeywordValidator validator = keyword.newValidator(location, node, parent, context);
        return new Weighed(validator, getValue().equals(OF_NAMES) ? node.size() : 0);
    }

    /**
     * What looks.
     *
     * @param patterns with how many each name is compared; 0: with none
     */
    private record Weighed(KeywordValidator validator, int patterns) implements KeywordValidator {

        @Override
        public void validate(
                ExecutionContext context, JsonNode node, JsonNode root, NodePath place) {
            if (context instanceof SchemaSteps steps) {
                weigh(node, steps, patterns);
            }
            validator.validate(context, node, root, place);
        }

        private static void weigh(JsonNode node, SchemaSteps steps, int patterns) {
            if (patterns == 0) {
                weigh(node, steps);
            } else {
                node.fieldNames().forEachRemaining(name -> steps.count(patterns * weight(name)));
            }
        }

        private static int weight(String text) {
            return 1 + text.length() / CHARACTERS;
        }

        private static void weigh(JsonNode node, SchemaSteps steps) {
            steps.count(weight(node.asText()));
            for (JsonNode part : node) {
                weigh(part, steps);
            }
        }

        @Override
        public SchemaLocation getSchemaLocation() {
            return validator.getSchemaLocation();
        }

        @Override
        public String getKeyword() {
            return validator.getKeyword();
        }
    }
}
