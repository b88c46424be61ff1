package dev.glovebox.sandbox.internal;

import dev.glovebox.sandbox.HostPort;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Where a box may connect to.
 *
 * <p>A name stands for what it resolves to only if that is a public address of somebody else. The
 * attack: whoever controls the name of an allowed host lets it resolve to 127.0.0.1, to the
 * metadata service of a cloud or into the network behind the firewall, and a box reaches what only
 * this machine may. So any other address must be named by the policy as well; {@code localhost}
 * names the loopback itself.
 */
final class Destinations {

    private static final String LOCALHOST = "localhost";

    /** Finds the addresses of a name. */
    @FunctionalInterface
    interface Resolver {
        InetAddress[] resolve(String name) throws UnknownHostException;
    }

    private final Set<HostPort> allowed;
    private final Resolver resolver;

    Destinations(List<HostPort> allowed, Resolver resolver) {
        this.allowed = Set.copyOf(allowed);
        this.resolver = resolver;
    }

    boolean names(HostPort place) {
        return allowed.contains(place);
    }

    /**
     * The addresses at which an allowed place may be reached.
     *
     * @throws UnknownHostException if there are no addresses at all
     * @throws Refused if it has addresses, but none that may be reached
     */
    List<InetAddress> addresses(HostPort place) throws UnknownHostException, Refused {
        InetAddress[] all = resolver.resolve(place.host());
        List<InetAddress> good =
                Arrays.stream(all).filter(address -> mayReach(place, address)).toList();
        if (good.isEmpty()) {
            String first = all.length == 0 ? "nothing" : all[0].getHostAddress();
            throw Refused.forbidden(
                    "%s is %s, which is no public address; a policy that means it names it as well: %s:%d"
                            .formatted(place.host(), first, first, place.port()));
        }
        return good;
    }

    private boolean mayReach(HostPort place, InetAddress address) {
        boolean literal = place.host().equals(address.getHostAddress());
        boolean loopback = place.host().equals(LOCALHOST) && address.isLoopbackAddress();
        return literal || loopback || named(address, place.port()) || isPublic(address);
    }

    private boolean named(InetAddress address, int port) {
        return address instanceof Inet4Address
                && allowed.contains(new HostPort(address.getHostAddress(), port));
    }

    private static boolean isPublic(InetAddress address) {
        byte[] bytes = address.getAddress();
        return (address instanceof Inet4Address ? isPublic4(bytes) : isPublic6(bytes))
                && !isOurs(address);
    }

    /** Not what RFC 6890 reserves: this network, private, shared, loopback, link-local, tests, … */
    private static boolean isPublic4(byte[] bytes) {
        int a = bytes[0] & 0xff;
        int b = bytes[1] & 0xff;
        int c = bytes[2] & 0xff;
        return switch (a) {
            case 0, 10, 127 -> false;
            case 100 -> b < 64 || b > 127;
            case 169 -> b != 254;
            case 172 -> b < 16 || b > 31;
            case 192 -> b != 168 && !(b == 0 && (c == 0 || c == 2)) && !(b == 88 && c == 99);
            case 198 -> b != 18 && b != 19 && !(b == 51 && c == 100);
            case 203 -> !(b == 0 && c == 113);
            default -> a < 224;
        };
    }

    /** Global unicast, without what carries an IPv4 address inside (Teredo, 6to4) and examples. */
    private static boolean isPublic6(byte[] bytes) {
        int first = (bytes[0] & 0xff) << 8 | (bytes[1] & 0xff);
        int second = (bytes[2] & 0xff) << 8 | (bytes[3] & 0xff);
        boolean special = first == 0x2001 && (second < 0x200 || second == 0xdb8);
        return first >> 13 == 1 && first != 0x2002 && !special;
    }

    /** An address of this machine leads to what listens here, like the loopback. */
    private static boolean isOurs(InetAddress address) {
        try (Stream<NetworkInterface> interfaces = NetworkInterface.networkInterfaces()) {
            return interfaces
                    .flatMap(NetworkInterface::inetAddresses)
                    .anyMatch(own -> Arrays.equals(own.getAddress(), address.getAddress()));
        } catch (SocketException e) {
            return true; // what cannot be told apart from us is us
        }
    }
}
