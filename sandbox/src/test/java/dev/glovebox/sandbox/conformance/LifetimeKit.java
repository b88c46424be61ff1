package dev.glovebox.sandbox.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.glovebox.sandbox.BoxFiles;
import dev.glovebox.sandbox.BoxGone;
import dev.glovebox.sandbox.Execution;
import dev.glovebox.sandbox.Language;
import dev.glovebox.sandbox.Outcome;
import dev.glovebox.sandbox.Program;
import dev.glovebox.sandbox.Result;
import dev.glovebox.sandbox.Sandbox;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How long boxes and commands live, and what they share. */
public abstract class LifetimeKit extends ConformanceKit {

    private static final int MANY = 20;
    private static final int PATIENCE = 1_000;
    private static final Duration LONG = Duration.ofMinutes(10);

    // Time-outs and cancels

    @Test
    void aTimeOutKeepsThePartialOutput() {
        Duration wall = seconds(1);
        try (Sandbox box = open(policy().wall(wall), Language.BASH)) {
            Result result = box.run(Program.bash("echo partial; echo fault >&2; sleep 60"));
            assertThat(result.outcome()).isEqualTo(new Outcome.TimedOut(wall));
            assertThat(result.stdout().text()).isEqualTo("partial\n");
            assertThat(result.stderr().text()).isEqualTo("fault\n");
            assertThat(result.usage().wall()).isGreaterThanOrEqualTo(wall);
        }
    }

    @Test
    void theKillOfACommandNeverHitsTheNextOne() throws InterruptedException {
        // Thirty processes take a kernel in user space seconds, and all of them wait for
        // processors.
        try (Sandbox box = open(policy().wall(LONG).cpuTime(LONG), Language.BASH)) {
            for (int i = 0; i < MANY; i++) {
                CountDownLatch inhabited = new CountDownLatch(1);
                Execution stopped =
                        box.start(
                                Program.bash("for i in {1..30}; do sleep 60 & done; echo; wait"),
                                chunk -> inhabited.countDown());
                while (!inhabited.await(1, TimeUnit.SECONDS)) {
                    assertThat(stopped.done()).isFalse();
                }
                Thread killer = Thread.ofPlatform().start(() -> stopped.cancel("enough"));
                assertThat(stopped.await().outcome()).isEqualTo(new Outcome.Cancelled("enough"));
                Result next = box.run(Program.command("echo", "next"));
                assertThat(next.outcome()).as(told(next)).isEqualTo(new Outcome.Exited(0));
                killer.join();
            }
        }
    }

    @Test
    void afterATimeOutTheBoxIsUsableAndItsFilesAreStillThere() {
        Duration wall = seconds(1);
        try (Sandbox box = open(policy().wall(wall), Language.BASH)) {
            for (int i = 0; i < 3; i++) {
                Result late = box.run(Program.bash("echo " + i + " >> kept; sleep 60"));
                assertThat(late.outcome()).isEqualTo(new Outcome.TimedOut(wall));
            }
            Result next = box.run(Program.bash("cat kept"));
            assertThat(next.outcome()).as(told(next)).isEqualTo(new Outcome.Exited(0));
            assertThat(next.stdout().text()).isEqualTo("0\n1\n2\n");
            assertThat(box.files().read("kept")).isEqualTo(utf8("0\n1\n2\n"));
        }
    }

    @Test
    void anotherThreadCancelsAndThePartialOutputIsKept() throws Exception {
        CountDownLatch heard = new CountDownLatch(1);
        try (Sandbox box = open(Language.BASH)) {
            Execution execution =
                    box.start(
                            Program.bash("trap '' TERM INT HUP; echo partial; sleep 60"),
                            chunk -> heard.countDown());
            Thread canceller =
                    Thread.ofVirtual()
                            .start(() -> {
                                await(heard);
                                execution.cancel("enough");
                            });
            Result result = execution.await();
            canceller.join();
            assertThat(result.outcome()).isEqualTo(new Outcome.Cancelled("enough"));
            assertThat(result.stdout().text()).isEqualTo("partial\n");
            assertThat(execution.done()).isTrue();
            execution.cancel("once more");
            assertThat(execution.await().outcome()).isEqualTo(new Outcome.Cancelled("enough"));
            assertThat(box.run(Program.bash("echo usable")).stdout().text()).isEqualTo("usable\n");
        }
    }

    @Test
    void aCancelAtOnceIsACancel() throws Exception {
        try (Sandbox box = open(Language.BASH)) {
            for (int i = 0; i < MANY; i++) {
                Execution execution = box.start(Program.bash("sleep 60"), chunk -> {});
                execution.cancel("at once");
                assertThat(execution.await().outcome()).isEqualTo(new Outcome.Cancelled("at once"));
                Result next = box.run(Program.bash("echo usable"));
                assertThat(next.stdout().text()).as(told(next)).isEqualTo("usable\n");
            }
        }
    }

    @Test
    void aCancelAfterTheEndChangesNothing() throws Exception {
        try (Sandbox box = open(Language.BASH)) {
            Execution execution = box.start(Program.bash("exit 4"), chunk -> {});
            assertThat(execution.await().outcome()).isEqualTo(new Outcome.Exited(4));
            execution.cancel("too late");
            assertThat(execution.await().outcome()).isEqualTo(new Outcome.Exited(4));
        }
    }

    @Test
    void anInterruptOfARunCancelsItAndStaysSet() throws Exception {
        try (Sandbox box = open(Language.BASH)) {
            FutureTask<Boolean> task =
                    new FutureTask<>(() -> {
                        Result result = box.run(Program.bash("touch running; sleep 60"));
                        assertThat(result.outcome()).isInstanceOf(Outcome.Cancelled.class);
                        return Thread.currentThread().isInterrupted();
                    });
            Thread runner = Thread.ofPlatform().start(task);
            awaitFile(box, "running");
            runner.interrupt();
            assertThat(task.get()).isTrue();
            assertThat(box.run(Program.bash("echo usable")).stdout().text()).isEqualTo("usable\n");
        }
    }

    @Test
    void anInterruptOfAWaitLeavesTheProgramRunning() throws Exception {
        try (Sandbox box = open(Language.BASH)) {
            Execution execution = box.start(Program.bash("read -r line; exit 6"), chunk -> {});
            Thread.currentThread().interrupt();
            assertThatThrownBy(execution::await).isInstanceOf(InterruptedException.class);
            assertThat(execution.done()).isFalse();
            execution.stdin().write('\n');
            assertThat(execution.await().outcome()).isEqualTo(new Outcome.Exited(6));
        }
    }

    private static void awaitFile(Sandbox box, String path) throws InterruptedException {
        for (int i = 0; i < PATIENCE; i++) {
            if (box.files().list("").stream().anyMatch(entry -> entry.path().equals(path))) {
                return;
            }
            Thread.sleep(10);
        }
        throw new AssertionError("The file " + path + " was not made");
    }

    // What commands share

    @Test
    void commandsOfABoxShareItsScratch() {
        try (Sandbox box = open(Language.BASH, Language.PYTHON)) {
            box.run(Program.bash("mkdir folder; echo one > folder/file"));
            Result result =
                    box.run(Program.python("print(open('folder/file').read() + 'two', end='')"));
            assertThat(result.stdout().text()).as(told(result)).isEqualTo("one\ntwo");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "%s &",
                "%s & disown",
                "setsid -f bash -c '%s'",
                "(setsid bash -c '%s' &) &",
                "nohup bash -c '%s' >/dev/null 2>&1 &",
                "setsid -f bash -c \"trap '' TERM HUP INT; %s\""
            })
    void whatALastCommandLeavesRunningIsGone(String leave) throws Exception {
        String beating = "while :; do echo x >> beat; sleep 0.01; done";
        try (Sandbox box = open(Language.BASH)) {
            Result result =
                    box.run(
                            Program.bash(
                                    leave.formatted(beating)
                                            + "\nuntil [ -s beat ]; do sleep 0.01; done"));
            assertThat(result.outcome()).as(told(result)).isEqualTo(new Outcome.Exited(0));
            Result next = box.run(Program.bash("wc -c < beat; sleep 0.5; wc -c < beat"));
            String[] sizes = next.stdout().text().split("\n");
            assertThat(sizes[1]).as(told(next)).isEqualTo(sizes[0]);
        }
    }

    @Test
    void aChildThatHoldsTheOutputOpenDoesNotHoldUpTheEnd() {
        try (Sandbox box = open(Language.BASH)) {
            Result result = box.run(Program.bash("sleep 1000 & echo done"));
            assertThat(result.outcome()).as(told(result)).isEqualTo(new Outcome.Exited(0));
            assertThat(result.stdout().text()).isEqualTo("done\n");
        }
    }

    @Test
    void commandsThatRunTogetherSeeEachOthersFiles() throws Exception {
        String meeting =
                """
                touch $1.here
                until [ -e $2.here ]; do sleep 0.01; done
                echo $1 met $2
                """;
        try (Sandbox box = open(Language.BASH)) {
            Execution a = box.start(Program.bash(meeting).args("a", "b"), chunk -> {});
            Execution b = box.start(Program.bash(meeting).args("b", "a"), chunk -> {});
            assertThat(a.await().stdout().text()).isEqualTo("a met b\n");
            assertThat(b.await().stdout().text()).isEqualTo("b met a\n");
        }
    }

    @Test
    void theEndOfOneCommandDoesNotEndAnotherOfTheSameBox() throws Exception {
        try (Sandbox box = open(Language.BASH)) {
            Execution lasting =
                    box.start(Program.bash("echo up; read -r line; echo $line; exit 5"), c -> {});
            for (int i = 0; i < 5; i++) {
                Result brief = box.run(Program.bash("exit 3"));
                assertThat(brief.outcome()).as(told(brief)).isEqualTo(new Outcome.Exited(3));
            }
            lasting.stdin().write(utf8("still here\n"));
            Result result = lasting.await();
            assertThat(result.outcome()).as(told(result)).isEqualTo(new Outcome.Exited(5));
            assertThat(result.stdout().text()).isEqualTo("up\nstill here\n");
        }
    }

    @Test
    void aCancelEndsEverythingInTheBoxAndSaysSo() throws Exception {
        try (Sandbox box = open(Language.BASH)) {
            Execution one = box.start(Program.bash("touch one; sleep 60"), chunk -> {});
            Execution other = box.start(Program.bash("touch other; sleep 60"), chunk -> {});
            awaitFile(box, "one");
            awaitFile(box, "other");
            one.cancel("enough");
            assertThat(one.await().outcome()).isEqualTo(new Outcome.Cancelled("enough"));
            assertThat(other.await().outcome()).isInstanceOf(Outcome.Cancelled.class);
        }
    }

    @Test
    void manyCommandsRunInOneBoxAtOnce() throws Exception {
        try (Sandbox box = open(Language.BASH);
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Result>> results = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                String name = "file" + i;
                results.add(
                        threads.submit(() ->
                                box.run(
                                        Program.command(
                                                "bash", "-c", "echo x > $0; echo $0", name))));
            }
            for (int i = 0; i < results.size(); i++) {
                Result result = results.get(i).get();
                assertThat(result.stdout().text()).as(told(result)).isEqualTo("file" + i + "\n");
            }
            assertThat(box.files().list("")).extracting(BoxFiles.Entry::path).hasSize(8);
        }
    }

    // Boxes

    @Test
    void aNewBoxIsFresh() {
        try (Sandbox first = open(Language.BASH)) {
            first.run(Program.bash("echo secret > file; echo secret > $TMPDIR/file"));
        }
        try (Sandbox second = open(Language.BASH)) {
            assertThat(second.files().list("")).isEmpty();
            Result result = second.run(Program.bash("ls -A; ls $TMPDIR/file"));
            assertThat(result.stdout().text()).isEqualTo("main.sh\n");
        }
    }

    @Test
    void twoOpenBoxesDoNotShareTheirScratch() {
        try (Sandbox one = open(Language.BASH);
                Sandbox other = open(Language.BASH)) {
            one.run(Program.bash("echo secret > file"));
            assertThat(other.files().list("")).isEmpty();
        }
    }

    @Test
    void aClosedBoxIsGone() {
        Sandbox box = open(Language.BASH);
        BoxFiles kept = box.files();
        kept.write("file", utf8("x"));
        box.close();
        box.close();
        assertThatThrownBy(() -> box.run(Program.bash("true"))).isInstanceOf(BoxGone.class);
        assertThatThrownBy(() -> box.start(Program.bash("true"), chunk -> {}))
                .isInstanceOf(BoxGone.class);
        assertThatThrownBy(box::files).isInstanceOf(BoxGone.class);
    }

    @Test
    void theFilesOfAClosedBoxNeverLeadIntoAnother() {
        Sandbox closed = open();
        BoxFiles kept = closed.files();
        closed.close();
        List<Sandbox> others = new ArrayList<>();
        try {
            // Several, since one of them may well get the descriptors that the closed one had.
            for (int i = 0; i < 8; i++) {
                Sandbox other = open();
                others.add(other);
                other.files().write("file", utf8("of another box"));
            }
            assertThatThrownBy(() -> kept.read("file")).isInstanceOf(BoxGone.class);
            assertThatThrownBy(() -> kept.write("file", utf8("x"))).isInstanceOf(BoxGone.class);
            assertThatThrownBy(() -> kept.list("")).isInstanceOf(BoxGone.class);
            assertThatThrownBy(() -> kept.delete("file")).isInstanceOf(BoxGone.class);
            for (Sandbox other : others) {
                assertThat(other.files().read("file")).isEqualTo(utf8("of another box"));
            }
        } finally {
            others.forEach(Sandbox::close);
        }
    }

    @Test
    void closingABoxCancelsWhatRunsInIt() throws Exception {
        Sandbox box = open(Language.BASH);
        Execution one = box.start(Program.bash("echo up; touch one; sleep 60"), chunk -> {});
        Execution other = box.start(Program.bash("touch other; sleep 60"), chunk -> {});
        awaitFile(box, "one");
        awaitFile(box, "other");
        box.close();
        assertThat(one.done()).isTrue();
        Result result = one.await();
        assertThat(result.outcome()).as(told(result)).isInstanceOf(Outcome.Cancelled.class);
        assertThat(result.stdout().text()).isEqualTo("up\n");
        assertThat(other.await().outcome()).isInstanceOf(Outcome.Cancelled.class);
    }

    @Test
    void boxesAreOpenedAndClosedFromManyThreadsAtOnce() throws Exception {
        has(Language.PYTHON);
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<String>> results = new ArrayList<>();
            for (int i = 0; i < MANY; i++) {
                String number = Integer.toString(i);
                results.add(
                        threads.submit(() -> {
                            try (Sandbox box = open(Language.PYTHON)) {
                                box.files().write("number", utf8(number));
                                Result result =
                                        box.run(Program.python("print(open('number').read())"));
                                return told(result);
                            }
                        }));
            }
            for (int i = 0; i < MANY; i++) {
                assertThat(results.get(i).get(2, TimeUnit.MINUTES))
                        .isEqualTo(new Outcome.Exited(0) + ", stdout: " + i + "\n, stderr: ");
            }
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
