package dev.glovebox.sandbox.wasm;

import java.util.Arrays;
import run.endive.wasm.types.OpCode;
import run.endive.wasm.types.WasmEncoding;

/**
 * Looks over the code of a module's functions: each instruction must be one that we know how to
 * bound, and what parser and validator will have to do for it is counted.
 *
 * <p>Not among them are vectors, which the interpreter does not have; exceptions and objects of the
 * garbage collector, whose memory is not ours to count; and tail calls, which the interpreter runs
 * without looking whether it was interrupted.
 */
final class CodeScan {

    private static final long HEAP_FOR_INSTRUCTION = 224;
    private static final long HEAP_FOR_BLOCK = 256;
    private static final long HEAP_FOR_LABEL = 128;
    private static final long HEAP_FOR_LOCAL = 16;
    // The validator makes an exception of each operand that does not fit, and goes on.
    private static final long HEAP_FOR_MISTAKE = 512;
    private static final int MOST_LOCALS = 50_000;
    private static final int DEEPEST = 50_000;
    // Steps of the parser that are not in proportion to the code; about a second.
    private static final long MOST_STEPS = 1L << 27;
    private static final int EMPTY = 0x40;

    private final ModuleReader in;
    private final int[] parameters;
    private final int[] results;
    private final int[] functions;
    private final int known;

    // Of each block that is open: how many values a branch to it takes, and its blocks so far.
    private int[] arity = new int[64];
    private int[] inner = new int[64];
    private boolean[] loops = new boolean[64];
    private int depth;

    private long heap;
    private long steps;
    private long instructions;
    private long operands;
    private long mostOperands;

    CodeScan(ModuleReader in, int[] parameters, int[] results, int[] functions, int known) {
        this.in = in;
        this.parameters = parameters;
        this.results = results;
        this.functions = functions;
        this.known = known;
    }

    long heap() {
        return heap + mostOperands * HEAP_FOR_MISTAKE;
    }

    long instructions() {
        return instructions;
    }

    /** Passes over a type of values; there are numbers, and references to what cannot be made. */
    static void valueType(ModuleReader in) {
        plain(in, in.next());
    }

    private static void plain(ModuleReader in, int type) {
        boolean number = type >= 0x7c && type <= 0x7f;
        boolean reference = type == 0x6f || type == 0x70;
        if (!number && !reference) {
            throw in.refused(
                    "uses types of vectors, typed references or the garbage collector, which the wasm tier does not run");
        }
    }

    /** Passes over an expression without effect; says how many instructions it has. */
    static int constant(ModuleReader in) {
        for (int count = 1; ; count++) {
            int code = in.next();
            switch (code) {
                case 0x0b -> {
                    return count;
                }
                case 0x23, 0xd2 -> in.number();
                case 0x41 -> in.signed(false);
                case 0x42 -> in.signed(true);
                case 0x43 -> in.skip(Float.BYTES);
                case 0x44 -> in.skip(Double.BYTES);
                case 0x6a, 0x6b, 0x6c, 0x7c, 0x7d, 0x7e -> {}
                case 0xd0 -> valueType(in);
                default -> throw in.odd("what should be constant is not");
            }
        }
    }

    /** Passes over the locals and the code of a function. */
    void function(int type) {
        int end = in.end();
        locals();
        depth = 0;
        operands = 0;
        open(results[type], false);
        while (depth > 0) {
            instruction();
            if (in.at() > end) {
                throw in.odd("a function is longer than it says");
            }
        }
        if (in.at() != end) {
            throw in.odd("a function is shorter than it says");
        }
        mostOperands = Math.max(mostOperands, operands);
    }

    private void locals() {
        long sum = 0;
        for (int groups = in.count(); groups > 0; groups--) {
            sum += in.number();
            valueType(in);
        }
        if (sum > MOST_LOCALS) {
            throw in.refused("has a function of more than " + MOST_LOCALS + " locals");
        }
        heap += sum * HEAP_FOR_LOCAL;
    }

    private void open(int values, boolean loop) {
        if (depth == DEEPEST) {
            throw in.refused("has more than " + DEEPEST + " blocks in each other");
        }
        if (depth == arity.length) {
            arity = Arrays.copyOf(arity, depth * 2);
            inner = Arrays.copyOf(inner, depth * 2);
            loops = Arrays.copyOf(loops, depth * 2);
        }
        heap += HEAP_FOR_BLOCK;
        arity[depth] = values;
        inner[depth] = 0;
        loops[depth] = loop;
        depth++;
    }

    private void instruction() {
        int code = in.next();
        instructions++;
        operands += takesNone(code) ? 0 : 2;
        heap += HEAP_FOR_INSTRUCTION;
        switch (code) {
            case 0x02, 0x03, 0x04 -> block(code == 0x03);
            case 0x05 -> step(arity[depth - 1]);
            case 0x0b -> close();
            case 0x0c, 0x0d -> label();
            case 0x0e -> {
                for (int labels = in.count(); labels >= 0; labels--) {
                    heap += HEAP_FOR_LABEL;
                    label();
                }
            }
            case 0x0f -> step(arity[0]);
            case 0x10 -> call(functions[in.index(known)]);
            case 0x11 -> {
                call(in.index(parameters.length));
                in.number();
            }
            case 0xd0 -> valueType(in);
            case 0xfc, 0xfe -> more(code);
            default -> {
                if (!known(code)) {
                    throw unknown(code);
                }
                immediates(code);
            }
        }
    }

    /** Most instructions of a real program are such: constants, and reading locals. */
    private static boolean takesNone(int code) {
        return code <= 0x03 || code == 0x20 || code == 0x23 || (code >= 0x41 && code <= 0x44);
    }

    private static boolean known(int code) {
        return code <= 0x01
                || (code >= 0x1a && code <= 0x1c)
                || (code >= 0x20 && code <= 0x26)
                || (code >= 0x28 && code <= 0xc4)
                || (code >= 0xd1 && code <= 0xd2);
    }

    private Unwinding.NoProgram unknown(int code) {
        return in.refused(
                "uses instruction 0x%x: vectors, tail calls, exceptions and objects of the garbage collector are not run"
                        .formatted(code));
    }

    /** Instructions of two parts: bulk memory and saturating conversions, atomic access. */
    private void more(int prefix) {
        long part = in.number();
        boolean atomic = prefix == 0xfe && (part <= 0x03 || (part >= 0x10 && part <= 0x4e));
        if (!atomic && !(prefix == 0xfc && part <= 0x11)) {
            throw unknown(prefix << 8 | (int) (part & 0xff));
        }
        immediates(prefix << 8 | (int) part);
    }

    /** What follows an instruction, from the table that the parser itself goes by. */
    private void immediates(int code) {
        for (WasmEncoding part : OpCode.signature(OpCode.byOpCode(code))) {
            switch (part) {
                case BYTE -> in.next();
                case VARUINT -> in.number();
                case VARSINT32 -> in.signed(false);
                case VARSINT64 -> in.signed(true);
                case FLOAT32 -> in.skip(Float.BYTES);
                case FLOAT64 -> in.skip(Double.BYTES);
                case VEC_VALUE_TYPE -> {
                    for (int types = in.count(); types > 0; types--) {
                        valueType(in);
                    }
                }
                case MEMARG -> {
                    if (in.number() >= 0x40) {
                        throw in.refused("has more than one memory");
                    }
                    in.number();
                }
                case BLOCK_TYPE, VEC_VARUINT, VEC_CATCH, V128 -> throw unknown(code);
            }
        }
    }

    private void block(boolean loop) {
        int before = in.at();
        int type = in.next();
        inner[depth - 1]++;
        if (type >= EMPTY && type < 0x80) {
            if (type != EMPTY) {
                plain(in, type);
            }
            open(type == EMPTY || loop ? 0 : 1, loop);
        } else {
            in.back(before);
            int index = in.index(parameters.length);
            call(index);
            open(loop ? parameters[index] : results[index], loop);
        }
    }

    /** The parser goes through all its elder siblings at the end of a loop. */
    private void close() {
        depth--;
        step(arity[depth]);
        if (depth > 0 && loops[depth]) {
            step(inner[depth - 1]);
        }
    }

    /** The parser goes up block by block, and the validator moves all values. */
    private void label() {
        int up = in.index(depth);
        step(up);
        step(arity[depth - 1 - up]);
        operands += arity[depth - 1 - up];
    }

    private void call(int type) {
        step(parameters[type]);
        step(results[type]);
        operands += parameters[type] + results[type];
    }

    private void step(int count) {
        steps += count;
        if (steps > MOST_STEPS) {
            throw in.refused("is made so that it takes too long to load");
        }
    }
}
