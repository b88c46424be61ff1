package dev.glovebox.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.glovebox.run.Call;
import dev.langchain4j.agent.tool.P;
import java.math.BigDecimal;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CancellationException;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which calls can be made, and what a model is told of the others. */
class ToolboxTest {

    private static final JsonMapper JSON = new JsonMapper();

    enum Unit {
        CELSIUS,
        KELVIN
    }

    record Place(String name, Optional<String> country) {}

    record Weather(
            Place place,
            @P(value = "Days", defaultValue = "3") int days,
            @P(value = "Unit", defaultValue = "CELSIUS") Unit unit,
            Map<String, Double> limits) {}

    private static Tool never(String name) {
        return Tools.of(
                name,
                "",
                Weather.class,
                parameters -> {
                    throw new AssertionError("called");
                });
    }

    private static final Toolbox TOOLBOX =
            Toolbox.of(List.of(never("get_weather"), never("set_weather")));

    private static ObjectNode fit(String arguments) {
        return fit(TOOLBOX, "get_weather", arguments);
    }

    private static ObjectNode fit(Toolbox toolbox, String tool, String arguments) {
        ToolCheck check = toolbox.check(new ToolCall("1", tool, arguments.replace('\'', '"')));
        assertThat(check).isInstanceOf(ToolCheck.Fit.class);
        return ((ToolCheck.Fit) check).arguments();
    }

    private static JsonNode unfit(String arguments) {
        return unfit(TOOLBOX, "get_weather", arguments.replace('\'', '"'));
    }

    private static JsonNode unfit(Toolbox toolbox, String tool, String arguments) {
        ToolCheck check = toolbox.check(new ToolCall("1", tool, arguments));
        assertThat(check).isInstanceOf(ToolCheck.Unfit.class);
        ToolOutput error = ((ToolCheck.Unfit) check).error();
        assertThat(error.isError()).isTrue();
        assertThat(error.text().length()).isLessThan(8_000);
        try {
            return JSON.readTree(error.text());
        } catch (Exception e) {
            throw new AssertionError(error.text(), e);
        }
    }

    private static String problems(JsonNode error) {
        return error.path("problems")
                .valueStream()
                .map(one ->
                        "%s: %s, not %s"
                                .formatted(
                                        one.path("field").asText(),
                                        one.path("expected").asText(),
                                        one.path("got").asText()))
                .sorted()
                .collect(Collectors.joining("\n"));
    }

    @Test
    void argumentsThatFitGetTheirDefaults() {
        assertThat(fit("{'place':{'name':'Oslo'},'limits':{}}").toString())
                .isEqualTo(
                        """
                        {"place":{"name":"Oslo"},"limits":{},"days":3,"unit":"CELSIUS"}\
                        """);
        assertThat(fit("{'place':{'name':'Oslo'},'limits':{},'days':1}").path("days").asInt())
                .isEqualTo(1);
    }

    @Test
    void nullCountsAsNotThereWhereNothingNeedBe() {
        assertThat(
                        fit("{'place':{'name':'Oslo','country':null},'limits':{},'days':null}")
                                .toString())
                .isEqualTo(
                        """
                        {"place":{"name":"Oslo"},"limits":{},"days":3,"unit":"CELSIUS"}\
                        """);
        assertThat(problems(unfit("{'place':null,'limits':{}}")))
                .isEqualTo("/place: object, not null");
    }

    @Test
    void eachProblemNamesTheFieldWhatWasExpectedAndWhatCame() {
        assertThat(
                        problems(
                                unfit(
                                        "{'place':{'nam':'Oslo'},'days':'three','unit':'F',"
                                                + "'limits':{'low':[1]},'extra':1}")))
                .isEqualTo(
                        """
                        /days: integer, not "three"
                        /extra: no such field, not a field of that name
                        /limits/low: number, not an array of 1
                        /place/nam: no such field, not a field of that name
                        /place/name: a value, not nothing
                        /unit: one of ["CELSIUS","KELVIN"], not "F\"\
                        """);
    }

    record Counts(byte small, short middle, int usual, long large) {}

    private static final Toolbox COUNTS =
            Toolbox.of(List.of(Tools.of("count", "", Counts.class, Counts::toString)));

    @Test
    void aNumberThatIsTooLargeForItsTypeIsToldBeforeTheCall() {
        assertThat(
                        problems(
                                unfit(
                                        COUNTS,
                                        "count",
                                        """
                                        {"small":128,"middle":-32769,"usual":2147483648,
                                         "large":9223372036854775808}
                                        """)))
                .contains(
                        "/small: maximum 127, not 128",
                        "/middle: minimum -32768, not -32769",
                        "/usual: maximum 2147483647, not 2147483648",
                        "/large: maximum 9223372036854775807, not 9223372036854775808");
        fit(
                COUNTS,
                "count",
                "{'small':127,'middle':-32768,'usual':2147483647,'large':-9223372036854775808}");
    }

    record Ratio(float exact, Optional<Float> rough) {}

    @Test
    void aNumberThatWouldBeInfiniteIsToldBeforeTheCall() {
        Toolbox ratios = Toolbox.of(List.of(Tools.of("ratio", "", Ratio.class, Ratio::toString)));
        assertThat(problems(unfit(ratios, "ratio", "{\"exact\":1e300,\"rough\":-1e39}")))
                .contains(
                        "/exact: maximum 3.4028235E38, not 1000000",
                        "/rough: minimum -3.4028235E38, not -1000000");
        fit(ratios, "ratio", "{'exact':3.4028235E38,'rough':1}");
    }

    record Payment(BigDecimal amount, Optional<Long> to) {}

    @Test
    void anAmountReachesItsToolAsItWasWritten() throws Exception {
        Toolbox toolbox =
                Toolbox.of(List.of(Tools.of("pay", "", Payment.class, Payment::toString)));
        ObjectNode arguments = fit(toolbox, "pay", "{'amount':12345678901234567.89}");
        assertThat(arguments.toString()).isEqualTo("{\"amount\":12345678901234567.89}");
        ToolInput input =
                new ToolInput(arguments, "ann", new Call("run/node#0", Duration.ofMinutes(1)));
        assertThat(toolbox.tools().getFirst().call(input).text())
                .contains("amount=12345678901234567.89");
    }

    @Test
    void whatIsNoWholeNumberIsNotRoundedToOne() {
        Toolbox toolbox =
                Toolbox.of(List.of(Tools.of("pay", "", Payment.class, Payment::toString)));
        assertThat(problems(unfit(toolbox, "pay", "{\"amount\":1,\"to\":9007199254740993.5}")))
                .isEqualTo("/to: integer, not 9007199254740993.5");
        assertThat(problems(unfit(COUNTS, "count", COUNT.formatted("0.9999999999999999999999"))))
                .isEqualTo("/large: integer, not 0.9999999999999999999999");
        fit(COUNTS, "count", COUNT.formatted("9007199254740993.0"));
    }

    private static final String COUNT = "{\"small\":1,\"middle\":1,\"usual\":1,\"large\":%s}";

    record Times(
            LocalDate date,
            LocalTime time,
            LocalDateTime local,
            OffsetDateTime moment,
            Instant instant,
            Duration duration,
            UUID id,
            URI address,
            List<LocalDate> days,
            Optional<LocalDate> maybe) {}

    private static final Toolbox TIMES =
            Toolbox.of(
                    List.of(
                            Tools.with(
                                    Tools.of("plan", "", Times.class, Times::toString),
                                    ToolTraits.standard())));

    private static final String PLAN =
            """
            {"date":"2025-01-31","time":"14:30","local":"2025-01-31T14:30:00",
             "moment":"2025-01-31T14:30:00+01:00","instant":"2025-01-31T13:30:00.5Z",
             "duration":"PT1H30M","id":"123e4567-e89b-12d3-a456-426614174000",
             "address":"https://example.org/x","days":["2025-01-31"],"maybe":"2025-02-28"}
            """;

    @Test
    void datesTimesAndIdsFitAsTheyAreWritten() throws Exception {
        ObjectNode arguments = fit(TIMES, "plan", PLAN);
        ToolInput input =
                new ToolInput(arguments, "ann", new Call("run/node#0", Duration.ofMinutes(1)));
        assertThat(TIMES.tools().getFirst().call(input).text())
                .startsWith("Times[date=2025-01-31, time=14:30, local=2025-01-31T14:30,")
                .contains(
                        "moment=2025-01-31T14:30+01:00",
                        "duration=PT1H30M",
                        "days=[2025-01-31], maybe=Optional[2025-02-28]");
        assertThat(fit(TIMES, "plan", PLAN.replace("\"2025-02-28\"", "null")).has("maybe"))
                .isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "  ", "soon", "12", "2025-13-45", "2025-02-30T25:00:00Z", "\0"})
    void aTextThatIsNoDateTimeOrIdIsToldBeforeTheCall(String text) {
        ObjectNode arguments = JSON.createObjectNode();
        Stream.of(Times.class.getRecordComponents())
                .forEach(member -> arguments.put(member.getName(), text));
        arguments.put("address", ":" + text).putArray("days").add("2025-01-31").add(text);
        String got = ", not " + TextNode.valueOf(text);
        assertThat(problems(unfit(TIMES, "plan", arguments.toString())))
                .isEqualTo(
                        String.join(
                                "\n",
                                "/address: an address such as https://example.org/page, not "
                                        + TextNode.valueOf(":" + text),
                                "/date: a date such as 2025-01-31" + got,
                                "/days/1: a date such as 2025-01-31" + got,
                                "/duration: a duration such as PT1H30M" + got,
                                "/id: an id such as 123e4567-e89b-12d3-a456-426614174000" + got,
                                "/instant: a moment such as 2025-01-31T14:30:00Z" + got,
                                "/local: a date and a time such as 2025-01-31T14:30:00" + got,
                                "/maybe: a date such as 2025-01-31" + got,
                                "/moment: a moment such as 2025-01-31T14:30:00Z" + got,
                                "/time: a time such as 14:30:00" + got));
    }

    record Written(@JsonFormat(pattern = "dd.MM.yyyy") LocalDate day) {}

    @Test
    void aDateThatIsWrittenInAnotherWayFitsAsTheRecordReadsIt() throws Exception {
        Toolbox toolbox = Toolbox.of(List.of(Tools.of("plan", "", Written.class, Written::day)));
        ToolInput input =
                new ToolInput(
                        fit(toolbox, "plan", "{'day':'31.01.2025'}"),
                        "ann",
                        new Call("run/node#0", Duration.ofMinutes(1)));
        assertThat(toolbox.tools().getFirst().call(input).text()).isEqualTo("\"2025-01-31\"");
    }

    @ParameterizedTest
    @ValueSource(strings = {"date", "date-time", "uuid", "no-such-format", ""})
    void whetherATextHasAForeignFormatIsForItsServerToSay(String format) {
        String schema = "{'properties':{'a':{'type':'string','format':'%s'}}}".formatted(format);
        fit(foreign(schema), "t", "{'a':'next week'}");
    }

    @Test
    void noArgumentsAtAllAreAnEmptyObject() {
        assertThat(problems(unfit("  ")))
                .isEqualTo("/limits: a value, not nothing\n/place: a value, not nothing");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{",
                "{'place':",
                "null",
                "[]",
                "3",
                "'text'",
                "{} {}",
                "{'a':1,'a':2}",
                "{a:1}",
                "{'place':NaN}",
                "<call/>",
                "\u0000",
                "\ud800",
                "{'a':'\ud800'}",
                "{'a':1e999}",
                "{'a':-1e999}",
                "{'/~':1}",
                "{'':1}"
            })
    void nonsenseIsAClearError(String arguments) {
        JsonNode error = unfit(arguments);
        assertThat(error.path("tool").asText()).isEqualTo("get_weather");
        assertThat(error.path("problems").isEmpty()).isFalse();
    }

    @Test
    void numbersTextsAndNestingThatAreTooLargeAreRefused() {
        assertThat(problems(unfit("{'days':" + "9".repeat(5_000) + "}"))).contains("no JSON");
        assertThat(problems(unfit("{'days':1e99999999}"))).contains("below 1.8e308");
        assertThat(problems(unfit("[".repeat(100_000)))).contains("no JSON");
        assertThat(problems(unfit("{'a':".repeat(65) + "1" + "}".repeat(65)))).contains("no JSON");
        assertThat(problems(unfit("{'a':'" + "x".repeat(5 << 20) + "'}")))
                .isEqualTo(": at most 1048576 characters, not 5242888 characters");
    }

    @Test
    void ofHundredsOfProblemsAFewAreTold() {
        String fields =
                IntStream.range(0, 500)
                        .mapToObj(i -> "'f" + i + "':1")
                        .collect(Collectors.joining(","));
        JsonNode error = unfit("{" + fields + "}");
        assertThat(error.path("problems")).hasSize(10);
        assertThat(error.path("more").asInt()).isEqualTo(492);
    }

    @Test
    void anUnknownToolIsToldWithThoseThereAre() {
        assertThat(unfit(TOOLBOX, "getWeahter", "{}").toString())
                .isEqualTo(
                        """
                        {"error":"There is no such tool","tool":"getWeahter",\
                        "did_you_mean":"get_weather","available":["get_weather","set_weather"]}\
                        """);
        assertThat(unfit(TOOLBOX, "rm", "{}").has("did_you_mean")).isFalse();
        assertThat(unfit(TOOLBOX, "x".repeat(1 << 20), "{}").path("tool").asText()).hasSize(101);
        assertThat(unfit(Toolbox.empty(), "", "").path("available")).isEmpty();
    }

    @Test
    void twoToolsOfOneNameAreRefused() {
        assertThatThrownBy(() -> TOOLBOX.plus(never("get_weather")))
                .hasMessage("Two tools have the name get_weather");
        assertThat(TOOLBOX.plus(never("other")).names())
                .containsExactly("get_weather", "set_weather", "other");
        assertThat(TOOLBOX.names()).hasSize(2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "get weather", "wetter.holen", "größe", "a\nb"})
    void aNameThatVendorsDoNotTakeIsRefused(String name) {
        assertThatThrownBy(() -> TOOLBOX.plus(never(name)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("A tool has a name of up to 64 letters");
        assertThatThrownBy(() -> TOOLBOX.plus(never("x".repeat(65))))
                .isInstanceOf(IllegalArgumentException.class);
        assertThat(TOOLBOX.plus(never("x".repeat(64))).names()).hasSize(3);
    }

    /** A tool with a schema of somebody else. */
    private static Toolbox foreign(String schema) {
        try {
            ToolOffer offer = new ToolOffer("t", "", JSON.readTree(schema.replace('\'', '"')));
            return Toolbox.of(
                    List.of(
                            new JavaTool(
                                    offer,
                                    ToolTraits.standard(),
                                    input -> {
                                        throw new AssertionError("called");
                                    })));
        } catch (Exception e) {
            throw new AssertionError(schema, e);
        }
    }

    @Test
    void foreignSchemasMayReferToTheirOwnParts() {
        Toolbox toolbox =
                foreign(
                        """
                        {'$schema':'http://json-schema.org/draft-07/schema#','type':'object',
                         'properties':{'a':{'$ref':'#/$defs/a'}},
                         '$defs':{'a':{'type':'object','properties':{'b':{'type':'string',
                          'default':'x'}}}}}\
                        """);
        assertThat(fit(toolbox, "t", "{'a':{}}").toString()).isEqualTo("{\"a\":{\"b\":\"x\"}}");
        assertThat(problems(unfit(toolbox, "t", "{\"a\":{\"b\":1}}")))
                .isEqualTo("/a/b: string, not 1");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{'properties':{'a':{'$ref':'http://127.0.0.1:1/x.json'}}}",
                "{'properties':{'a':{'$ref':'file:///etc/passwd'}}}",
                "{'properties':{'a':{'$ref':'classpath:/draft/2020-12/schema'}}}",
                "{'properties':{'a':{'$ref':'#/$defs/none'}}}",
                "{'properties':{'a':{'$dynamicRef':'http://127.0.0.1:1/#x'}}}",
                "{'$schema':'http://127.0.0.1:1/meta'}",
                "{'properties':{'a':{'pattern':'['}}}",
                "{'properties':{'a':{'pattern':'^(a+)+$'}}}",
                "{'properties':{'a':{'pattern':'^(a|aa)+$'}}}",
                "{'properties':{'a':{'pattern':'^(.|\\\\n)*b$'}}}",
                "{'$ref':'#'}",
                "{'allOf':[{'$ref':'#'}]}"
            })
    void aForeignSchemaThatCannotBeCheckedFitsNothing(String schema) {
        String text = "a".repeat(20_000) + "!";
        assertThat(problems(unfit(foreign(schema), "t", "{\"a\":\"" + text + "\"}")))
                .contains("a schema that can be checked");
    }

    @Test
    void aForeignSchemaThatDoublesTheWorkAtEachStepIsGivenUp() {
        String doubling =
                IntStream.range(0, 40)
                        .mapToObj(i ->
                                "'d%d':{'allOf':[{'$ref':'#/$defs/d%d'},{'$ref':'#/$defs/d%d'}]}"
                                        .formatted(i, i + 1, i + 1))
                        .collect(Collectors.joining(","));
        Toolbox toolbox =
                foreign("{'$ref':'#/$defs/d0','$defs':{" + doubling + ",'d40':{'type':'object'}}}");
        assertThat(problems(unfit(toolbox, "t", "{}"))).contains("takes too long");
        String half = "{'properties':{'a':{'$ref':'#'}}}";
        Toolbox deep = foreign("{'allOf':[" + half + "," + half + "]}");
        assertThat(problems(unfit(deep, "t", "{\"a\":".repeat(60) + "1" + "}".repeat(60))))
                .contains("takes too long");
    }

    private static String words(int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> "'w" + i + "'")
                .collect(Collectors.joining(","));
    }

    @Test
    void aForeignSchemaThatBreaksMoreOftenThanAnybodyReadsIsGivenUp() {
        String all =
                IntStream.range(0, 300)
                        .mapToObj(i -> "{'$ref':'#/$defs/e'}")
                        .collect(Collectors.joining(","));
        String schema =
                "{'properties':{'a':{'items':{'allOf':[%s]},'default':[%s0]}},'$defs':{'e':{'enum':[%s]}}}"
                        .formatted(all, "0,".repeat(399), words(5_000));
        assertThat(problems(unfit(foreign(schema), "t", "{}"))).contains("takes too long");
    }

    @ParameterizedTest
    @ValueSource(strings = {"'enum':[[1]]", "'const':[1]", "'uniqueItems':true"})
    void aForeignSchemaThatLooksAtALongListAgainAndAgainIsGivenUp(String says) {
        String all =
                IntStream.range(0, 1_000)
                        .mapToObj(i -> "{'$ref':'#/$defs/e'}")
                        .collect(Collectors.joining(","));
        for (String dialect : List.of("", "'$schema':'http://json-schema.org/draft-07/schema#',")) {
            Toolbox toolbox =
                    foreign(
                            "{%s'properties':{'a':{'allOf':[%s]}},'$defs':{'e':{%s}}}"
                                    .formatted(dialect, all, says));
            String numbers =
                    IntStream.range(0, 2_000).mapToObj(i -> i + ",").collect(Collectors.joining());
            assertThat(problems(unfit(toolbox, "t", "{\"a\":[" + numbers + "-1]}")))
                    .contains("takes too long");
        }
    }

    @Test
    void aForeignSchemaThatLooksAtALongTextAgainAndAgainIsGivenUp() {
        String all =
                IntStream.range(0, 1_000)
                        .mapToObj(i -> "{'pattern':'^a*$'}")
                        .collect(Collectors.joining(","));
        Toolbox toolbox = foreign("{'properties':{'a':{'allOf':[" + all + "]}}}");
        fit(toolbox, "t", "{'a':'aaa'}");
        String text = "a".repeat(200_000);
        assertThat(problems(unfit(toolbox, "t", "{\"a\":\"" + text + "\"}")))
                .contains("takes too long");
    }

    @Test
    void aForeignSchemaThatComparesManyNamesWithManyPatternsIsGivenUp() {
        String patterns =
                IntStream.range(0, 2_000)
                        .mapToObj(i -> "'a" + i + "!':{}")
                        .collect(Collectors.joining(","));
        Toolbox toolbox = foreign("{'patternProperties':{" + patterns + "}}");
        fit(toolbox, "t", "{'a1':1}");
        String names =
                IntStream.range(0, 2_000)
                        .mapToObj(i -> "\"n" + i + "\":0")
                        .collect(Collectors.joining(","));
        assertThat(problems(unfit(toolbox, "t", "{" + names + "}"))).contains("takes too long");
    }

    @Test
    void ofALongListOfWordsTheFirstAreToldHoweverOftenItIsBroken() {
        Toolbox toolbox =
                foreign("{'properties':{'a':{'items':{'enum':[" + words(10_000) + "]}}}}");
        JsonNode error = unfit(toolbox, "t", "{\"a\":[" + "0,".repeat(48_999) + "0]}");
        assertThat(error.path("problems")).hasSize(10);
        assertThat(error.path("more").asInt()).isEqualTo(48_990);
        assertThat(error.at("/problems/9/field").asText()).isEqualTo("/a/9");
        assertThat(error.at("/problems/9/expected").asText())
                .startsWith("one of [\"w0\",\"w1\",")
                .hasSize(301)
                .endsWith("…");
    }

    @Test
    void aFieldIsNamedByItsPointerWhateverItsName() {
        String schema =
                "{'properties':{'a/b':{'properties':{'~c':{'type':'array','items':{'type':'string'}}}}}}";
        assertThat(problems(unfit(foreign(schema), "t", "{\"a/b\":{\"~c\":[\"x\",1]}}")))
                .isEqualTo("/a~1b/~0c/1: string, not 1");
        Toolbox closed = foreign("{'additionalProperties':{'type':'string'}}");
        assertThat(problems(unfit(closed, "t", "{\"" + "k".repeat(40_000) + "\":1}")))
                .isEqualTo("/" + "k".repeat(199) + "…: string, not 1");
    }

    @Test
    void aCheckThatNobodyWaitsForIsNotMade() {
        Toolbox toolbox = foreign("{'properties':{'a':{'allOf':[{'type':'string'}]}}}");
        Thread.currentThread().interrupt();
        try {
            assertThatThrownBy(() -> toolbox.check(new ToolCall("1", "t", "{\"a\":1}")))
                    .isInstanceOf(CancellationException.class);
        } finally {
            assertThat(Thread.interrupted()).isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{'properties':{'q':{'$ref':'#/$defs/n'}},'$defs':{'n':{'type':'object',"
                        + "'default':{},'properties':{'a':{'$ref':'#/$defs/n'},"
                        + "'b':{'$ref':'#/$defs/n'}}}}}",
                "{'properties':{'q':{'default':[{},{},{}],'items':{'$ref':'#/properties/q'},"
                        + "'properties':{'a':{'$ref':'#/properties/q'}}}}}"
            })
    void aForeignSchemaWhoseDefaultsGrowAtEachStepIsGivenUp(String schema) {
        assertThat(problems(unfit(foreign(schema), "t", "{}")))
                .isEqualTo(
                        ": a schema that can be checked,"
                                + " not this one: its defaults are without end, or too long");
    }

    @Test
    void aLongDefaultIsNotRepeatedForEachOfManyElements() {
        String schema =
                "{'properties':{'list':{'type':'array','items':{'type':'object','properties':"
                        + "{'a':{'type':'string','default':'%s'}}}}}}"
                                .formatted("x".repeat(30_000));
        assertThat(fit(foreign(schema), "t", "{'list':[{},{}]}").toString()).hasSize(60_028);
        String many = "{\"list\":[" + "{},".repeat(9_999) + "{}]}";
        assertThat(problems(unfit(foreign(schema), "t", many))).contains("defaults");
    }

    @Test
    void twoForeignSchemasOfOneNameAreTwoSchemas() {
        Toolbox one = foreign("{'$id':'urn:x','required':['a']}");
        Toolbox two = foreign("{'$id':'urn:x','required':['b']}");
        assertThat(problems(unfit(one, "t", "{}"))).startsWith("/a");
        assertThat(problems(unfit(two, "t", "{}"))).startsWith("/b");
    }
}
