package dev.glovebox.sandbox.docker;

import com.github.dockerjava.api.model.HostConfig;
import com.github.dockerjava.api.model.Version;
import dev.glovebox.sandbox.spi.SeccompProfile;
import java.util.Map;
import java.util.Optional;

/** Docker's own words. */
record DockerDialect() implements Dialect {

    @Override
    public String program() {
        return "docker";
    }

    @Override
    public String title(Version version) {
        return "Docker API " + version.getApiVersion() + ", engine " + version.getVersion();
    }

    @Override
    public void require(Wall wall, boolean local) {
        // All can be asked for.
    }

    @Override
    public String filter(ContainerSpec spec) {
        return SeccompProfile.json(spec.files().isEmpty());
    }

    @Override
    public Map<String, String> environment() {
        return Map.of();
    }

    @Override
    public void complete(HostConfig config, Creation creation) {
        String options = creation.spec().scratchOptions(creation.uid());
        config.withTmpFs(Map.of(ContainerSpec.TMP, options));
    }

    @Override
    public Optional<Map<String, String>> scratch(Creation creation) {
        return Optional.empty();
    }

    @Override
    public Line start(Engine engine, String container) {
        Line line = engine.attach(container);
        try {
            engine.start(container);
            return line;
        } catch (EngineFault e) {
            line.close();
            throw e;
        }
    }

    @Override
    public int ownPlaces() {
        return 0;
    }

    @Override
    public boolean believed() {
        return true;
    }
}
