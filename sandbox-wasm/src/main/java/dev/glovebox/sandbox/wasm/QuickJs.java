package dev.glovebox.sandbox.wasm;

import io.roastedroot.quickjs4j.core.JavyPluginModule;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.function.Function;
import run.endive.runtime.HostFunction;
import run.endive.runtime.ImportValues;
import run.endive.runtime.Instance;
import run.endive.runtime.Memory;
import run.endive.runtime.WasmRuntimeException;
import run.endive.wasm.WasmEngineException;
import run.endive.wasm.types.MemoryLimits;

/**
 * The JavaScript engine, started once and kept as an image of its memory.
 *
 * <p>Each program gets an engine of its own that starts from a copy of the image, so it is fresh
 * and there at once; nothing a program does is ever seen by another.
 *
 * @param ahead engines that are about to run their first program
 * @param stack where the engine's stack was then; the only state outside of its memory
 * @param step where in the image the code is that runs the program, or its next timer
 */
record QuickJs(EnginesAhead ahead, long stack, int step, int stepSize) {

    private static final String STEP = "globalThis[Symbol.for('glovebox.step')]()";

    /** Started by the first program, or ahead of it. */
    private static final class Ready {
        static final QuickJs ENGINE = startAside();
    }

    /** On a thread that nobody interrupts: an engine that failed once would have failed for all. */
    private static QuickJs startAside() {
        FutureTask<QuickJs> starting = new FutureTask<>(QuickJs::start);
        Thread.ofPlatform().daemon().name("glovebox-wasm-start").start(starting);
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return starting.get();
                } catch (InterruptedException e) {
                    interrupted = true;
                } catch (ExecutionException e) {
                    throw new IllegalStateException("The engine did not start", e.getCause());
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    static QuickJs engine() {
        return Ready.ENGINE;
    }

    private static QuickJs start() {
        Guest nobody = Nobody.guest();
        Instance instance = instance(nobody, new JsHost(nobody, new byte[0]), nobody::memory);
        try (LinearMemory memory = (LinearMemory) instance.memory()) {
            instance.export("initialize_runtime").apply();
            int glue = compile(instance, glue());
            evaluate(instance, memory.readInt(glue), memory.readInt(glue + Integer.BYTES));
            int step = compile(instance, STEP.getBytes(StandardCharsets.UTF_8));
            return new QuickJs(
                    new EnginesAhead(memory.image()),
                    instance.global(0).getValue(),
                    memory.readInt(step),
                    memory.readInt(step + Integer.BYTES));
        }
    }

    private static byte[] glue() {
        try (InputStream in = QuickJs.class.getResourceAsStream("glue.js")) {
            if (in == null) {
                throw new IllegalStateException("glue.js is missing from the jar");
            }
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Instance instance(
            Guest guest, JsHost host, Function<MemoryLimits, Memory> memory) {
        List<HostFunction> functions = Wasi.functions(guest);
        return Instance.builder(JavyPluginModule.load())
                .withMemoryFactory(memory)
                .withMachineFactory(JavyPluginModule::create)
                .withImportValues(
                        ImportValues.builder()
                                .addFunction(functions.toArray(new HostFunction[0]))
                                .addFunction(host.function())
                                .build())
                .withStart(false)
                .build();
    }

    /** Runs a program to its end, which is an {@link Unwinding}. */
    void run(Guest guest, byte[] source) {
        JsHost host = new JsHost(guest, source);
        Instance instance = instance(guest, host, limits -> guest.memory(limits, ahead));
        instance.global(0).setValue(stack);
        while (true) {
            try {
                evaluate(instance, step, stepSize);
            } catch (WasmRuntimeException e) {
                // Its stack lies at address 0, and it does not look before it recurses.
                throw new WasmEngineException("call stack exhausted", e);
            }
            host.sleep();
        }
    }

    static int allocate(Instance instance, int size) {
        return (int) instance.export("cabi_realloc").apply(0, 0, 1, size)[0];
    }

    private static int compile(Instance instance, byte[] source) {
        int at = allocate(instance, source.length);
        instance.memory().write(at, source);
        return (int) instance.export("compileSrc").apply(at, source.length)[0];
    }

    private static void evaluate(Instance instance, int code, int size) {
        instance.export("eval").apply(code, size, 0, 0);
    }
}
