package dev.glovebox.sandbox.internal;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** What a gate does with many connections, with silent ones, and with all at its end. */
@EnabledOnOs(OS.LINUX)
@Timeout(60)
final class GateLoadTest {

    @AutoClose private final TestGate gate = new TestGate();

    @Test
    void connectionsThatEndedKeepNoMemory() throws Exception {
        gate.open();
        long before = outsideTheHeap();
        for (int i = 0; i < 300; i++) {
            assertThat(gate.ask("GET /nowhere HTTP/1.1\r\n\r\n")).startsWith("HTTP/1.1 400 ");
        }
        assertThat(outsideTheHeap() - before).isLessThan(4 << 20);
    }

    private static long outsideTheHeap() {
        return ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
                .mapToLong(BufferPoolMXBean::getMemoryUsed)
                .sum();
    }

    @Test
    void whoSaysNothingIsNotWaitedForAndDoesNotHoldUpOthers() throws Exception {
        gate.open();
        List<Socket> silent = new ArrayList<>();
        try {
            for (int i = 0; i < 20; i++) {
                Socket socket = gate.socket();
                socket.getOutputStream().write('G');
                silent.add(socket);
            }
            assertThat(gate.ask("GET " + gate.allowedUrl() + " HTTP/1.1\r\n\r\n")).endsWith("hi");
            long start = System.nanoTime();
            for (Socket socket : silent) {
                socket.setSoTimeout(30_000);
                assertThat(OneAnswerServer.readAll(socket.getInputStream())).isEmpty();
            }
            assertThat(Duration.ofNanos(System.nanoTime() - start))
                    .isBetween(Duration.ofSeconds(7), Duration.ofSeconds(20));
        } finally {
            close(silent);
        }
    }

    @Test
    void moreConnectionsThanAllowedAtOnceAreRefusedAndLaterOnesServed() throws Exception {
        gate.open();
        List<Socket> many = new ArrayList<>();
        try {
            for (int i = 0; i < Gate.MOST_AT_ONCE; i++) {
                many.add(gate.socket());
            }
            Patience.within(5000, () -> gate.connections().size() == Gate.MOST_AT_ONCE);
            assertThat(gate.ask("GET " + gate.allowedUrl() + " HTTP/1.1\r\n\r\n"))
                    .doesNotContain("200 OK");
            assertThat(gate.connections().getLast().detail())
                    .isEqualTo("more than 64 connections at once");
        } finally {
            close(many);
        }
        assertThat(Patience.within(5000, this::served)).isTrue();
    }

    private boolean served() {
        try {
            return gate.ask("GET " + gate.allowedUrl() + " HTTP/1.1\r\n\r\n").endsWith("hi");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void close(List<Socket> sockets) throws IOException {
        for (Socket socket : sockets) {
            socket.close();
        }
    }

    @Test
    void aGateThatIsClosedLeavesNoConnectionOpen() throws Exception {
        gate.open();
        try (Socket socket = gate.socket()) {
            socket.setSoTimeout(20_000);
            socket.getOutputStream()
                    .write(
                            ("CONNECT allowed.example:"
                                            + gate.server().port()
                                            + " HTTP/1.1\r\n\r\n")
                                    .getBytes(ISO_8859_1));
            assertThat(socket.getInputStream().read()).isEqualTo('H');
            gate.shut();
            assertThat(OneAnswerServer.readAll(socket.getInputStream())).contains("200");
            assertThat(gate.connections()).hasSize(1);
        }
        assertThat(Thread.getAllStackTraces().keySet())
                .noneMatch(thread -> thread.getName().equals("glovebox-gate"));
    }
}
