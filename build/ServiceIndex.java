import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Collections;
import java.util.jar.JarFile;
import java.util.zip.ZipEntry;

/** Writes down which classes the jars in folders provide for services: a file for each service, as in a jar. */
final class ServiceIndex {
    private static final String SERVICES = "META-INF/services/";

    public static void main(String[] args) throws IOException {
        Path index = Files.createDirectory(Path.of(args[0]));
        for (int i = 1; i < args.length; i++) {
            try (DirectoryStream<Path> jars = Files.newDirectoryStream(Path.of(args[i]), "*.jar")) {
                for (Path jar : jars) {
                    add(jar, index);
                }
            }
        }
    }

    private static void add(Path jar, Path index) throws IOException {
        try (JarFile file = new JarFile(jar.toFile())) {
            for (ZipEntry entry : Collections.list(file.entries())) {
                String name = entry.getName();
                if (!name.startsWith(SERVICES) || entry.isDirectory()) {
                    continue;
                }
                Path service = index.resolve(Path.of(name).getFileName());
                try (var in = file.getInputStream(entry);
                        var out = Files.newOutputStream(service, StandardOpenOption.CREATE, StandardOpenOption.APPEND)) {
                    in.transferTo(out);
                    out.write('\n'); // the last line of a jar's own file may have none
                }
            }
        }
    }
}
