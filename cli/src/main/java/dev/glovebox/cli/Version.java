package dev.glovebox.cli;

import java.io.IOException;
import java.io.InputStream;
import java.util.Properties;

/** Which Glovebox this is. */
final class Version {

    private static final String WRITTEN_BY_MAVEN =
            "/META-INF/maven/dev.glovebox/glovebox-cli/pom.properties";

    private Version() {}

    static String number() {
        try (InputStream in = Version.class.getResourceAsStream(WRITTEN_BY_MAVEN)) {
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
