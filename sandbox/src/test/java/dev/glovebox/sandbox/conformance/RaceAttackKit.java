package dev.glovebox.sandbox.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.glovebox.sandbox.BoxFiles;
import dev.glovebox.sandbox.Execution;
import dev.glovebox.sandbox.FileRefused;
import dev.glovebox.sandbox.Language;
import dev.glovebox.sandbox.Program;
import dev.glovebox.sandbox.Sandbox;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A program that swaps files for links while they are used gains nothing by it. */
public abstract class RaceAttackKit extends FileAttackKit {

    private static final int ROUNDS = 2_000;

    /**
     * Makes {@code x} and {@code d} in turn harmless and links to the secret, until it is ended.
     */
    private static final String SWAPPING =
            """
            import os, shutil
            safe = os.environ['SAFE']
            def prepare():
                if not os.path.isdir('d1'):
                    os.mkdir('d1')
                    open('d1/file', 'w').write('harmless')
                if not os.path.lexists('d2'):
                    os.symlink(safe, 'd2')
            def tried(step, *arguments):
                try:
                    step(*arguments)
                except OSError:
                    pass
            # What the other side has made in our way goes.
            def clear():
                if os.path.isdir('d') and not os.path.islink('d'):
                    shutil.rmtree('d', ignore_errors=True)
            prepare()
            open('ready', 'w')
            while True:
                tried(os.symlink, safe + '/file', 'l')
                tried(os.rename, 'l', 'x')
                tried(os.rename, 'd1', 'd')
                tried(os.rename, 'd', 'd1')
                tried(lambda: open('r', 'w').write('harmless'))
                tried(os.rename, 'r', 'x')
                clear()
                tried(os.rename, 'd2', 'd')
                tried(os.rename, 'd', 'd2')
                clear()
                tried(prepare)
            """;

    private interface Step {
        Optional<byte[]> on(BoxFiles files) throws IOException;
    }

    @Test
    void aSwappedFileIsNeverReadAsTheSecret() throws Exception {
        race(files -> Optional.of(files.read("x")));
    }

    @Test
    void aFileInASwappedDirectoryIsNeverReadAsTheSecret() throws Exception {
        race(files -> Optional.of(files.read("d/file")));
    }

    @Test
    void aSwappedFileIsNeverWrittenThrough() throws Exception {
        race(files -> {
            files.write("x", utf8("harmless"));
            return Optional.empty();
        });
    }

    @Test
    void aFileInASwappedDirectoryIsNeverWrittenThrough() throws Exception {
        race(files -> {
            files.write("d/file", utf8("harmless"));
            return Optional.empty();
        });
    }

    @Test
    void aTreeWithSwappedDirectoriesNeverHoldsTheSecret() throws Exception {
        race(files -> Optional.of(utf8(tree(files, "d"))));
    }

    private void race(Step step) throws Exception {
        try (Sandbox box =
                open(
                        policy().wall(Duration.ofMinutes(1)).cpuTime(Duration.ofMinutes(1)),
                        Language.PYTHON)) {
            Execution swapping =
                    box.start(
                            Program.python(SWAPPING).env("SAFE", host.resolve("safe").toString()),
                            chunk -> {});
            while (box.files().list("").stream().noneMatch(one -> one.path().equals("ready"))) {
                Thread.onSpinWait();
            }
            int done = 0;
            int refused = 0;
            // Until both sides of the swap were met, which proves that the race was on.
            for (int i = 0; i < ROUNDS || ((done == 0 || refused == 0) && !swapping.done()); i++) {
                try {
                    Optional<byte[]> read = step.on(box.files());
                    read.ifPresent(bytes ->
                            assertThat(new String(bytes, StandardCharsets.UTF_8))
                                    .doesNotContain(secret));
                    done++;
                } catch (FileRefused e) {
                    refused++;
                }
            }
            assertThat(swapping.done()).as("the attack has ended early").isFalse();
            assertThat(done).isPositive();
            assertThat(refused).isPositive();
        }
    }
}
