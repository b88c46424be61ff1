package dev.glovebox.sandbox.wasm;

import static dev.glovebox.sandbox.Bytes.mebibytes;

import dev.glovebox.sandbox.Limit;
import dev.glovebox.sandbox.Outcome;
import dev.glovebox.sandbox.Policy;
import dev.glovebox.sandbox.Program;
import dev.glovebox.sandbox.Result;
import dev.glovebox.sandbox.Sandbox;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/** Greedy programs, one after the other, in a JVM whose heap has no room for any of them. */
final class SmallHeap {

    private static final Policy POLICY =
            Policy.denyAll().wall(Duration.ofMinutes(1)).memory(mebibytes(64)).disk(mebibytes(32));

    private static final long MOST_KIBIBYTES = 600 * 1024;

    private SmallHeap() {}

    /** Runs as many rounds as the first word says; anything unexpected ends the JVM with 1. */
    public static void main(String[] words) throws IOException {
        int rounds = Integer.parseInt(words[0]);
        for (int i = 0; i < rounds; i++) {
            switch (i % 5) {
                case 0 -> expect(run(js("new Uint8Array(40 << 20).fill(1); console.log('x')")), 0);
                case 1 ->
                        expect(
                                run(
                                        js(
                                                "const fs = require('fs'); const some = new Uint8Array(1 << 20);"
                                                        + " for (let i = 0; i < 24; i++) fs.appendFileSync('f', some)")),
                                0);
                case 2 -> {
                    Result result =
                            run(js("const all = []; for (;;) all.push(new Uint8Array(1 << 20))"));
                    boolean held =
                            result.outcome()
                                            instanceof Outcome.LimitHit(Limit limit, long v, long p)
                                    && limit == Limit.MEMORY
                                    && v < p;
                    if (!held) {
                        throw new AssertionError(result.outcome() + " " + result.stderr().text());
                    }
                }
                case 3 -> expect(run(js("console.log(typeof left); globalThis.left = 1")), 0);
                default -> expect(run(recursion()), 134);
            }
        }
        checkMemory();
    }

    /**
     * The memory of programs is not on the heap, so the system is asked as well, where it tells.
     */
    private static void checkMemory() throws IOException {
        Path status = Path.of("/proc/self/status");
        if (Files.exists(status)) {
            for (String line : Files.readAllLines(status)) {
                if (line.startsWith("VmHWM:")
                        && Long.parseLong(line.replaceAll("\\D", "")) > MOST_KIBIBYTES) {
                    throw new AssertionError("More memory than a few programs need: " + line);
                }
            }
        }
    }

    private static Program js(String source) {
        return Program.javascript(source);
    }

    private static Program recursion() {
        return Program.command("deep.wasm")
                .input("deep.wasm", new ModuleBytes().locals(10_000).callSelf().bytes());
    }

    private static Result run(Program program) {
        try (Sandbox box = WasmWall.TIER.open(POLICY)) {
            return box.run(program);
        }
    }

    private static void expect(Result result, int code) {
        if (!result.outcome().equals(new Outcome.Exited(code))) {
            throw new AssertionError(result.outcome() + " " + result.stderr().text());
        }
    }
}
