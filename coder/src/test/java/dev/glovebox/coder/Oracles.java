package dev.glovebox.coder;

import java.util.Map;
import java.util.TreeMap;

/** One for each recipe. */
final class Oracles {

    private static final Map<String, Oracle> ALL = all();

    private Oracles() {}

    static Oracle of(String recipe) {
        Oracle oracle = ALL.get(recipe);
        if (oracle == null) {
            throw new AssertionError("Nobody knows otherwise what " + recipe + " must print");
        }
        return oracle;
    }

    private static Map<String, Oracle> all() {
        Map<String, Oracle> all = new TreeMap<>();
        NumberOracles.into(all);
        ListOracles.into(all);
        TextOracles.into(all);
        CipherOracles.into(all);
        DateOracles.into(all);
        PuzzleOracles.into(all);
        ChanceOracles.into(all);
        FileOracles.into(all);
        PlotOracles.into(all);
        ConversionOracles.into(all);
        return all;
    }
}
