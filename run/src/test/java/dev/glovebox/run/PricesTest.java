package dev.glovebox.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

class PricesTest {

    @Test
    void aNameCountsInAllItsVersions() {
        Prices prices =
                Prices.none()
                        .with("a:x", Price.of("1", "0.1", "2"))
                        .with("a:x-mini", Price.of("0.5", "0.05", "1"));
        assertThat(prices.of("a:x-2025")).contains(Price.of("1", "0.1", "2"));
        assertThat(prices.of("a:x-mini-2025")).contains(Price.of("0.5", "0.05", "1"));
        assertThat(prices.of("a:x-latest")).isEqualTo(prices.of("a:x"));
        assertThat(prices.of("a:x@http://localhost")).isEqualTo(prices.of("a:x"));
        assertThat(prices.of("a:w")).isEmpty();
        assertThat(prices.of("a:y")).isEmpty();
    }

    @Test
    void aCallCostsByWhatItReadsAndWritesRoundedUp() {
        Price price = Price.of("3", "0.30", "15");
        assertThat(price.cost(1_000, 400, 0, 200))
                .isEqualTo(
                        Cost.NONE
                                .tokens(1_200)
                                .microDollars(600 * 3 + 120 + 200 * 15)
                                .modelCalls(1));
        assertThat(Price.of("0.05", "0.005", "0.4").cost(1, 0, 0, 0).microDollars()).isEqualTo(1);
    }

    @Test
    void anotherModelWhoseNameBeginsTheSameIsNotTakenForIt() {
        Prices listed = Prices.listed();
        assertThat(listed.of("openai:gpt-5-2025-08-07")).isEqualTo(listed.of("openai:gpt-5"));
        assertThat(listed.of("openai:gpt-5-pro")).isEmpty();
        assertThat(listed.of("openai:gpt-5.1")).isEmpty();
    }

    @Test
    void whatAVendorIsAskedToRememberHasItsOwnPrice() {
        Price price = Prices.listed().of("anthropic:claude-haiku-4-5-20251001").orElseThrow();
        assertThat(price.cost(1_000_000, 200_000, 500_000, 0).microDollars())
                .isEqualTo(300_000 + 20_000 + 625_000);
    }

    @Test
    void whatIsListedCanBeReplaced() {
        Prices listed = Prices.listed();
        assertThat(listed.of("ollama:llama3@http://localhost:11434").orElseThrow().cost(9, 0, 0, 9))
                .extracting(Cost::microDollars)
                .isEqualTo(0L);
        assertThat(listed.of("openai:gpt-4o-mini-2024-07-18"))
                .isNotEqualTo(listed.of("openai:gpt-4o-2024-08-06"));
        Price own = Price.of("9", "9", "9");
        assertThat(listed.with("openai:gpt-4o", own).of("openai:gpt-4o-2024-08-06")).contains(own);
    }

    /** By looking at all of them. */
    @Property
    void noLongerBeginningIsOverlooked(
            @ForAll("names") List<String> known, @ForAll("name") String model) {
        Prices prices = Prices.none();
        for (String name : known) {
            prices =
                    prices.with(
                            name, Price.of(Integer.toString(name.hashCode() & 0xffff), "0", "0"));
        }
        Optional<String> longest =
                known.stream()
                        .filter(name ->
                                model.equals(name)
                                        || (name.endsWith(":") && model.startsWith(name)))
                        .max(Comparator.comparingInt(String::length));
        Price expected =
                longest.map(name -> Price.of(Integer.toString(name.hashCode() & 0xffff), "0", "0"))
                        .orElse(null);
        assertThat(prices.of(model)).isEqualTo(Optional.ofNullable(expected));
        assertThat(prices.of("")).isEmpty();
        assertThat(prices.of(model)).isEqualTo(Optional.ofNullable(expected));
    }

    @Provide
    Arbitrary<String> name() {
        return Arbitraries.strings().withChars("ab:").ofMinLength(1).ofMaxLength(6);
    }

    @Provide
    Arbitrary<List<String>> names() {
        return name().list().ofMaxSize(12);
    }
}
