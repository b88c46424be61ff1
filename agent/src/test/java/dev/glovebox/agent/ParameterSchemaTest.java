package dev.glovebox.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.annotation.JsonAlias;
import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.annotation.JsonValue;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.annotation.JsonNaming;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.langchain4j.agent.tool.P;
import dev.langchain4j.model.output.structured.Description;
import java.io.InputStream;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What models are told of Java types. */
class ParameterSchemaTest {

    private static final JsonMapper JSON = new JsonMapper();

    enum Unit {
        CELSIUS,
        KELVIN
    }

    record Simple(
            String text, int whole, double number, boolean flag, BigDecimal money, char[] c) {}

    record Texts(
            String text, int whole, long large, double number, boolean flag, BigDecimal money) {}

    record Choices(Unit unit, LocalDate day) {}

    record Lists(
            List<String> names, Set<Integer> numbers, short[] array, Map<String, Double> map) {}

    @Description("Where it is")
    record Place(@Description("Its name") String name, Optional<String> country) {}

    record Nested(Place from, List<Place> to) {}

    record Options(
            Optional<String> one,
            @Nullable String two,
            @P(value = "Three", required = false) Integer three,
            OptionalInt four,
            @P(value = "Five", defaultValue = "5") byte five,
            @P(value = "Six", defaultValue = "KELVIN") Unit six,
            @P(value = "Seven", defaultValue = "[\"a\"]") List<String> seven,
            @P(value = "Eight", defaultValue = "") String eight) {}

    sealed interface Shape {
        record Circle(double radius) implements Shape {}

        record Square(double side) implements Shape {}
    }

    record Drawing(List<Shape> shapes) {}

    record Anything(JsonNode any, ObjectNode object) {}

    record Nothing() {}

    record Tree(List<Tree> children) {}

    record Strange(InputStream stream) {}

    record ByNumber(Map<Integer, String> map) {}

    record WrongDefault(@P(value = "x", defaultValue = "many") int count) {}

    record LateDefault(@P(value = "x", defaultValue = "tomorrow") LocalDate day) {}

    record LargeDefault(@P(value = "x", defaultValue = "300") byte count) {}

    private static void assertSchema(Class<? extends Record> type, String expected)
            throws Exception {
        assertThat(ParameterSchema.of(type)).isEqualTo(JSON.readTree(expected.replace('\'', '"')));
    }

    @Test
    void textsNumbersAndFlags() throws Exception {
        assertSchema(
                Texts.class,
                """
                {'type':'object','properties':{
                  'text':{'type':'string'},
                  'whole':{'type':'integer','minimum':-2147483648,'maximum':2147483647},
                  'large':{'type':'integer',
                    'minimum':-9223372036854775808,'maximum':9223372036854775807},
                  'number':{'type':'number'},'flag':{'type':'boolean'},'money':{'type':'number'}},
                 'required':['text','whole','large','number','flag','money'],
                 'additionalProperties':false}\
                """);
    }

    @Test
    void enumsAndDates() throws Exception {
        assertSchema(
                Choices.class,
                """
                {'type':'object','properties':{
                  'unit':{'type':'string','enum':['CELSIUS','KELVIN']},
                  'day':{'type':'string','format':'date'}},
                 'required':['unit','day'],'additionalProperties':false}\
                """);
    }

    @Test
    void listsSetsArraysAndMaps() throws Exception {
        assertSchema(
                Lists.class,
                """
                {'type':'object','properties':{
                  'names':{'type':'array','items':{'type':'string'}},
                  'numbers':{'type':'array','uniqueItems':true,
                    'items':{'type':'integer','minimum':-2147483648,'maximum':2147483647}},
                  'array':{'type':'array',
                    'items':{'type':'integer','minimum':-32768,'maximum':32767}},
                  'map':{'type':'object','additionalProperties':{'type':'number'}}},
                 'required':['names','numbers','array','map'],'additionalProperties':false}\
                """);
    }

    @Test
    void recordsInRecordsWithTheirDescriptions() throws Exception {
        String place =
                """
                {'type':'object','properties':{
                  'name':{'type':'string','description':'Its name'},'country':{'type':'string'}},
                 'required':['name'],'additionalProperties':false,'description':'Where it is'}\
                """;
        assertSchema(
                Nested.class,
                """
                {'type':'object','properties':{'from':%s,'to':{'type':'array','items':%s}},
                 'required':['from','to'],'additionalProperties':false}\
                """
                        .formatted(place, place));
    }

    @Test
    void whatNeedNotBeThereAndWhatItIsThen() throws Exception {
        assertSchema(
                Options.class,
                """
                {'type':'object','properties':{
                  'one':{'type':'string'},'two':{'type':'string'},
                  'three':{'type':'integer','minimum':-2147483648,'maximum':2147483647,
                    'description':'Three'},
                  'four':{'type':'integer','minimum':-2147483648,'maximum':2147483647},
                  'five':{'type':'integer','minimum':-128,'maximum':127,
                    'description':'Five','default':5},
                  'six':{'type':'string','enum':['CELSIUS','KELVIN'],'description':'Six',
                         'default':'KELVIN'},
                  'seven':{'type':'array','items':{'type':'string'},'description':'Seven',
                           'default':['a']},
                  'eight':{'type':'string','description':'Eight','default':''}},
                 'additionalProperties':false}\
                """);
    }

    @Test
    void sealedInterfacesAreOneOfTheirRecords() throws Exception {
        assertSchema(
                Drawing.class,
                """
                {'type':'object','properties':{'shapes':{'type':'array','items':{'oneOf':[
                  {'type':'object','properties':{'type':{'const':'Circle'},
                    'radius':{'type':'number'}},'required':['type','radius'],
                   'additionalProperties':false},
                  {'type':'object','properties':{'type':{'const':'Square'},
                    'side':{'type':'number'}},'required':['type','side'],
                   'additionalProperties':false}]}}},
                 'required':['shapes'],'additionalProperties':false}\
                """);
    }

    enum Level {
        LOW(1),
        HIGH(2);

        private final int number;

        Level(int number) {
            this.number = number;
        }

        @JsonValue
        int number() {
            return number;
        }
    }

    record Alarm(Level level) {}

    @Test
    void anEnumOfNumbersIsReadByThem() {
        assertRead(Alarm.class, "{'level':2}", new Alarm(Level.HIGH));
    }

    record Renamed(@JsonProperty("user_name") String name, @JsonAlias("age") int years) {}

    @JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
    record Snake(String userName) {}

    record Partly(
            String name,
            @JsonIgnore @Nullable String secret,
            @JsonProperty(value = "made", access = JsonProperty.Access.READ_ONLY)
                    @Nullable String at,
            @JsonProperty(access = JsonProperty.Access.WRITE_ONLY) String key) {}

    @JsonIgnoreProperties("secret")
    record Without(String name, @Nullable String secret) {}

    record Both(@JsonProperty("in") String name) {
        @JsonProperty("out")
        @Override
        public String name() {
            return name;
        }
    }

    record Twin(String name, int size) {
        @JsonCreator
        static Twin of(@JsonProperty("size") int size, @JsonProperty("name") String name) {
            return new Twin(name, size);
        }
    }

    @Test
    void membersHaveTheNamesThatTheyAreReadBy() {
        assertRead(Both.class, "{'in':'Ada'}", new Both("Ada"));
        assertRead(Twin.class, "{'name':'Ada','size':1}", new Twin("Ada", 1));
        assertRead(Renamed.class, "{'user_name':'Ada','years':1}", new Renamed("Ada", 1));
        assertRead(Snake.class, "{'user_name':'Ada'}", new Snake("Ada"));
    }

    @Test
    void whatIsNotReadIsNotAskedFor() {
        assertRead(Partly.class, "{'name':'Ada','key':'k'}", new Partly("Ada", null, null, "k"));
        assertRead(Without.class, "{'name':'Ada'}", new Without("Ada", null));
    }

    /** It has these members and no others, and is read from them. */
    private static void assertRead(Class<? extends Record> type, String json, Record read) {
        try {
            ObjectNode members = (ObjectNode) JSON.readTree(json.replace('\'', '"'));
            ObjectNode schema = ParameterSchema.of(type);
            assertThat(schema.path("properties").fieldNames())
                    .toIterable()
                    .containsExactlyElementsOf(members::fieldNames);
            assertThat(SchemaCheck.ofTypes(schema).problems(members).first()).isEmpty();
            assertThat(ToolJson.read(members, type, "")).isEqualTo(read);
        } catch (JsonProcessingException e) {
            throw new AssertionError(json, e);
        }
    }

    sealed interface Event {
        record Mail(String type, String to) implements Event {}
    }

    sealed interface Tame {
        record Mail(@JsonProperty("kind") String type, String to) implements Tame {}
    }

    record Send(Event event) {}

    record SendTame(Tame tame) {}

    @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
    sealed interface Told {
        record Mail(String to) implements Told {}
    }

    record SendTold(Told told) {}

    @JsonSubTypes(@JsonSubTypes.Type(value = Listed.Mail.class, name = "mail"))
    sealed interface Listed {
        record Mail(String to) implements Listed {}
    }

    record SendListed(Listed listed) {}

    record Made(String name, int size) {
        @JsonCreator
        static Made of(@JsonProperty("text") String text) {
            return new Made(text, text.length());
        }
    }

    record Wrapped(String name) {
        @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
        Wrapped {}
    }

    record Same(@JsonProperty("size") String name, int size) {}

    record Flat(@JsonUnwrapped Snake name, int size) {}

    @Test
    void aRecordThatIsNotReadByItsComponentsIsRefused() {
        assertThatThrownBy(() -> ParameterSchema.of(Send.class))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("Mail has a member 'type' of its own");
        assertThat(ParameterSchema.of(SendTame.class).toString()).contains("\"kind\"");
        assertThatThrownBy(() -> ParameterSchema.of(SendTold.class))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("@JsonTypeInfo");
        assertThatThrownBy(() -> ParameterSchema.of(SendListed.class))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("@JsonSubTypes");
        for (Class<? extends Record> type :
                List.of(Made.class, Wrapped.class, Same.class, Flat.class)) {
            assertThatThrownBy(() -> ParameterSchema.of(type))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining(type.getSimpleName())
                    .hasMessageContaining("'name'");
        }
    }

    @Test
    void anyJsonAndNoParametersAtAll() throws Exception {
        assertSchema(
                Anything.class,
                """
                {'type':'object','properties':{'any':{},'object':{'type':'object'}},
                 'required':['any','object'],'additionalProperties':false}\
                """);
        assertSchema(
                Nothing.class, "{'type':'object','properties':{},'additionalProperties':false}");
    }

    @Test
    void whatHasNoSchemaIsRefusedByItsName() {
        assertThatThrownBy(() -> ParameterSchema.of(Strange.class))
                .hasMessageContaining("'stream' has the type java.io.InputStream");
        assertThatThrownBy(() -> ParameterSchema.of(ByNumber.class)).hasMessageContaining("'map'");
        assertThatThrownBy(() -> ParameterSchema.of(Simple.class)).hasMessageContaining("'c'");
        assertThatThrownBy(() -> ParameterSchema.of(Tree.class))
                .hasMessageContaining("Tree contains itself");
        assertThatThrownBy(() -> ParameterSchema.of(WrongDefault.class))
                .hasMessage("'many' is not a int, so it cannot be the default of 'count'");
        assertThatThrownBy(() -> ParameterSchema.of(LargeDefault.class))
                .hasMessage("'300' is not a byte, so it cannot be the default of 'count'");
        assertThatThrownBy(() -> ParameterSchema.of(LateDefault.class))
                .hasMessage("'tomorrow' is not a LocalDate, so it cannot be the default of 'day'");
    }
}
