package dev.glovebox.sandbox.wasm;

import dev.glovebox.sandbox.spi.Digests;
import io.roastedroot.quickjs4j.core.JavyPluginModule;
import io.roastedroot.quickjs4j.core.Version;
import java.io.IOException;
import java.io.InputStream;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.Properties;
import run.endive.runtime.Instance;

/** Which engines there are: their names, versions and digests. */
final class Engines {

    static final String QUICKJS = "quickjs4j " + Version.version;
    static final String ALL = "Endive " + endive() + ", " + QUICKJS;

    private static final class Digested {
        static final String QUICKJS = digest(JavyPluginModule.class);
        static final String ENDIVE = digest(Instance.class);
    }

    private Engines() {}

    private static String endive() {
        String file = "/META-INF/maven/run.endive/runtime/pom.properties";
        try (InputStream in = Instance.class.getResourceAsStream(file)) {
            if (in == null) {
                return "of unknown version";
            }
            Properties properties = new Properties();
            properties.load(in);
            return properties.getProperty("version", "of unknown version");
        } catch (IOException e) {
            return "of unknown version";
        }
    }

    /** SHA-256 of the file that JavaScript runs from, as anybody computes it. */
    static String quickJsDigest() {
        return Digested.QUICKJS;
    }

    /** SHA-256 of the file that interprets modules. */
    static String endiveDigest() {
        return Digested.ENDIVE;
    }

    private static String digest(Class<?> type) {
        CodeSource source = type.getProtectionDomain().getCodeSource();
        try {
            return source == null
                    ? "unknown"
                    : Digests.hex(Files.readAllBytes(Path.of(source.getLocation().toURI())));
        } catch (IOException | URISyntaxException | RuntimeException e) {
            return "unknown"; // not from a file, or from a folder of classes
        }
    }
}
