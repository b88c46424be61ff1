package dev.glovebox.sandbox.opensandbox;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.glovebox.sandbox.Policy;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** The server's interface for boxes as a whole: made, found, kept alive, removed. */
final class Lifecycle {

    /** What a box lives on when nobody renews it; the server takes no less than a minute. */
    static final Duration LEASE = Duration.ofMinutes(2);

    private static final String BOXES = "/v1/sandboxes";
    private static final String HEADER = "OPEN-SANDBOX-API-KEY";
    private static final int MOST_PAGES = 10;
    private static final int MOST_HEADERS = 16;
    private static final Pattern ID = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,127}");
    private static final Pattern ENDPOINT = Pattern.compile("[A-Za-z0-9.:\\[\\]/_-]{1,512}");
    private static final Pattern PART = Pattern.compile("(?s).*/\\.{1,2}(/.*|$)");

    private final Settings settings;
    private final Wire wire;

    Lifecycle(Settings settings) {
        this.settings = settings;
        wire = new Wire(settings.server(), key());
    }

    private Map<String, String> key() {
        return settings.key().isEmpty() ? Map.of() : Map.of(HEADER, settings.key());
    }

    Settings settings() {
        return settings;
    }

    /** Asks for a box; returns its id. */
    String create(Policy policy, Map<String, String> metadata) throws IOException {
        ObjectNode request = Wire.JSON.createObjectNode();
        request.putObject("image").put("uri", settings.image());
        request.putArray("entrypoint").add("tail").add("-f").add("/dev/null");
        request.put("timeout", LEASE.toSeconds());
        Demands.of(policy).forEach(request.putObject("resourceLimits")::put);
        request.putObject("networkPolicy").put("defaultAction", "deny").putArray("egress");
        metadata.forEach(request.putObject("metadata")::put);
        return id(wire.post(BOXES, request).path("id"));
    }

    private static String id(JsonNode node) throws ServerTrouble {
        if (!node.isTextual() || !ID.matcher(node.asText()).matches()) {
            throw ServerTrouble.nonsense("a box without an id");
        }
        return node.asText();
    }

    String state(String id) throws IOException {
        return wire.get(BOXES + "/" + id).path("status").path("state").asText();
    }

    void remove(String id) throws IOException {
        try {
            wire.delete(BOXES + "/" + id);
        } catch (ServerTrouble e) {
            if (!e.missing()) {
                throw e;
            }
        }
    }

    void renew(String id) throws IOException {
        Instant until = Instant.now().plus(LEASE).truncatedTo(ChronoUnit.MILLIS);
        wire.post(
                BOXES + "/" + id + "/renew-expiration",
                Wire.JSON.createObjectNode().put("expiresAt", until.toString()));
    }

    /** The boxes with this mark, with their own. */
    Map<String, Map<String, String>> find(String name, String value) throws IOException {
        Map<String, Map<String, String>> found = new HashMap<>();
        String filter = Wire.encoded(name + "=" + value);
        for (int page = 1; page <= MOST_PAGES; page++) {
            JsonNode answer =
                    wire.get(BOXES + "?metadata=" + filter + "&page=" + page + "&pageSize=100");
            for (JsonNode item : answer.path("items")) {
                Map<String, String> metadata = new HashMap<>();
                item.path("metadata")
                        .properties()
                        .forEach(one -> metadata.put(one.getKey(), one.getValue().asText()));
                // The server filters, and is not believed.
                if (value.equals(metadata.get(name))) {
                    found.put(id(item.path("id")), metadata);
                }
            }
            if (!answer.path("pagination").path("hasNextPage").asBoolean()) {
                break;
            }
        }
        return found;
    }

    /** The way to a port of a box, which leads over the server itself and nowhere else. */
    Wire endpoint(String id, int port) throws IOException {
        JsonNode answer =
                wire.get(BOXES + "/" + id + "/endpoints/" + port + "?use_server_proxy=true");
        String place = answer.path("endpoint").asText();
        if (!ENDPOINT.matcher(place).matches() || PART.matcher(place).matches()) {
            throw ServerTrouble.nonsense("an endpoint that is none");
        }
        URI address;
        try {
            address = URI.create(settings.server().getScheme() + "://" + place);
        } catch (IllegalArgumentException e) {
            throw ServerTrouble.nonsense("an endpoint that is none");
        }
        // Another port may be somebody else, and none of this machine is for a server to name.
        if (!settings.server().getHost().equalsIgnoreCase(address.getHost())
                || port(settings.server()) != port(address)) {
            throw ServerTrouble.nonsense("it sends us elsewhere, to " + address.getAuthority());
        }
        Map<String, String> headers = new HashMap<>(given(answer.path("headers")));
        headers.putAll(key());
        return new Wire(address, headers);
    }

    private static int port(URI address) {
        int usual = "https".equals(address.getScheme()) ? 443 : 80;
        return address.getPort() < 0 ? usual : address.getPort();
    }

    private static Map<String, String> given(JsonNode told) throws ServerTrouble {
        List<Map.Entry<String, JsonNode>> all = new ArrayList<>(told.properties());
        Map<String, String> headers = new HashMap<>();
        for (Map.Entry<String, JsonNode> one : all) {
            String name = one.getKey();
            String value = one.getValue().asText();
            // Names of the protocol's own are for the client to set.
            boolean taken =
                    name.matches("(?i)(open-?sandbox|x)-[a-z0-9-]{1,64}")
                            && !name.equalsIgnoreCase(HEADER);
            if (!taken || !value.matches("[!-~]{1,4096}") || all.size() > MOST_HEADERS) {
                throw ServerTrouble.nonsense("an endpoint with headers that are none of its own");
            }
            headers.put(name, value);
        }
        return headers;
    }
}
