package dev.glovebox.run;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import dev.glovebox.run.MessageFailure.NotAMessage;
import dev.glovebox.run.MessageFailure.TooBig;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What can be sent, and what the receiver gets. */
class MessageTypesTest {

    private static final int LIMIT = 10_000;

    record Ping() {}

    enum Colour {
        RED,
        GREEN
    }

    record Values(
            String text,
            int whole,
            long big,
            double real,
            boolean yes,
            BigDecimal exact,
            Instant at,
            ZonedDateTime there,
            Duration lasting,
            UUID id,
            Colour colour,
            Optional<String> perhaps,
            Optional<Ping> no,
            List<Ping> pings,
            Set<Colour> colours,
            Map<String, List<Integer>> table,
            AgentId agent,
            Topic topic) {

        public boolean isEmpty() {
            return text.isEmpty();
        }

        public String getSomething() {
            return "this is not a component";
        }
    }

    @JsonTypeInfo(use = JsonTypeInfo.Id.NAME)
    @JsonSubTypes({
        @JsonSubTypes.Type(value = Circle.class, name = "circle"),
        @JsonSubTypes.Type(value = Nothing.class, name = "nothing")
    })
    sealed interface Shape {}

    record Circle(double radius) implements Shape {}

    record Nothing() implements Shape {}

    record Drawing(List<Shape> shapes) {}

    record Holder(Object anything) {}

    record Job(Runnable work) {}

    record Bytes(byte[] bytes) {}

    record Checked(int value) {
        Checked {
            if (value < 0) {
                throw new IllegalArgumentException("negative");
            }
        }
    }

    private static MessageTypes types(Class<? extends Record> type) {
        return MessageTypes.none().with("it", type);
    }

    private static Record copy(Record message) {
        MessageTypes types = types(message.getClass());
        return types.decode(types.encode(message, LIMIT));
    }

    private static MessageFailure failure(Record message) {
        return RuntimeKit.failureOf(() -> types(message.getClass()).encode(message, LIMIT));
    }

    @Test
    void whatArrivesIsEqualToWhatWasSent() {
        Values values =
                new Values(
                        "naïve \t \uD83D\uDE00",
                        -1,
                        Long.MAX_VALUE,
                        0.1,
                        true,
                        new BigDecimal("1.10"),
                        Instant.parse("2030-01-01T00:00:00.123456789Z"),
                        ZonedDateTime.parse("2030-01-01T00:00:00+01:00[Europe/Paris]"),
                        Duration.ofNanos(1),
                        UUID.fromString("00000000-0000-0000-0000-000000000001"),
                        Colour.GREEN,
                        Optional.of("so"),
                        Optional.empty(),
                        List.of(new Ping()),
                        Set.of(Colour.RED),
                        Map.of("a", List.of(1, 2)),
                        new AgentId("acme", "type", "key"),
                        new Topic("type", "source"));
        assertThat(copy(values)).isEqualTo(values).isNotSameAs(values);
        assertThat(copy(new Ping())).isEqualTo(new Ping());
        Drawing drawing = new Drawing(List.of(new Circle(1), new Nothing()));
        assertThat(copy(drawing)).isEqualTo(drawing);
        assertThat(((Bytes) copy(new Bytes(new byte[] {1, -1}))).bytes()).containsExactly(1, -1);
    }

    @Test
    void aTypeThatIsNotRegisteredIsTheSendersMistake() {
        assertThat(RuntimeKit.failureOf(() -> types(Ping.class).encode(new Nothing(), LIMIT)))
                .isEqualTo(
                        new NotAMessage("Nothing", "its type is not registered in MessageTypes"));
        assertThat(
                        RuntimeKit.failureOf(() ->
                                types(Ping.class)
                                        .decode(
                                                new EncodedMessage(
                                                        "java.lang.Thread", new byte[2]))))
                .isInstanceOf(NotAMessage.class);
    }

    @Test
    void soIsWhatCannotBeEncodedOrDecodedAgain() {
        List<Object> circle = new ArrayList<>();
        circle.add(circle);
        List<Record> impossible =
                List.of(
                        new Holder(circle),
                        new Holder(new Object()),
                        new Holder(new Holder(circle)),
                        new Job(() -> {}));
        for (Record message : impossible) {
            assertThat(failure(message))
                    .as("%s", message.getClass())
                    .isInstanceOf(NotAMessage.class);
        }
    }

    @Test
    void anObjectOfAnyTypeBecomesPlainValues() {
        // No class name in a message ever makes an object.
        Holder evil = new Holder(Map.of("@class", "java.lang.Thread", "name", "x"));
        assertThat(copy(evil)).isEqualTo(evil);
    }

    @Test
    void whatTheReceiverWouldRefuseIsRefusedToTheSender() {
        MessageTypes types = types(Checked.class);
        EncodedMessage forged = new EncodedMessage("it", "{\"value\":-1}".getBytes(UTF_8));
        assertThat(RuntimeKit.failureOf(() -> types.decode(forged)).sentence())
                .contains("negative");
        for (String json : List.of("{}", "{\"value\":1,\"more\":2}", "{\"value\":1} {}", "[", "")) {
            EncodedMessage bad = new EncodedMessage("it", json.getBytes(UTF_8));
            assertThat(RuntimeKit.failureOf(() -> types.decode(bad)))
                    .isInstanceOf(NotAMessage.class);
        }
    }

    @Test
    void aMessageThatIsTooLongIsStoppedWhileItIsWritten() {
        MessageTypes types = types(Holder.class);
        assertThat(types.encode(new Holder("x".repeat(85)), 100).bytes()).isEqualTo(100);
        assertThat(RuntimeKit.failureOf(() -> types.encode(new Holder("x".repeat(86)), 100)))
                .isEqualTo(new TooBig("it", 100));
        Iterable<String> forever = () -> Stream.generate(() -> "x").iterator();
        assertThat(RuntimeKit.failureOf(() -> types.encode(new Holder(forever), 100_000)))
                .isEqualTo(new TooBig("it", 100_000));
    }

    @Test
    void aNameAndATypeAreRegisteredOnce() {
        MessageTypes one = types(Ping.class);
        assertThatThrownBy(() -> one.with("it", Nothing.class))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> one.with("other", Ping.class))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> one.with("a/b", Nothing.class))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
