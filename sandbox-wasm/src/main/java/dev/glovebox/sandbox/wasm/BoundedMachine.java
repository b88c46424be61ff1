package dev.glovebox.sandbox.wasm;

import java.util.Deque;
import org.jspecify.annotations.Nullable;
import run.endive.runtime.Instance;
import run.endive.runtime.InterpreterMachine;
import run.endive.runtime.MStack;
import run.endive.runtime.StackFrame;
import run.endive.wasm.WasmEngineException;
import run.endive.wasm.types.FunctionBody;
import run.endive.wasm.types.FunctionType;

/**
 * An interpreter whose calls have a bounded part of our heap: a function may have fifty thousand
 * locals, leave as many operands behind, and call itself.
 */
final class BoundedMachine extends InterpreterMachine {

    private static final long MOST_SLOTS = 1L << 20;
    // Of the objects that a call is made of, beside its locals.
    private static final long SLOTS_OF_CALL = 32;

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
        FunctionBody body = instance.function(function);
        long own = SLOTS_OF_CALL + (body == null ? 0 : body.localTypes().size());
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
}
