package dev.glovebox.sandbox.wasm;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import run.endive.runtime.HostFunction;
import run.endive.runtime.Instance;
import run.endive.wasm.types.FunctionType;
import run.endive.wasm.types.ValType;

/**
 * The functions of WASI preview 1, over a box's own directory and streams.
 *
 * <p>Nothing here touches the host: no path of it, no descriptor, no socket.
 */
final class Wasi {

    static final String MODULE = "wasi_snapshot_preview1";

    private static final int LONGEST_TEXT = 8 * 1024;

    /** A function that answers with an error, or with none by returning. */
    @FunctionalInterface
    interface Call {
        void apply(LinearMemory memory, long[] arguments);
    }

    private final List<HostFunction> functions = new ArrayList<>();

    private final Guest guest;

    private Wasi(Guest guest) {
        this.guest = guest;
    }

    static List<HostFunction> functions(Guest guest) {
        Wasi wasi = new Wasi(guest);
        new WasiProcess(guest).define(wasi);
        new WasiIo(guest).define(wasi);
        new WasiFiles(guest).define(wasi);
        new WasiPaths(guest).define(wasi);
        return wasi.functions;
    }

    /**
     * Adds a function.
     *
     * @param types of its parameters: {@code i} for 32 bits, {@code I} for 64
     */
    void define(String name, String types, Call call) {
        functions.add(
                new HostFunction(
                        MODULE,
                        name,
                        FunctionType.of(types(types), List.of(ValType.I32)),
                        (instance, arguments) -> new long[] {answer(instance, call, arguments)}));
    }

    /** Adds a function that does not come back. */
    void defineEnd(String name, Call call) {
        functions.add(
                new HostFunction(
                        MODULE,
                        name,
                        FunctionType.of(List.of(ValType.I32), List.of()),
                        (instance, arguments) -> {
                            call.apply(memory(instance), arguments);
                            return new long[0];
                        }));
    }

    private static List<ValType> types(String letters) {
        return letters.chars().mapToObj(c -> c == 'I' ? ValType.I64 : ValType.I32).toList();
    }

    private long answer(Instance instance, Call call, long[] arguments) {
        try {
            call.apply(memory(instance), arguments);
            return 0;
        } catch (Errno.Failure e) {
            guest.descriptors().failed(e.errno());
            return e.errno().number();
        }
    }

    private static LinearMemory memory(Instance instance) {
        if (instance.memory() instanceof LinearMemory memory) {
            return memory;
        }
        throw Errno.EFAULT.failure();
    }

    /** A path or name that the program gives. */
    static String text(LinearMemory memory, long at, long length) {
        if (length < 0 || length > LONGEST_TEXT) {
            throw Errno.ENAMETOOLONG.failure();
        }
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(memory.readBytes((int) at, (int) length)))
                    .toString();
        } catch (CharacterCodingException e) {
            throw Errno.EINVAL.failure();
        }
    }
}
