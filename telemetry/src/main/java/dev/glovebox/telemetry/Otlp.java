package dev.glovebox.telemetry;

import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.autoconfigure.AutoConfiguredOpenTelemetrySdk;
import io.opentelemetry.sdk.autoconfigure.spi.ConfigurationException;
import io.opentelemetry.sdk.resources.Resource;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The SDK as the standard {@code OTEL_*} variables want it. */
final class Otlp {

    private static final String PREFIX = "OTEL_";
    private static final String ENDPOINT = "otel.exporter.otlp.endpoint";
    private static final String PROTOCOL = "otel.exporter.otlp.protocol";
    private static final List<String> PROTOCOLS =
            List.of(
                    PROTOCOL,
                    "otel.exporter.otlp.traces.protocol",
                    "otel.exporter.otlp.metrics.protocol");
    private static final List<String> SIGNALS = List.of("traces", "metrics");
    private static final String SERVICE = "glovebox";

    // As in the specification of the SDK's variables.
    private static final String QUEUE = "otel.bsp.max.queue.size";
    private static final int DEFAULT_QUEUE = 2048;

    private final Map<String, String> settings;

    Otlp(Map<String, String> environment) {
        Map<String, String> given = properties(environment);
        settings = new HashMap<>(Map.of(PROTOCOL, "http/protobuf", "otel.logs.exporter", "none"));
        // The SDK would send to this machine if told nothing; we send only where somebody says.
        for (String signal : SIGNALS) {
            boolean somewhere =
                    given.containsKey(ENDPOINT)
                            || given.containsKey("otel.exporter.otlp." + signal + ".endpoint");
            settings.put(exporter(signal), somewhere ? "otlp" : "none");
        }
        settings.putAll(given);
    }

    /** An empty variable is one that is not set, says the specification. */
    private static Map<String, String> properties(Map<String, String> environment) {
        Map<String, String> properties = new HashMap<>();
        environment.forEach((name, value) -> {
            if (name.startsWith(PREFIX) && !value.isBlank()) {
                properties.put(name.toLowerCase(Locale.ROOT).replace('_', '.'), value.strip());
            }
        });
        return properties;
    }

    private static String exporter(String signal) {
        return "otel." + signal + ".exporter";
    }

    /** Whether there is anything to send anywhere. */
    boolean wanted() {
        boolean disabled = settings.getOrDefault("otel.sdk.disabled", "").equalsIgnoreCase("true");
        return !disabled
                && SIGNALS.stream()
                        .anyMatch(signal -> !"none".equals(settings.get(exporter(signal))));
    }

    /**
     * Builds it.
     *
     * @throws TelemetryMisconfigured if the variables cannot be used
     */
    OpenTelemetrySdk sdk(DerivedIds ids, Outbox outbox) {
        for (String protocol : PROTOCOLS) {
            if ("grpc".equals(settings.get(protocol))) {
                throw new TelemetryMisconfigured(
                        variable(protocol)
                                + "=grpc cannot be used here: set it to http/protobuf, which"
                                + " receivers take at port 4318");
            }
        }
        try {
            return AutoConfiguredOpenTelemetrySdk.builder()
                    .disableShutdownHook()
                    .addPropertiesSupplier(() -> settings)
                    .addResourceCustomizer((resource, config) -> named(resource))
                    .addTracerProviderCustomizer((provider, config) -> provider.setIdGenerator(ids))
                    .addSpanProcessorCustomizer((processor, config) ->
                            outbox.before(processor, config.getInt(QUEUE, DEFAULT_QUEUE)))
                    .addSpanExporterCustomizer((exporter, config) -> outbox.watching(exporter))
                    .build()
                    .getOpenTelemetrySdk();
        } catch (ConfigurationException | IllegalArgumentException | IllegalStateException e) {
            throw new TelemetryMisconfigured(
                    "The OTEL_* variables cannot be used: " + e.getMessage(), e);
        }
    }

    private static String variable(String property) {
        return property.toUpperCase(Locale.ROOT).replace('.', '_');
    }

    private static Resource named(Resource resource) {
        String name = resource.getAttribute(Names.SERVICE_NAME);
        return name == null || name.startsWith("unknown_service")
                ? resource.toBuilder().put(Names.SERVICE_NAME, SERVICE).build()
                : resource;
    }
}
