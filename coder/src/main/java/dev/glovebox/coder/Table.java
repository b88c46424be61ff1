package dev.glovebox.coder;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Rows of a resource file, found by their first columns. Lines that begin with # are for people.
 */
final class Table {

    private final Map<String, List<String>> rows = new LinkedHashMap<>();

    /**
     * @param name of the file
     * @param keys how many columns it takes to find a row
     */
    Table(String name, int keys) {
        for (String line : read(name).lines().toList()) {
            if (line.isBlank() || line.startsWith("#")) {
                continue;
            }
            List<String> cells = List.of(line.split("\t", -1));
            rows.put(String.join("\t", cells.subList(0, keys)), cells);
        }
    }

    private static String read(String name) {
        try (InputStream in = Table.class.getResourceAsStream("debugger/" + name)) {
            if (in == null) {
                throw new IllegalStateException("There is no table " + name);
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    Optional<Row> row(String... keys) {
        return Optional.ofNullable(rows.get(String.join("\t", keys))).map(Row::new);
    }

    boolean has(String key) {
        return rows.containsKey(key);
    }

    Set<String> keys() {
        return rows.keySet();
    }

    Stream<Row> rows() {
        return rows.values().stream().map(Row::new);
    }

    record Row(List<String> cells) {

        /** What is in a column, from 0; empty: it has not so many. */
        String cell(int column) {
            return column < cells.size() ? cells.get(column) : "";
        }
    }
}
