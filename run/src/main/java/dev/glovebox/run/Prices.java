package dev.glovebox.run;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What models cost, by their names without a version: {@code openai:gpt-4o} is also the price of
 * {@code openai:gpt-4o-2024-08-06}, but not of {@code openai:gpt-4o-pro}. A name that ends with a
 * colon is that of all models of a vendor.
 *
 * <p>Vendors change their prices. Whoever budgets money should set those that he pays.
 */
public final class Prices {

    // A date or a number, or where the model is.
    private static final Pattern VERSION = Pattern.compile("-latest|-\\d.*|@.*");

    private final Map<String, Price> known;
    // Mostly it is asked for the same one again and again.
    private volatile @Nullable Found last;

    private Prices(Map<String, Price> known) {
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
            Map<String, Price> known = new TreeMap<>();
            for (Map.Entry<String, JsonNode> model : Json.tree(in.readAllBytes()).properties()) {
                JsonNode price = model.getValue();
                String input = price.path("input").asText();
                known.put(
                        model.getKey(),
                        Price.of(
                                        input,
                                        price.path("cached").asText(),
                                        price.path("output").asText())
                                .written(price.path("written").asText(input)));
            }
            return new Prices(known);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** These prices, with that of one model in all its versions replaced. */
    public Prices with(String model, Price price) {
        Map<String, Price> more = new TreeMap<>(known);
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
        for (int length = model.length(); length > 0; length--) {
            Price price = known.get(model.substring(0, length));
            if (price != null && isSame(model, length)) {
                return Optional.of(price);
            }
        }
        return Optional.empty();
    }

    /** Whether what stands behind the name of a model makes it no other one. */
    private static boolean isSame(String model, int length) {
        return length == model.length()
                || model.charAt(length - 1) == ':'
                || VERSION.matcher(model.substring(length)).matches();
    }
}
