package dev.glovebox.sandbox.wasm;

import java.util.Arrays;
import java.util.Deque;
import org.jspecify.annotations.Nullable;
import run.endive.runtime.Instance;
import run.endive.runtime.InterpreterMachine;
import run.endive.runtime.MStack;
import run.endive.runtime.StackFrame;
import run.endive.wasm.WasmEngineException;
import run.endive.wasm.types.AnnotatedInstruction;
import run.endive.wasm.types.FunctionBody;
import run.endive.wasm.types.FunctionType;

/**
 * An interpreter whose calls have a bounded part of our heap: a function may have fifty thousand
 * locals, as many blocks in each other, leave operands behind, and call itself.
 */
final class BoundedMachine extends InterpreterMachine {

    // In slots of 8 bytes, rounded up.
    private static final long MOST_SLOTS = 2L << 20;
    // So few calls that the thread's own stack is never used up: that could happen anywhere.
    private static final long SLOTS_OF_CALL = 256;
    private static final long SLOTS_OF_LOCAL = 4;
    private static final long SLOTS_OF_BLOCK = 6;

    private long[] sizes = new long[64];
    private long slots;

    BoundedMachine(Instance instance) {
        super(instance);
    }

    @Override
    protected long[] call(
            MStack stack,
            Instance instance,
            Deque<StackFrame> calls,
            int function,
            long[] arguments,
            Object @Nullable [] references,
            @Nullable FunctionType type,
            boolean popResults) {
        long own = size(instance, function) + arguments.length * SLOTS_OF_LOCAL;
        if (slots + own + stack.size() > MOST_SLOTS) {
            throw new WasmEngineException("call stack exhausted");
        }
        slots += own;
        try {
            return super.call(
                    stack, instance, calls, function, arguments, references, type, popResults);
        } finally {
            slots -= own;
        }
    }

    private long size(Instance instance, int function) {
        if (function >= sizes.length) {
            sizes = Arrays.copyOf(sizes, function + function / 2);
        }
        if (sizes[function] == 0) {
            sizes[function] = size(instance.function(function));
        }
        return sizes[function];
    }

    private static long size(@Nullable FunctionBody body) {
        if (body == null) {
            return SLOTS_OF_CALL; // a function of ours
        }
        long blocks = 0;
        for (AnnotatedInstruction instruction : body.instructions()) {
            blocks = Math.max(blocks, instruction.depth());
        }
        return SLOTS_OF_CALL + body.localTypes().size() * SLOTS_OF_LOCAL + blocks * SLOTS_OF_BLOCK;
    }
}
