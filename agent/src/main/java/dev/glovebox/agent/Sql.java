package dev.glovebox.agent;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** Statements with their values, which are bytes, longs or texts. */
record Sql(Connection connection) {

    @FunctionalInterface
    interface Rows {
        void read(ResultSet row) throws SQLException;
    }

    void query(String sql, Rows rows, Object... values) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            fill(statement, values);
            try (ResultSet row = statement.executeQuery()) {
                while (row.next()) {
                    rows.read(row);
                }
            }
        }
    }

    List<String> texts(String sql, Object... values) throws SQLException {
        List<String> texts = new ArrayList<>();
        query(sql, row -> texts.add(row.getString(1)), values);
        return texts;
    }

    long number(String sql, Object... values) throws SQLException {
        List<Long> numbers = new ArrayList<>();
        query(sql, row -> numbers.add(row.getLong(1)), values);
        return numbers.getFirst();
    }

    void update(String sql, Object... values) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            fill(statement, values);
            statement.executeUpdate();
        }
    }

    private static void fill(PreparedStatement statement, Object... values) throws SQLException {
        for (int i = 0; i < values.length; i++) {
            switch (values[i]) {
                case byte[] bytes -> statement.setBytes(i + 1, bytes);
                case Long number -> statement.setLong(i + 1, number);
                case Object text -> statement.setString(i + 1, text.toString());
            }
        }
    }
}
