package dev.glovebox.trace.store;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;

/** Makes the tables. */
final class Schema {

    /** The version of the tables that this software makes and understands. */
    static final int VERSION = 1;

    private Schema() {}

    static void create(Connection connection, String resource) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            for (String command : text(resource).split(";\\s*\n")) {
                if (!command.isBlank()) {
                    statement.execute(command);
                }
            }
        }
    }

    private static String text(String resource) {
        try (InputStream in = Schema.class.getResourceAsStream(resource)) {
            if (in == null) {
                throw new AssertionError("Not in this jar: " + resource);
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
