import java.io.IOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassFile.ClassHierarchyResolverOption;
import java.lang.classfile.ClassFile.StackMapsOption;
import java.lang.classfile.ClassFileVersion;
import java.lang.classfile.ClassHierarchyResolver;
import java.lang.classfile.MethodModel;
import java.lang.classfile.MethodTransform;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Collections;
import java.util.jar.JarFile;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/**
 * Rewrites a jar's class files older than Java 6 as those of Java 8.
 *
 * <p>The JDK's start-up cache leaves out classes without stack maps, which came with Java 6. The code of the methods
 * stays as it is; the stack maps are computed.
 */
final class NewClassFiles {
    public static void main(String[] args) throws IOException {
        Path jar = Path.of(args[0]);
        Path rewritten = Path.of(args[0] + ".new");
        try (JarFile in = new JarFile(jar.toFile());
                URLClassLoader classes = new URLClassLoader(new URL[] {jar.toUri().toURL()});
                ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(rewritten))) {
            ClassFile context =
                    ClassFile.of(
                            StackMapsOption.GENERATE_STACK_MAPS,
                            ClassHierarchyResolverOption.of(
                                    ClassHierarchyResolver.ofResourceParsing(classes)
                                            .orElse(ClassHierarchyResolver.defaultResolver())));
            for (ZipEntry entry : Collections.list(in.entries())) {
                byte[] content = in.getInputStream(entry).readAllBytes();
                out.putNextEntry(new ZipEntry(entry.getName()));
                out.write(entry.getName().endsWith(".class") ? rewrite(context, content) : content);
            }
        }
        Files.move(rewritten, jar, StandardCopyOption.REPLACE_EXISTING);
    }

    private static byte[] rewrite(ClassFile context, byte[] content) {
        var type = context.parse(content);
        if (type.majorVersion() >= ClassFile.JAVA_6_VERSION) {
            return content;
        }
        return context.transformClass(
                type,
                (builder, element) -> {
                    switch (element) {
                        case ClassFileVersion _ -> builder.withVersion(ClassFile.JAVA_8_VERSION, 0);
                        case MethodModel method ->
                                // Taking the code apart and together again is what computes its stack maps.
                                builder.transformMethod(
                                        method,
                                        MethodTransform.transformingCode((code, part) -> code.with(part)));
                        default -> builder.with(element);
                    }
                });
    }
}
