package dev.glovebox.run;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What models cost, by the beginning of their names: {@code openai:gpt-4o} is also the price of
 * {@code openai:gpt-4o-2024-08-06}, unless a longer beginning is known.
 *
 * <p>Vendors change their prices. Whoever budgets money should set those that he pays.
 */
public final class Prices {

    private final NavigableMap<String, Price> known;
    // Mostly it is asked for the same one again and again.
    private volatile @Nullable Found last;

    private Prices(NavigableMap<String, Price> known) {
        this.known = known;
    }

    private record Found(String model, Optional<Price> price) {}

    /** No prices. */
    public static Prices none() {
        return new Prices(new TreeMap<>());
    }

    /**
     * What vendors listed in 2025 for some of their models. Where a price depends on the size of
     * the call, it is the higher one.
     */
    public static Prices listed() {
        return Listed.PRICES;
    }

    /** Read once. */
    private static final class Listed {
        private static final Prices PRICES = read();
    }

    private static Prices read() {
        try (InputStream in = Prices.class.getResourceAsStream("prices.json")) {
            if (in == null) {
                throw new AssertionError("Not in this jar: prices.json");
            }
            NavigableMap<String, Price> known = new TreeMap<>();
            for (Map.Entry<String, JsonNode> model : Json.tree(in.readAllBytes()).properties()) {
                JsonNode price = model.getValue();
                known.put(
                        model.getKey(),
                        Price.of(
                                price.path("input").asText(),
                                price.path("cached").asText(),
                                price.path("output").asText()));
            }
            return new Prices(known);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** These prices, with that of one model, or of all whose names begin like this, replaced. */
    public Prices with(String model, Price price) {
        NavigableMap<String, Price> more = new TreeMap<>(known);
        more.put(model, price);
        return new Prices(more);
    }

    /** The price of a model; empty if nobody knows: then no budget of money can be kept. */
    public Optional<Price> of(String model) {
        Found found = last;
        if (found == null || !found.model().equals(model)) {
            found = new Found(model, find(model));
            last = found;
        }
        return found.price();
    }

    private Optional<Price> find(String model) {
        String beginning = model;
        Map.Entry<String, Price> nearest = known.floorEntry(beginning);
        // Whatever the model begins with and comes before this one, that begins with it as well.
        while (nearest != null && !model.startsWith(nearest.getKey())) {
            beginning = common(beginning, nearest.getKey());
            nearest = known.floorEntry(beginning);
        }
        return Optional.ofNullable(nearest).map(Map.Entry::getValue);
    }

    private static String common(String one, String other) {
        int length = 0;
        while (length < Math.min(one.length(), other.length())
                && one.charAt(length) == other.charAt(length)) {
            length++;
        }
        return one.substring(0, length);
    }
}
