package dev.glovebox.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.glovebox.sandbox.spi.Tier;
import java.io.IOException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.ServiceLoader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ServiceIndexTest {

    private static final ClassLoader JARS = ServiceIndexTest.class.getClassLoader();

    @TempDir Path folder;

    @Test
    void it_finds_what_the_folder_names_and_nothing_else() throws IOException {
        Tier one = ServiceLoader.load(Tier.class, JARS).iterator().next();
        Files.writeString(
                folder.resolve(Tier.class.getName()),
                one.getClass().getName() + "\n\n# a remark\n");

        assertThat(ServiceLoader.load(Tier.class, new ServiceIndex(folder, JARS)))
                .extracting(tier -> (Object) tier.getClass())
                .containsExactly(one.getClass());
    }

    @Test
    void a_service_without_a_file_has_no_provider() {
        assertThat(ServiceLoader.load(Tier.class, new ServiceIndex(folder, JARS))).isEmpty();
    }

    @Test
    void everything_else_comes_from_the_jars() throws Exception {
        ServiceIndex index = new ServiceIndex(folder, JARS);
        String resource = Main.class.getName().replace('.', '/') + ".class";

        assertThat(index.loadClass(Main.class.getName())).isSameAs(Main.class);
        assertThat(index.getResource(resource)).isEqualTo(JARS.getResource(resource));
        assertThat(list(index, resource)).isEqualTo(list(JARS, resource)).isNotEmpty();
    }

    @Test
    void a_name_that_leads_out_of_the_folder_is_no_service() throws IOException {
        ServiceIndex index =
                new ServiceIndex(Files.createDirectory(folder.resolve("services")), JARS);
        Files.writeString(folder.resolve("outside"), "Outside");

        assertThat(list(index, "META-INF/services/")).isEmpty();
        assertThat(list(index, "META-INF/services/../outside")).isEmpty();
    }

    private static List<URL> list(ClassLoader loader, String name) throws IOException {
        return Collections.list(loader.getResources(name));
    }
}
