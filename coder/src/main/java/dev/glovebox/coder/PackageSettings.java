package dev.glovebox.coder;

import dev.glovebox.sandbox.Language;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * How pip and npm of this machine are configured: by variables, and by files.
 *
 * <p>Read here and not asked of them, since each would take half a second to say it.
 */
final class PackageSettings {

    private static final long LARGEST_FILE = 1 << 20;
    private static final String CERTIFICATE = "-----BEGIN CERTIFICATE-----";
    private static final Pattern VARIABLE = Pattern.compile("\\$\\{([A-Za-z_][A-Za-z0-9_]*)\\}");

    private final Map<String, String> environment;
    private final Function<Language, Optional<PublicIndex>> clients;

    /**
     * Reads them.
     *
     * @param clients know where they go by themselves
     */
    PackageSettings(
            Map<String, String> environment, Function<Language, Optional<PublicIndex>> clients) {
        this.environment = Map.copyOf(environment);
        this.clients = clients;
    }

    /**
     * Where packages come from; where nobody has said it, from where the client goes by itself.
     *
     * @throws PackageIndex.Unusable if they cannot come from there
     */
    PackageIndex index(Language language) {
        Map<String, String> settings = settings(language);
        if (isOffline(language, settings)) {
            throw new PackageIndex.Unusable(
                    "There is no package index for %s: it is configured to use none"
                            .formatted(language));
        }
        String url =
                Optional.ofNullable(settings.get(key(language)))
                        .or(() -> clients.apply(language).map(PublicIndex::url))
                        .orElseThrow(() ->
                                new PackageIndex.Unusable(
                                        "There is no package index for %s: none is configured, and its own client is not here to say one"
                                                .formatted(language)));
        PackageIndex index = PackageIndex.at(language, url, false);
        boolean trusted =
                language == Language.PYTHON
                        ? List.of(settings.getOrDefault("trusted-host", "").split("\\s+")).stream()
                                .anyMatch(host ->
                                        host.equalsIgnoreCase(index.host())
                                                || host.equalsIgnoreCase(index.places().getFirst()))
                        : isFalse(settings.getOrDefault("strict-ssl", "true"));
        PackageIndex known = trusted ? PackageIndex.at(language, url, true) : index;
        return known.authorities(authorities(language, settings));
    }

    /** Whoever has authorities of their own configures the clients with them. */
    private String authorities(Language language, Map<String, String> settings) {
        Optional<String> file =
                language == Language.PYTHON
                        ? Optional.ofNullable(settings.get("cert"))
                        : Optional.ofNullable(settings.get("cafile"))
                                .or(() -> variable("NODE_EXTRA_CA_CERTS"));
        if (file.isEmpty()) {
            return "";
        }
        String pem =
                path(file.get()).map(PackageSettings::lines).orElse(List.of()).stream()
                        .collect(Collectors.joining("\n", "", "\n"));
        if (!pem.contains(CERTIFICATE)) {
            throw new PackageIndex.Unusable(
                    "The package index of %s cannot be proven: no certificates are in %s"
                            .formatted(language, file.get()));
        }
        return pem;
    }

    private static String key(Language language) {
        return language == Language.PYTHON ? "index-url" : "registry";
    }

    private static boolean isOffline(Language language, Map<String, String> settings) {
        String word =
                settings.getOrDefault(
                        language == Language.PYTHON ? "no-index" : "offline", "false");
        return !isFalse(word);
    }

    private static boolean isFalse(String word) {
        return List.of("", "0", "false", "no", "off").contains(word.toLowerCase(Locale.ROOT));
    }

    private Map<String, String> settings(Language language) {
        Map<String, String> all = new HashMap<>();
        if (language == Language.PYTHON) {
            pipFiles().forEach(file -> readPip(file, all));
            variables("PIP_", all);
        } else {
            npmFiles().forEach(file -> readNpm(file, all));
            variables("NPM_CONFIG_", all);
        }
        return all;
    }

    private void variables(String prefix, Map<String, String> all) {
        environment.forEach((name, value) -> {
            String upper = name.toUpperCase(Locale.ROOT);
            if (upper.startsWith(prefix) && !value.isBlank()) {
                String key = upper.substring(prefix.length()).toLowerCase(Locale.ROOT);
                all.put(key.replace('_', '-'), value.strip());
            }
        });
    }

    /** Later ones override earlier ones. */
    private List<Path> pipFiles() {
        Optional<String> only = variable("PIP_CONFIG_FILE");
        if (only.isPresent()) {
            return path(only.get()).stream().toList();
        }
        Optional<Path> home = home();
        return Stream.of(
                        path("/etc/xdg/pip/pip.conf"),
                        path("/etc/pip.conf"),
                        home.map(h -> h.resolve(".pip/pip.conf")),
                        variable("XDG_CONFIG_HOME")
                                .flatMap(PackageSettings::path)
                                .or(() -> home.map(h -> h.resolve(".config")))
                                .map(folder -> folder.resolve("pip/pip.conf")))
                .flatMap(Optional::stream)
                .toList();
    }

    private List<Path> npmFiles() {
        return Stream.of(
                        variable("NPM_CONFIG_GLOBALCONFIG")
                                .or(() -> variable("npm_config_globalconfig"))
                                .or(() -> Optional.of("/etc/npmrc"))
                                .flatMap(PackageSettings::path),
                        variable("NPM_CONFIG_USERCONFIG")
                                .or(() -> variable("npm_config_userconfig"))
                                .flatMap(PackageSettings::path)
                                .or(() -> home().map(h -> h.resolve(".npmrc"))))
                .flatMap(Optional::stream)
                .toList();
    }

    private Optional<String> variable(String name) {
        return Optional.ofNullable(environment.get(name)).filter(value -> !value.isBlank());
    }

    private Optional<Path> home() {
        return variable("HOME").flatMap(PackageSettings::path);
    }

    private static Optional<Path> path(String text) {
        try {
            return Optional.of(Path.of(text)).filter(Path::isAbsolute);
        } catch (InvalidPathException e) {
            return Optional.empty();
        }
    }

    private static void readPip(Path file, Map<String, String> all) {
        Map<String, String> install = new HashMap<>();
        String section = "";
        String key = "";
        for (String line : lines(file)) {
            String text = line.strip();
            if (text.isEmpty() || text.startsWith("#") || text.startsWith(";")) {
                continue;
            }
            Map<String, String> into = section.equals("install") ? install : all;
            int equals = text.indexOf('=');
            if (text.startsWith("[") && text.endsWith("]")) {
                section = text.substring(1, text.length() - 1).strip();
                key = "";
            } else if (!section.equals("install") && !section.equals("global")) {
                key = "";
            } else if (Character.isWhitespace(line.charAt(0)) && !key.isEmpty()) {
                into.merge(key, text, (before, more) -> (before + " " + more).strip());
            } else if (equals > 0) {
                key = text.substring(0, equals).strip().replace('_', '-').toLowerCase(Locale.ROOT);
                into.put(key, text.substring(equals + 1).strip());
            }
        }
        all.putAll(install);
    }

    private void readNpm(Path file, Map<String, String> all) {
        for (String line : lines(file)) {
            int equals = line.indexOf('=');
            if (equals > 0 && !line.startsWith(";") && !line.startsWith("#")) {
                String value = line.substring(equals + 1).strip();
                if (value.length() > 1 && value.startsWith("\"") && value.endsWith("\"")) {
                    value = value.substring(1, value.length() - 1);
                }
                String full =
                        VARIABLE.matcher(value)
                                .replaceAll(found ->
                                        Matcher.quoteReplacement(
                                                variable(found.group(1)).orElse(found.group())));
                all.put(line.substring(0, equals).strip(), full);
            }
        }
    }

    private static List<String> lines(Path file) {
        try {
            if (!Files.isRegularFile(file) || Files.size(file) > LARGEST_FILE) {
                return List.of();
            }
            return new String(Files.readAllBytes(file), StandardCharsets.UTF_8).lines().toList();
        } catch (IOException e) {
            return List.of(); // as if it were not there
        }
    }
}
