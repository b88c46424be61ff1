package dev.glovebox.sandbox.wasm;

import java.util.Arrays;
import java.util.List;

/**
 * Looks over a module before the parser sees it.
 *
 * <p>The parser cannot be interrupted and believes what it reads: ten bytes make it allocate
 * gigabytes, a megabyte of loops keeps it busy for minutes. So every byte is looked at here first,
 * in one pass that allocates next to nothing: what is not plain WebAssembly is refused, and what
 * parser and validator will take of our heap and time is counted. Where a count is not exact, it is
 * too high.
 */
final class ModuleScan {

    // Measured with Endive on modules of nothing else, and rounded up.
    private static final long HEAP_FOR_ITEM = 512;
    private static final long HEAP_FOR_ENTRY = 256;
    private static final long HEAP_FOR_BYTE = 3;
    // The limits that browsers have.
    private static final int MOST_TYPES = 1_000_000;
    private static final int MOST_FUNCTIONS = 1_000_000;
    private static final int MOST_VALUES = 1000;

    private static final List<Integer> HEADER = List.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0);
    private static final int CUSTOM = 0;
    private static final int TAGS = 13;
    // As they must follow each other: the number of tables was given away before that of tags.
    private static final List<Integer> ORDER = List.of(1, 2, 3, 4, 5, TAGS, 6, 7, 8, 9, 12, 10, 11);
    private static final int FUNCTION = 0x60;
    private static final int REFERENCES = 0x70;
    private static final int KINDS_OF_EXPORT = 4;

    private final ModuleReader in;
    private int[] parameters = new int[0];
    private int[] results = new int[0];
    private int[] functions = new int[0];
    private int known;
    private int imported;
    private long heap;
    private long instructions;

    private ModuleScan(ModuleReader in) {
        this.in = in;
    }

    /**
     * What a module takes before it runs.
     *
     * @param heap about how many bytes of our heap, at most
     * @param instructions of all its functions
     */
    record Weight(long heap, long instructions) {}

    static Weight weigh(String name, byte[] module) {
        return new ModuleScan(new ModuleReader(name, module)).scan();
    }

    private Weight scan() {
        for (int expected : HEADER) {
            if (in.next() != expected) {
                throw in.odd("it does not start as one");
            }
        }
        int before = -1;
        while (in.more()) {
            int kind = in.next();
            int end = in.end();
            if (kind == CUSTOM) {
                heap += HEAP_FOR_BYTE; // they are not parsed
                in.skip(end - in.at());
                continue;
            }
            if (ORDER.indexOf(kind) <= before) {
                throw in.odd("its sections are not in order");
            }
            before = ORDER.indexOf(kind);
            section(kind);
            if (in.at() != end) {
                throw in.odd("a section is not as long as it says");
            }
        }
        return new Weight(heap, instructions);
    }

    private void section(int kind) {
        switch (kind) {
            case 1 -> types();
            case 2 -> each(this::imported);
            case 3 -> functions();
            case 4 -> each(this::table);
            case 5 -> each(this::limits);
            case 6 -> each(this::global);
            case 7 -> each(this::exported);
            case 8, 12 -> in.number();
            case 9 -> each(this::element);
            case 10 -> code();
            case 11 -> each(this::data);
            default -> throw in.refused("uses exceptions, whose memory cannot be bounded");
        }
    }

    private void each(Runnable item) {
        int count = in.count();
        heap += count * HEAP_FOR_ITEM;
        for (int i = 0; i < count; i++) {
            item.run();
        }
    }

    private void types() {
        int count = in.count();
        if (count > MOST_TYPES) {
            throw in.refused("has too many types");
        }
        parameters = new int[count];
        results = new int[count];
        heap += count * HEAP_FOR_ITEM;
        for (int i = 0; i < count; i++) {
            if (in.next() != FUNCTION) {
                throw in.refused(
                        "uses types of the garbage collector, whose memory cannot be bounded");
            }
            parameters[i] = values();
            results[i] = values();
        }
    }

    private int values() {
        int count = in.count();
        if (count > MOST_VALUES) {
            throw in.refused("has a function of more than " + MOST_VALUES + " values");
        }
        heap += count * HEAP_FOR_ENTRY;
        for (int i = 0; i < count; i++) {
            CodeScan.valueType(in);
        }
        return count;
    }

    private void imported() {
        in.text();
        in.text();
        if (in.next() != 0) {
            throw in.refused("needs more than WASI preview 1: it imports more than functions");
        }
        addFunction();
        imported++;
    }

    private void functions() {
        int count = in.count();
        heap += count * HEAP_FOR_ITEM;
        for (int i = 0; i < count; i++) {
            addFunction();
        }
    }

    private void addFunction() {
        if (known == functions.length) {
            if (known >= MOST_FUNCTIONS) {
                throw in.refused("has too many functions");
            }
            functions = Arrays.copyOf(functions, Math.max(64, known * 2));
        }
        functions[known++] = in.index(parameters.length);
    }

    private void table() {
        reference();
        limits();
    }

    private void reference() {
        int type = in.next();
        if (type != REFERENCES && type != REFERENCES - 1) {
            throw in.refused("has tables or elements of other than plain references");
        }
    }

    private void limits() {
        int kind = in.next();
        if (kind != 0 && kind != 1 && kind != 3) {
            throw in.odd("a limit is of no known kind");
        }
        in.number();
        if (kind != 0) {
            in.number();
        }
    }

    private void global() {
        CodeScan.valueType(in);
        in.next();
        constant();
    }

    private void exported() {
        in.text();
        in.index(KINDS_OF_EXPORT);
        in.number();
    }

    private void constant() {
        heap += CodeScan.constant(in) * HEAP_FOR_ENTRY;
    }

    /** The eight ways to write them differ in what is said and what goes without saying. */
    private void element() {
        int way = in.index(8);
        boolean active = (way & 1) == 0;
        boolean expressions = (way & 4) != 0;
        if (active) {
            if ((way & 2) != 0) {
                in.number();
            }
            constant();
        }
        if ((way & 3) != 0) {
            if (expressions) {
                reference();
            } else if (in.next() != 0) {
                throw in.odd("an element is of no known kind");
            }
        }
        int count = in.count();
        heap += count * HEAP_FOR_ENTRY;
        for (int i = 0; i < count; i++) {
            if (expressions) {
                constant();
            } else {
                in.number();
            }
        }
    }

    private void code() {
        if (in.count() != known - imported) {
            throw in.odd("its functions and their code differ in number");
        }
        CodeScan scan = new CodeScan(in, parameters, results, functions, known);
        for (int i = imported; i < known; i++) {
            heap += HEAP_FOR_ITEM;
            scan.function(functions[i]);
        }
        heap += scan.heap();
        instructions = scan.instructions();
    }

    private void data() {
        int way = in.index(3);
        if (way == 2) {
            in.number();
        }
        if (way != 1) {
            constant();
        }
        int size = in.count();
        heap += size * HEAP_FOR_BYTE;
        in.skip(size);
    }
}
