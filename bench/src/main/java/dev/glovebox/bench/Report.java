package dev.glovebox.bench;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Locale;

/** Tells what came out of a comparison: the median of the rounds, and the ratio to the first. */
final class Report {

    private Report() {}

    static String table(Comparison comparison, List<Row> rows) {
        StringBuilder table = new StringBuilder();
        table.append(
                String.format(
                        Locale.ROOT,
                        "%-34s %14s %25s %7s %10s %12s%n",
                        comparison.name(),
                        comparison.unit() + "/s",
                        "lowest - highest",
                        "ratio",
                        "bar",
                        "bytes each"));
        for (Row row : rows) {
            String range = String.format(Locale.ROOT, "%,.0f - %,.0f", row.lowest(), row.highest());
            String bar = row.contender().bar().map(Comparison.Bar::text).orElse("");
            String line =
                    String.format(
                            Locale.ROOT,
                            "%-34s %,14.0f %25s %7.2f %10s %,12.0f",
                            row.contender().name(),
                            row.median(),
                            range,
                            row.ratio(),
                            bar,
                            row.bytes());
            table.append(line).append(System.lineSeparator());
        }
        return table.toString();
    }

    static ObjectNode json(Comparison comparison, List<Row> rows) {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        json.put("bench", comparison.name());
        json.put("unit", comparison.unit());
        ArrayNode array = json.putArray("rows");
        for (Row row : rows) {
            ObjectNode node = array.addObject();
            node.put("name", row.contender().method());
            node.put("per_second", Math.round(row.median()));
            node.put("lowest", Math.round(row.lowest()));
            node.put("highest", Math.round(row.highest()));
            node.put("ratio", Math.round(row.ratio() * 1000) / 1000.0);
            node.put("rounds", row.perSecond().size());
            node.put("bytes", Math.round(row.bytes()));
            row.contender().bar().ifPresent(bar -> node.put("bar", bar.figure()));
        }
        return json;
    }
}
