package dev.glovebox.cli;

import java.io.IOException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Tells which classes provide a service, from a folder with one file for each service.
 *
 * <p>Otherwise Java asks every jar of the class path. There are some seventy, and opening them
 * takes a third of the start of a command. The launcher's build writes the folder, out of these
 * same jars.
 */
final class ServiceIndex extends ClassLoader {

    /** Names the folder; where it does not, the jars are asked. */
    static final String FOLDER = "glovebox.services";

    private static final String SERVICES = "META-INF/services/";

    private final Path folder;

    ServiceIndex(Path folder, ClassLoader jars) {
        super(jars);
        this.folder = folder;
    }

    /** Makes it what this thread, and those that it starts, find services with. */
    static void install() {
        @Nullable String folder = System.getProperty(FOLDER);
        if (folder != null && Files.isDirectory(Path.of(folder))) {
            Thread.currentThread()
                    .setContextClassLoader(
                            new ServiceIndex(Path.of(folder), ServiceIndex.class.getClassLoader()));
        }
    }

    @Override
    public Enumeration<URL> getResources(String name) throws IOException {
        if (!name.startsWith(SERVICES)) {
            return super.getResources(name);
        }
        String service = name.substring(SERVICES.length());
        Path file = folder.resolve(service);
        return Collections.enumeration(
                !service.contains("/") && Files.isRegularFile(file)
                        ? List.of(file.toUri().toURL())
                        : List.of());
    }
}
