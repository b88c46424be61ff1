package dev.glovebox.sandbox.opensandbox;

import java.net.URI;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Which server, and what it needs to know of us.
 *
 * @param server its address, without a path
 * @param key what it knows us by; empty where it asks for none
 * @param image what boxes are made of; it has to have Python 3
 * @param root the folder in a box that is ours; the user of the image has to be able to make it
 */
record Settings(URI server, String key, String image, String root) {

    /** The names that OpenSandbox's own clients use. */
    static final String DOMAIN = "OPEN_SANDBOX_DOMAIN";

    static final String KEY = "OPEN_SANDBOX_API_KEY";
    static final String IMAGE = "GLOVEBOX_OPENSANDBOX_IMAGE";
    static final String FOLDER = "GLOVEBOX_OPENSANDBOX_FOLDER";

    private static final String DEFAULT_IMAGE = "opensandbox/code-interpreter:latest";
    private static final String DEFAULT_FOLDER = "/tmp/glovebox";
    // It becomes a word of a command: nothing in it may mean anything to a shell.
    private static final Pattern PLAIN = Pattern.compile("(/[A-Za-z0-9_][A-Za-z0-9._-]*){1,16}");
    private static final Set<String> LOOPBACK = Set.of("localhost", "127.0.0.1", "[::1]");

    /**
     * What the environment says; empty if it names no server.
     *
     * @throws IllegalArgumentException if it says nonsense; the message holds no secret
     */
    static Optional<Settings> of(Map<String, String> environment) {
        String domain = environment.getOrDefault(DOMAIN, "").strip();
        if (domain.isEmpty()) {
            return Optional.empty();
        }
        String image = environment.getOrDefault(IMAGE, "").strip();
        String key = environment.getOrDefault(KEY, "").strip();
        if (!key.chars().allMatch(c -> c > ' ' && c < 0x7f)) {
            throw new IllegalArgumentException(KEY + " holds characters that no key has");
        }
        String folder = environment.getOrDefault(FOLDER, "").strip();
        if (!folder.isEmpty() && !PLAIN.matcher(folder).matches()) {
            throw new IllegalArgumentException(
                    FOLDER + " must be an absolute path of letters, digits, '.', '_' and '-'");
        }
        return Optional.of(
                new Settings(
                        address(domain),
                        key,
                        image.isEmpty() ? DEFAULT_IMAGE : image,
                        folder.isEmpty() ? DEFAULT_FOLDER : folder));
    }

    /** The same, with boxes of another image. */
    Settings image(String name) {
        return new Settings(server, key, name, root);
    }

    private static URI address(String domain) {
        URI address;
        try {
            address = URI.create(domain.contains("://") ? domain : "https://" + domain);
            // A key goes over the wire: in the clear only to this machine, or where it is said.
            if (!domain.contains("://") && LOOPBACK.contains(String.valueOf(address.getHost()))) {
                address = URI.create("http://" + domain);
            }
        } catch (IllegalArgumentException e) {
            throw nonsense();
        }
        boolean known = "http".equals(address.getScheme()) || "https".equals(address.getScheme());
        boolean plain =
                address.getHost() != null
                        && address.getUserInfo() == null
                        && address.getQuery() == null
                        && address.getPath().matches("(/v1)?/?");
        if (!known || !plain) {
            throw nonsense();
        }
        return address.resolve("/");
    }

    private static IllegalArgumentException nonsense() {
        return new IllegalArgumentException(
                DOMAIN
                        + " must be HOST:PORT, or that after http:// or https://, and no HOST has an underscore");
    }

    /** Without the key. */
    @Override
    public String toString() {
        return server + " with " + image;
    }
}
