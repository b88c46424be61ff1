package dev.glovebox.sandbox.lifetime;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.glovebox.sandbox.Execution;
import dev.glovebox.sandbox.Isolation;
import dev.glovebox.sandbox.Policy;
import dev.glovebox.sandbox.Program;
import dev.glovebox.sandbox.Result;
import dev.glovebox.sandbox.Sandbox;
import dev.glovebox.sandbox.Sandboxes;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/**
 * The main class of a JVM that opens boxes on instruction, one a line on its standard input.
 *
 * <p>Every box is opened and used from virtual threads that end; this JVM itself idles.
 */
final class Resident {

    /** Ignores the polite signals, and has a daemon that left its session and its parents. */
    private static final String PROGRAM =
            """
            trap '' TERM INT HUP
            (setsid bash -c 'echo up; exec -a "$0" sleep 1000' "$1" &)
            echo up
            exec -a "$1" sleep 1000
            """;

    private static final int CHURNERS = 3;

    private record Inhabited(Sandbox box, Execution execution, long uid) {}

    private static final List<Inhabited> BOXES = Collections.synchronizedList(new ArrayList<>());

    private static final PrintStream ANSWERS = System.out;

    private Resident() {}

    static void main() throws IOException, InterruptedException {
        System.setOut(System.err); // logging
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, UTF_8));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            String[] words = line.split(" ");
            switch (words[0]) {
                case "open" -> open(words[1], Integer.parseInt(words[2]), words[3]);
                case "churn" -> churn(words[1], words[2]);
                case "check" -> check();
                case "ignore-interrupts" -> {
                    ignoreInterrupts();
                    answer("ignoring");
                }
                case "exit" -> System.exit(0);
                case "return" -> {
                    return;
                }
                default -> throw new IllegalArgumentException(line);
            }
        }
    }

    /** As a shell does it; by reflection, since the compiler warns of this API and means it. */
    private static void ignoreInterrupts() {
        try {
            Class<?> signal = Class.forName("sun.misc.Signal");
            Class<?> handler = Class.forName("sun.misc.SignalHandler");
            Object nothing =
                    Proxy.newProxyInstance(
                            Resident.class.getClassLoader(),
                            new Class<?>[] {handler},
                            (proxy, method, arguments) -> null);
            Object interrupt = signal.getConstructor(String.class).newInstance("INT");
            signal.getMethod("handle", signal, handler).invoke(null, interrupt, nothing);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void open(String tier, int count, String marker) throws InterruptedException {
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            threads.add(Thread.startVirtualThread(() -> BOXES.add(inhabit(tier, marker))));
        }
        for (Thread thread : threads) {
            thread.join();
        }
        answer("opened " + String.join(" ", BOXES.stream().map(b -> "" + b.uid()).toList()));
    }

    private static Inhabited inhabit(String tier, String marker) {
        Policy policy = Policy.denyAll().isolation(Isolation.PROCESS).wall(Duration.ofMinutes(30));
        Sandbox box = Sandboxes.openTier(tier, policy);
        Result first = box.run(Program.command("true"));
        CountDownLatch up = new CountDownLatch(2 * "up\n".length());
        Execution execution =
                box.start(
                        Program.bash(PROGRAM).args(marker).stdin(""),
                        chunk -> {
                            for (int i = 0; i < chunk.bytes().length; i++) {
                                up.countDown();
                            }
                        });
        try {
            up.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        return new Inhabited(box, execution, first.receipt().hostUid().orElseThrow());
    }

    /** Opens and closes boxes without end, so that any moment is one of opening or closing. */
    private static void churn(String tier, String marker) {
        for (int i = 0; i < CHURNERS; i++) {
            Thread.startVirtualThread(() -> {
                while (true) {
                    Inhabited one = inhabit(tier, marker);
                    answer("opened " + one.uid());
                    one.box().close();
                }
            });
        }
    }

    private static void check() {
        StringBuilder answer = new StringBuilder("checked");
        for (Inhabited one : List.copyOf(BOXES)) {
            Result result = one.box().run(Program.command("echo", "alive"));
            answer.append(' ').append(result.stdout().text().strip());
            answer.append(one.execution().done() ? "-but-ended" : "");
        }
        answer(answer.toString());
    }

    private static void answer(String line) {
        ANSWERS.println(line);
        ANSWERS.flush();
    }
}
