package dev.glovebox.sandbox;

import java.nio.file.Path;
import java.util.Map;

/** Where Glovebox keeps what is a user's: records, keys, layers, memories, caches. */
public final class Home {

    /** The variable that says where; without it, {@code .glovebox} in the user's own home. */
    public static final String VARIABLE = "GLOVEBOX_HOME";

    private Home() {}

    /**
     * That of whoever has these variables; it need not be there.
     *
     * @throws java.nio.file.InvalidPathException if the variable cannot be a path here
     */
    public static Path of(Map<String, String> environment) {
        String configured = environment.getOrDefault(VARIABLE, "");
        Path folder =
                configured.isBlank()
                        ? Path.of(System.getProperty("user.home", "/"), ".glovebox")
                        : Path.of(configured);
        return folder.toAbsolutePath();
    }

    /** Whether somebody has said where. */
    public static boolean isConfigured(Map<String, String> environment) {
        return !environment.getOrDefault(VARIABLE, "").isBlank();
    }
}
