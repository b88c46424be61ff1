package dev.glovebox.agent;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.networknt.schema.Error;
import com.networknt.schema.ExecutionConfig;
import com.networknt.schema.ExecutionContext;
import com.networknt.schema.OutputFormat;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SchemaRegistryConfig;
import com.networknt.schema.SpecificationVersion;
import com.networknt.schema.dialect.Dialect;
import com.networknt.schema.dialect.Dialects;
import com.networknt.schema.format.Format;
import com.networknt.schema.path.NodePath;
import com.networknt.schema.path.PathType;
import com.networknt.schema.regex.RegularExpression;
import com.networknt.schema.regex.RegularExpressions;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A JSON schema that something must follow; draft 2020-12, unless it says otherwise.
 *
 * <p>It may come from a stranger: nothing that it refers to is fetched, and one that would take too
 * long, or that nobody understands, fits nothing.
 */
final class SchemaCheck {

    // Far more than honest schemas and arguments take, and a second or so.
    private static final int MOST_STEPS = 1_000_000;

    private static final SchemaRegistryConfig CONFIG =
            SchemaRegistryConfig.builder()
                    .locale(Locale.ROOT)
                    .pathType(PathType.JSON_POINTER)
                    .regularExpressionFactory(SchemaCheck::expression)
                    .build();

    private static final SchemaRegistry FOREIGN =
            SchemaRegistry.withDefaultDialect(
                    SpecificationVersion.DRAFT_2020_12,
                    builder ->
                            builder
                                    // Two strangers may give the same name to two schemas.
                                    .schemaCacheEnabled(false)
                                    .schemaLoader(loader ->
                                            loader.fetchRemoteResources(false)
                                                    .block(address -> true))
                                    .schemaRegistryConfig(CONFIG));

    private static final SchemaRegistry OF_TYPES =
            SchemaRegistry.withDialect(
                    Dialect.builder(Dialects.getDraft202012())
                            .formats(Stream.of(TextFormat.values()).map(Asserted::new).toList())
                            .build(),
                    builder -> builder.schemaCacheEnabled(false).schemaRegistryConfig(CONFIG));

    private static final ExecutionConfig WITH_FORMATS =
            ExecutionConfig.builder().formatAssertionsEnabled(true).build();

    private final boolean isOfTypes;
    private final JsonNode source;
    private final Optional<PlainSchema> plain;
    private @Nullable volatile Schema compiled;

    /** Takes a schema of anybody; whether a text has a format may be for others to say. */
    SchemaCheck(JsonNode source) {
        this(source, false);
    }

    private SchemaCheck(JsonNode source, boolean isOfTypes) {
        this.isOfTypes = isOfTypes;
        this.source = source;
        this.plain = PlainSchema.of(source);
    }

    /** Takes one that was made of Java types: a text must be one that they can be read from. */
    static SchemaCheck ofTypes(JsonNode source) {
        return new SchemaCheck(source, true);
    }

    private static RegularExpression expression(String regex) {
        String java =
                RegularExpressions.replaceLongformCharacterProperties(
                        RegularExpressions.replaceDollarAnchors(regex));
        Pattern pattern = Pattern.compile(java);
        return text -> BoundedPattern.finds(pattern, text);
    }

    /**
     * This one, if it can be checked.
     *
     * @throws IllegalArgumentException if it is no schema, or refers to another document
     */
    SchemaCheck usable() {
        try {
            compiled().initializeValidators();
            return this;
        } catch (RuntimeException | StackOverflowError e) {
            throw new IllegalArgumentException("This is no usable schema: " + e.getMessage(), e);
        }
    }

    /** What is wrong with a value; nothing if it fits. */
    List<JsonProblem> problems(JsonNode value) {
        if (plain.isPresent() && plain.get().fits(value)) {
            return List.of();
        }
        try {
            Schema schema = compiled();
            return schema.validate(bounded(), value, OutputFormat.DEFAULT).stream()
                    .map(error -> problem(error, value))
                    .distinct()
                    .toList();
        } catch (RuntimeException | StackOverflowError e) {
            // Deep within somebody else's code; what it throws for a bad schema is not documented.
            String why = e instanceof RuntimeException ? String.valueOf(e.getMessage()) : "";
            return List.of(new JsonProblem("", "a schema that can be checked", "this one: " + why));
        }
    }

    private ExecutionContext bounded() {
        ExecutionContext context = new Bounded();
        if (isOfTypes) {
            context.setExecutionConfig(WITH_FORMATS);
        }
        return context;
    }

    private Schema compiled() {
        Schema known = compiled;
        if (known == null) {
            known = (isOfTypes ? OF_TYPES : FOREIGN).getSchema(source);
            compiled = known;
        }
        return known;
    }

    /** A format of a Java type. */
    private record Asserted(TextFormat format) implements Format {

        @Override
        public String getName() {
            return format.word();
        }

        @Override
        public boolean matches(ExecutionContext context, String text) {
            return format.matches(text);
        }
    }

    /** Counts the steps. */
    private static final class Bounded extends ExecutionContext {

        private int left = MOST_STEPS;

        @Override
        public void evaluationPathAddLast(String step) {
            count();
            super.evaluationPathAddLast(step);
        }

        @Override
        public void evaluationPathAddLast(int step) {
            count();
            super.evaluationPathAddLast(step);
        }

        private void count() {
            if (--left < 0) {
                throw new IllegalStateException("its schema takes too long to check");
            }
        }
    }

    private JsonProblem problem(Error error, JsonNode value) {
        String keyword = String.valueOf(error.getKeyword());
        NodePath place = error.getInstanceLocation();
        JsonNode found = value.at(place.toString());
        String field = place.toString();
        String property = error.getProperty();
        return switch (keyword) {
            case "required" ->
                    JsonProblem.of(field + "/" + property, "a value", MissingNode.getInstance());
            case "additionalProperties", "unevaluatedProperties" ->
                    new JsonProblem(
                            field + "/" + property, "no such field", "a field of that name");
            case "type" -> JsonProblem.of(field, types(error.getSchemaNode()), found);
            case "enum" -> JsonProblem.of(field, "one of " + error.getSchemaNode(), found);
            case "format" -> JsonProblem.of(field, format(error.getSchemaNode()), found);
            default -> JsonProblem.of(field, keyword + " " + error.getSchemaNode(), found);
        };
    }

    private String format(JsonNode word) {
        return Stream.of(TextFormat.values())
                .filter(format -> isOfTypes && format.word().equals(word.asText()))
                .findFirst()
                .map(TextFormat::expected)
                .orElse("format " + word);
    }

    private static String types(JsonNode type) {
        return type.isArray()
                ? type.valueStream().map(JsonNode::asText).collect(Collectors.joining(" or "))
                : type.asText();
    }
}
