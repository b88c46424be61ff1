package dev.glovebox.coder;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.glovebox.sandbox.HostPort;
import dev.glovebox.sandbox.InvalidPolicy;
import dev.glovebox.sandbox.Language;
import dev.glovebox.sandbox.Policy;
import java.net.InetAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * Where packages come from.
 *
 * @param url without anything secret
 * @param trusted whether the client is told to take what comes without TLS, or unproven
 * @param places all that the installation may connect to
 * @param authorities certificates that the client is told to go by, as PEM; empty: its own ones
 */
record PackageIndex(
        String url,
        boolean trusted,
        List<String> places,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) String authorities) {

    static final class Unusable extends RuntimeException {

        private static final long serialVersionUID = 1L;

        Unusable(String why) {
            super(why);
        }
    }

    PackageIndex {
        places = List.copyOf(places);
        authorities = authorities == null ? "" : authorities;
    }

    PackageIndex authorities(String pem) {
        return new PackageIndex(url, trusted, places, pem);
    }

    /**
     * The index at an address that a client is configured with.
     *
     * @throws Unusable if the installation cannot go there
     */
    static PackageIndex at(Language language, String configured, boolean trusted) {
        URI uri = parsed(language, configured);
        String scheme = String.valueOf(uri.getScheme()).toLowerCase(Locale.ROOT);
        if (uri.getHost() == null || !(scheme.equals("http") || scheme.equals("https"))) {
            throw new Unusable(
                    "The package index of %s is not at an http or https address"
                            .formatted(language));
        }
        if (uri.getRawUserInfo() != null) {
            // A box must not know them, and a record must not keep them.
            throw new Unusable(
                    "The package index of %s at %s needs credentials, which is not supported"
                            .formatted(language, uri.getHost()));
        }
        int port = uri.getPort() > 0 ? uri.getPort() : scheme.equals("https") ? 443 : 80;
        Set<String> places = new LinkedHashSet<>();
        try {
            places.add(new HostPort(uri.getHost(), port).toString());
        } catch (InvalidPolicy e) {
            throw new Unusable("The package index of %s: %s".formatted(language, e.getMessage()));
        }
        List<InetAddress> addresses = addresses(uri.getHost());
        addresses.forEach(address -> places.add(place(address, port)));
        boolean ours = addresses.stream().anyMatch(PackageIndex::isOurs);
        if (!ours && !uri.getHost().equalsIgnoreCase("localhost")) {
            // A public index may keep its files elsewhere.
            PublicIndex.of(language)
                    .filter(known -> known.isAt(uri.getHost()))
                    .map(PublicIndex::files)
                    .orElse(List.of())
                    .forEach(host -> {
                        places.add(new HostPort(host, port).toString());
                        addresses(host).forEach(address -> places.add(place(address, port)));
                    });
        }
        return new PackageIndex(uri.toString(), trusted, List.copyOf(places), "");
    }

    private static URI parsed(Language language, String configured) {
        try {
            return new URI(configured.strip());
        } catch (URISyntaxException e) {
            // Not with its text: there may be a password in it.
            throw new Unusable("The package index of %s is not an address".formatted(language));
        }
    }

    private static String place(InetAddress address, int port) {
        return address.getHostAddress() + ":" + port;
    }

    /** Addresses of a host that are not public: the gate wants those to be named too. */
    private static List<InetAddress> addresses(String host) {
        if (host.equalsIgnoreCase("localhost")) {
            return List.of();
        }
        return Reach.addresses(host).stream()
                .filter(one -> one.getAddress().length == 4)
                .filter(one -> isOurs(one) || isReserved(one))
                .toList();
    }

    private static boolean isOurs(InetAddress address) {
        return address.isSiteLocalAddress() || address.isLoopbackAddress();
    }

    /** Shared and test networks, on which some machines have a mirror of what is public. */
    private static boolean isReserved(InetAddress address) {
        byte[] bytes = address.getAddress();
        int second = bytes[1] & 0xff;
        int third = bytes[2] & 0xff;
        return switch (bytes[0] & 0xff) {
            case 100 -> second >= 64 && second <= 127;
            case 192 -> second == 0 && (third == 0 || third == 2);
            case 198 -> second == 18 || second == 19 || (second == 51 && third == 100);
            case 203 -> second == 0 && third == 113;
            default -> false;
        };
    }

    /** Why it cannot be reached from here; empty: it can. */
    Optional<String> problem() {
        HostPort place = HostPort.parse(places.getFirst());
        return Reach.problem(place.host(), place.port())
                .map(why -> "The package index %s cannot be reached: %s".formatted(place, why));
    }

    /** Lets an installation go there. */
    Policy allowedBy(Policy policy) {
        Policy open = policy;
        for (String place : places) {
            HostPort one = HostPort.parse(place);
            open = open.allow(one.host(), one.port());
        }
        return open;
    }

    String host() {
        return HostPort.parse(places.getFirst()).host();
    }
}
