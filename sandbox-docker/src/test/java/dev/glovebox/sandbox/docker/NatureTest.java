package dev.glovebox.sandbox.docker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.github.dockerjava.api.model.Info;
import com.github.dockerjava.api.model.Version;
import com.github.dockerjava.core.DockerClientConfig;
import dev.glovebox.sandbox.NotEnforceable;
import java.net.URI;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What engines say of themselves, and what follows of it. */
final class NatureTest {

    private static final Settings HERE =
            Settings.ofSystem().withHost(URI.create("unix:///run/engine.sock"));

    private static Nature docker(String info) throws JsonProcessingException {
        return nature("{}", info);
    }

    private static Nature podman(String info) throws JsonProcessingException {
        return nature("{\"Components\":[{\"Name\":\"Podman Engine\"}]}", info);
    }

    private static Nature nature(String version, String info) throws JsonProcessingException {
        ObjectMapper json = DockerClientConfig.getDefaultObjectMapper();
        return Nature.of(json.readValue(version, Version.class), json.readValue(info, Info.class));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"SecurityOptions\":[\"name=rootless\"],\"CgroupVersion\":\"1\"} | memory",
                "{\"Rootless\":true,\"CgroupVersion\":\"1\",\"MemoryLimit\":true} | memory",
                "{\"Rootless\":true,\"CgroupVersion\":\"2\",\"MemoryLimit\":false} | memory",
                "{\"MemoryLimit\":true,\"PidsLimit\":false} | processes",
                "{\"MemoryLimit\":true,\"PidsLimit\":true,\"CpuCfsQuota\":false} | cpus"
            })
    void anEngineThatCannotBoundSomethingIsRefusedByItsName(String info, String control)
            throws JsonProcessingException {
        Nature nature = docker(info);
        assertThatThrownBy(() -> nature.require(Wall.CONTAINER, HERE))
                .isInstanceOfSatisfying(
                        NotEnforceable.class,
                        e -> {
                            assertThat(e.control()).isEqualTo(control);
                            assertThat(e.remedy()).contains("cgroup v2");
                        });
    }

    @Test
    void anEngineWithoutRootThatHasCgroupsIsTakenButNotAtItsWord() throws JsonProcessingException {
        Nature nature = docker("{\"SecurityOptions\":[\"name=rootless\"],\"CgroupVersion\":\"2\"}");
        assertThatCode(() -> nature.require(Wall.CONTAINER, HERE)).doesNotThrowAnyException();
        assertThat(nature.believed()).isFalse();
        assertThat(nature.title()).endsWith("without root");
    }

    /** As Podman 4.3.1 told it on a kernel with cgroup v2, of which it had all. */
    @Test
    void podmanIsNotRefusedForAQuotaThatItDeniesWithCgroupV2() throws JsonProcessingException {
        String says =
                "{\"Rootless\":true,\"MemoryLimit\":true,\"PidsLimit\":true,\"CpuCfsQuota\":false,";
        assertThat(podman(says + "\"CgroupVersion\":\"2\"}").unbounded()).isEmpty();
        assertThat(podman(says + "\"CgroupVersion\":\"1\"}").unbounded()).contains("memory");
        assertThat(docker(says + "\"CgroupVersion\":\"2\"}").unbounded()).contains("cpus");
    }

    @Test
    void anEngineThatSaysNothingOfItselfIsDockerWithRoot() throws JsonProcessingException {
        Nature nature = docker("{}");
        assertThatCode(() -> nature.require(Wall.GVISOR, HERE)).doesNotThrowAnyException();
        assertThat(nature.believed()).isTrue();
    }
}
