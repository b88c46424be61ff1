package dev.glovebox.agent;

import com.fasterxml.jackson.databind.JsonNode;
import com.networknt.schema.Error;
import com.networknt.schema.ExecutionConfig;
import com.networknt.schema.ExecutionContext;
import com.networknt.schema.OutputFormat;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SchemaRegistryConfig;
import com.networknt.schema.SpecificationVersion;
import com.networknt.schema.dialect.DefaultDialectRegistry;
import com.networknt.schema.dialect.Dialect;
import com.networknt.schema.dialect.DialectRegistry;
import com.networknt.schema.dialect.Dialects;
import com.networknt.schema.format.Format;
import com.networknt.schema.path.PathType;
import com.networknt.schema.regex.RegularExpression;
import com.networknt.schema.regex.RegularExpressions;
import dev.glovebox.agent.BoundedPattern.Effort;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A JSON schema that something must follow; draft 2020-12, unless it says otherwise.
 *
 * <p>It may come from a stranger: nothing that it refers to is fetched, and one that would take too
 * long, or that nobody understands, fits nothing.
 */
final class SchemaCheck {

    // To put an error into words takes longer than to find it; several may have the same.
    private static final int MOST_TOLD = 100;

    private static final SchemaRegistryConfig CONFIG =
            SchemaRegistryConfig.builder()
                    .locale(Locale.ROOT)
                    .pathType(PathType.JSON_POINTER)
                    .regularExpressionFactory(SchemaCheck::expression)
                    .build();

    private static final DialectRegistry KNOWN = DefaultDialectRegistry.getInstance();

    private static final SchemaRegistry FOREIGN =
            SchemaRegistry.withDefaultDialect(
                    SpecificationVersion.DRAFT_2020_12,
                    builder ->
                            builder
                                    // Two strangers may give the same name to two schemas.
                                    .schemaCacheEnabled(false)
                                    .dialectRegistry((name, registry) ->
                                            WeighedKeyword.in(KNOWN.getDialect(name, registry)))
                                    .schemaLoader(loader ->
                                            loader.fetchRemoteResources(false)
                                                    .block(address -> true))
                                    .schemaRegistryConfig(CONFIG));

    private static final SchemaRegistry OF_TYPES =
            SchemaRegistry.withDialect(
                    Dialect.builder(WeighedKeyword.in(Dialects.getDraft202012()))
                            .formats(Stream.of(TextFormat.values()).map(Asserted::new).toList())
                            .build(),
                    builder -> builder.schemaCacheEnabled(false).schemaRegistryConfig(CONFIG));

    private static final ExecutionConfig WITH_FORMATS =
            ExecutionConfig.builder().formatAssertionsEnabled(true).build();

    /** Of all patterns in a schema together; the library does not tell them for which value. */
    private static final ScopedValue<Effort> EFFORT = ScopedValue.newInstance();

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
        return text -> BoundedPattern.finds(pattern, text, EFFORT.get());
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

    /**
     * What is wrong with a value; nothing if it fits.
     *
     * @throws CancellationException if this thread is interrupted
     */
    JsonProblems problems(JsonNode value) {
        if (plain.isPresent() && plain.get().fits(value)) {
            return JsonProblems.NONE;
        }
        try {
            Schema schema = compiled();
            List<Error> errors =
                    ScopedValue.where(EFFORT, Effort.of(value.toString().length()))
                            .call(() -> schema.validate(bounded(), value, OutputFormat.DEFAULT));
            return new JsonProblems(
                    errors.stream()
                            .limit(MOST_TOLD)
                            .map(error -> SchemaProblem.of(error, value, isOfTypes))
                            .distinct()
                            .toList(),
                    Math.max(0, errors.size() - MOST_TOLD));
        } catch (CancellationException e) {
            throw e;
        } catch (RuntimeException | StackOverflowError e) {
            // Deep within somebody else's code; what it throws for a bad schema is not documented.
            String why = e instanceof RuntimeException ? String.valueOf(e.getMessage()) : "";
            return JsonProblems.of(
                    new JsonProblem("", "a schema that can be checked", "this one: " + why));
        }
    }

    private ExecutionContext bounded() {
        ExecutionContext context = new SchemaSteps();
        if (isOfTypes) {
            context.setExecutionConfig(WITH_FORMATS);
        }
        return context;
    }

    private Schema compiled() {
        Schema known = compiled;
        if (known == null) {
            known =
                    isOfTypes
                            ? OF_TYPES.getSchema(SealedSchema.choosing(source))
                            : FOREIGN.getSchema(source);
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
}
