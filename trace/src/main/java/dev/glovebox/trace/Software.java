package dev.glovebox.trace;

import java.io.IOException;
import java.io.InputStream;
import java.util.Properties;

/** Who records. */
final class Software {

    private static final String WRITTEN_BY_MAVEN =
            "/META-INF/maven/dev.glovebox/glovebox-trace/pom.properties";

    static final String NAME = "glovebox " + version();

    private Software() {}

    private static String version() {
        try (InputStream in = Software.class.getResourceAsStream(WRITTEN_BY_MAVEN)) {
            Properties properties = new Properties();
            if (in != null) {
                properties.load(in);
            }
            return properties.getProperty("version", "(not packaged)");
        } catch (IOException e) {
            return "(unknown)";
        }
    }
}
