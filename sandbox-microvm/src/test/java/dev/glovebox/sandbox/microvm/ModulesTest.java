package dev.glovebox.sandbox.microvm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.glovebox.sandbox.NotEnforceable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ModulesTest {

    @TempDir Path folder;

    @BeforeEach
    void theModulesOfAKernel() throws IOException {
        module("virtio", "virtio_ring");
        module("virtio_ring", "");
        module("virtio_blk", "virtio,virtio_ring");
        module("lonely", "nowhere");
    }

    private void module(String name, String needs) throws IOException {
        Path place = Files.createDirectories(folder.resolve("drivers").resolve(name));
        Files.writeString(
                place.resolve(name + ".ko"), "license=GPL\0depends=" + needs + "\0name=" + name);
    }

    @Test
    void whatAModuleNeedsComesBeforeItAndOnce() throws IOException {
        assertThat(Modules.of(folder, List.of("virtio_blk", "virtio")).keySet())
                .containsExactly("virtio_ring", "virtio", "virtio_blk");
    }

    @Test
    void aModuleThatIsNotThereIsNamed() {
        assertThatThrownBy(() -> Modules.of(folder, List.of("lonely")))
                .isInstanceOf(NotEnforceable.class)
                .hasMessageContaining("nowhere");
    }
}
