package dev.glovebox.agent;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.networknt.schema.Error;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaException;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SchemaRegistryConfig;
import com.networknt.schema.SpecificationVersion;
import com.networknt.schema.path.PathType;
import com.networknt.schema.regex.RegularExpression;
import dev.glovebox.run.Context;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import java.util.stream.Collectors;

/** Compares an answer with a JSON schema. */
final class SchemaValidator implements Validator {

    private static final int MOST_PROBLEMS = 10;

    private static final JsonMapper MAPPER =
            JsonMapper.builder()
                    .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
                    .enable(DeserializationFeature.FAIL_ON_READING_DUP_TREE_KEY)
                    .build();

    private static final SchemaRegistry REGISTRY =
            SchemaRegistry.withDefaultDialect(
                    SpecificationVersion.DRAFT_2020_12,
                    builder ->
                            builder.schemaLoader(loader -> loader.fetchRemoteResources(false))
                                    .schemaCacheEnabled(false)
                                    .schemaRegistryConfig(
                                            SchemaRegistryConfig.builder()
                                                    .locale(Locale.ENGLISH)
                                                    .pathType(PathType.JSON_POINTER)
                                                    .regularExpressionFactory(
                                                            SchemaValidator::bounded)
                                                    .build()));

    private final Schema schema;

    SchemaValidator(JsonNode schema) {
        try {
            this.schema = REGISTRY.getSchema(schema);
            this.schema.initializeValidators();
        } catch (SchemaException e) {
            throw new IllegalArgumentException("This is no usable schema: " + e.getMessage(), e);
        }
    }

    private static RegularExpression bounded(String regex) {
        try {
            Pattern pattern = Pattern.compile(regex);
            return text -> found(pattern, text);
        } catch (PatternSyntaxException e) {
            throw new SchemaException(e.getMessage());
        }
    }

    private static boolean found(Pattern pattern, String text) {
        try {
            return BoundedPattern.matcher(pattern, text).find();
        } catch (BoundedPattern.TooCostly | StackOverflowError e) {
            throw new SchemaException(e.toString()); // others are swallowed by the keyword
        }
    }

    @Override
    public Optional<String> problem(String answer, Context context) {
        JsonNode tree;
        try {
            tree = MAPPER.readTree(answer);
        } catch (JsonProcessingException e) {
            return Optional.of(
                    "The answer is not JSON: " + Excerpt.line(e.getOriginalMessage(), 200));
        }
        if (tree.isMissingNode()) {
            return Optional.of("The answer is empty, but JSON is expected");
        }
        List<Error> errors;
        try {
            errors = schema.validate(tree);
        } catch (SchemaException | StackOverflowError e) {
            return Optional.of("It takes too long to compare the answer with the schema");
        }
        return errors.isEmpty() ? Optional.empty() : Optional.of(problem(tree, errors));
    }

    private static String problem(JsonNode tree, List<Error> errors) {
        String more =
                errors.size() <= MOST_PROBLEMS
                        ? ""
                        : "\n- and %,d more".formatted(errors.size() - MOST_PROBLEMS);
        return errors.stream()
                .limit(MOST_PROBLEMS)
                .map(error -> line(tree, error))
                .collect(
                        Collectors.joining(
                                "\n- ", "The answer does not follow its schema:\n- ", more));
    }

    private static String line(JsonNode tree, Error error) {
        String where = error.getInstanceLocation().toString();
        String field = where.isEmpty() ? "the answer" : where;
        String came = Excerpt.line(tree.at(where).toString(), 200);
        return Excerpt.line(field, 200)
                + ": "
                + Excerpt.line(error.getMessage(), 200)
                + "; came: "
                + came;
    }
}
