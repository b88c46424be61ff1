package dev.glovebox.agent;

import dev.glovebox.run.Failure;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;

/**
 * Looks whether a server that could not be asked speaks HTTP with encryption where its address says
 * without, or the other way round. Some servers close the connection then, and others say nothing.
 */
final class Scheme {

    private static final Duration PATIENCE = Duration.ofSeconds(2);
    private static final int HTTP = 80;
    private static final int HTTPS = 443;

    /** The beginning of an answer, up to its status. */
    private static final int BEGINNING = "HTTP/1.1 400".length();

    private Scheme() {}

    /**
     * What is wrong with the address, if that is it.
     *
     * @param problem of whoever asked there
     */
    static Optional<Failure> wrong(URI address, IOException problem) {
        if (address.getScheme().equalsIgnoreCase("https")) {
            boolean untold =
                    problem instanceof SSLException
                            || problem instanceof HttpConnectTimeoutException;
            return untold && answersPlainly(address)
                    ? Optional.of(failure("it does not encrypt", "http://"))
                    : Optional.empty();
        }
        boolean untold =
                !(problem instanceof HttpTimeoutException || problem instanceof ConnectException);
        return untold && showsCertificate(address)
                ? Optional.of(failure("it wants encryption", "https://"))
                : Optional.empty();
    }

    private static Failure failure(String what, String scheme) {
        return Failure.lasting(
                ModelProblem.NO_SUCH_MODEL,
                "the server is there, but %s: its address begins with %s".formatted(what, scheme));
    }

    /** Whoever encrypts may say so without encryption, as a bad request. */
    private static boolean answersPlainly(URI address) {
        try (Socket socket = connected(address, HTTPS)) {
            String question =
                    "HEAD / HTTP/1.1\r\nHost: %s\r\nConnection: close\r\n\r\n"
                            .formatted(address.getHost());
            socket.getOutputStream().write(question.getBytes(StandardCharsets.US_ASCII));
            byte[] answer = socket.getInputStream().readNBytes(BEGINNING);
            String begin = new String(answer, StandardCharsets.US_ASCII);
            return begin.startsWith("HTTP/") && !begin.endsWith(" 400");
        } catch (IOException e) {
            return false;
        }
    }

    private static boolean showsCertificate(URI address) {
        AtomicBoolean shown = new AtomicBoolean();
        try (Socket socket = connected(address, HTTP);
                SSLSocket encrypted =
                        (SSLSocket)
                                context(shown)
                                        .getSocketFactory()
                                        .createSocket(
                                                socket,
                                                address.getHost(),
                                                socket.getPort(),
                                                true)) {
            encrypted.startHandshake();
            return true;
        } catch (IOException | GeneralSecurityException e) {
            return shown.get();
        }
    }

    private static Socket connected(URI address, int usual) throws IOException {
        int port = address.getPort() < 0 ? usual : address.getPort();
        Socket socket = new Socket();
        try {
            int patience = Math.toIntExact(PATIENCE.toMillis());
            socket.connect(new InetSocketAddress(address.getHost(), port), patience);
            socket.setSoTimeout(patience);
            return socket;
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }

    /** Trusts nobody: whoever shows a certificate has said enough. */
    private static SSLContext context(AtomicBoolean shown) throws GeneralSecurityException {
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, new TrustManager[] {new Nobody(shown)}, null);
        return context;
    }

    private record Nobody(AtomicBoolean shown) implements X509TrustManager {

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type)
                throws CertificateException {
            throw new CertificateException("Nobody is trusted");
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type)
                throws CertificateException {
            shown.set(true);
            throw new CertificateException("Nobody is trusted");
        }

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }
}
