package dev.glovebox.coder;

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
 */
record PackageIndex(String url, boolean trusted, List<String> places) {

    static final class Unusable extends RuntimeException {

        private static final long serialVersionUID = 1L;

        Unusable(String why) {
            super(why);
        }
    }

    PackageIndex {
        places = List.copyOf(places);
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
        List<String> inside = inside(uri.getHost());
        inside.forEach(address -> places.add(address + ":" + port));
        if (inside.isEmpty() && !uri.getHost().equalsIgnoreCase("localhost")) {
            // A public index may keep its files elsewhere.
            PublicIndex.of(language)
                    .filter(known -> known.isAt(uri.getHost()))
                    .ifPresent(known ->
                            known.files()
                                    .forEach(host ->
                                            places.add(new HostPort(host, port).toString())));
        }
        return new PackageIndex(uri.toString(), trusted, List.copyOf(places));
    }

    private static URI parsed(Language language, String configured) {
        try {
            return new URI(configured.strip());
        } catch (URISyntaxException e) {
            // Not with its text: there may be a password in it.
            throw new Unusable("The package index of %s is not an address".formatted(language));
        }
    }

    /** Addresses in a network of our own: the gate wants those to be named too. */
    private static List<String> inside(String host) {
        if (host.equalsIgnoreCase("localhost")) {
            return List.of();
        }
        return Reach.addresses(host).stream()
                .filter(one -> one.isSiteLocalAddress() || one.isLoopbackAddress())
                .filter(one -> one.getAddress().length == 4)
                .map(InetAddress::getHostAddress)
                .toList();
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
