package dev.glovebox.sandbox.wasm;

import java.io.ByteArrayInputStream;
import run.endive.runtime.HostFunction;
import run.endive.runtime.ImportValues;
import run.endive.runtime.Instance;
import run.endive.runtime.TableInstance;
import run.endive.wasm.Parser;
import run.endive.wasm.UnlinkableException;
import run.endive.wasm.WasmModule;
import run.endive.wasm.types.MemorySection;
import run.endive.wasm.types.SectionId;
import run.endive.wasm.types.Table;
import run.endive.wasm.types.TableLimits;

/**
 * A WASI module as a command, interpreted.
 *
 * <p>Interpreted and not compiled: compiling cannot be stopped, and a module can be made so that it
 * takes as long as its maker likes. What a module could have on our heap beside its memory is
 * bounded before and while it runs: its own size, tables, locals and operands.
 */
final class WasiModule {

    private static final int LONGEST_REASON = 200;
    private static final int MOST_TABLES = 4;
    private static final int MOST_ENTRIES = 1 << 18;

    private WasiModule() {}

    /** Runs a module to its end, which is an {@link Unwinding} unless it just returns. */
    static void run(Guest guest, String name, byte[] bytes) {
        ModuleRoom.with(name, bytes, () -> start(guest, name, parse(name, bytes)));
    }

    private static void start(Guest guest, String name, WasmModule module) {
        Instance instance;
        try {
            instance =
                    Instance.builder(module)
                            .withMemoryFactory(guest::memory)
                            .withTableFactory(WasiModule::table)
                            .withMachineFactory(BoundedMachine::new)
                            .withImportValues(
                                    ImportValues.builder()
                                            .addFunction(
                                                    Wasi.functions(guest)
                                                            .toArray(new HostFunction[0]))
                                            .build())
                            .withStart(false)
                            .build();
        } catch (UnlinkableException e) {
            throw new Unwinding.NoProgram(
                    "'" + name + "' needs more than WASI preview 1: " + shortened(e));
        }
        instance.export(Instance.START_FUNCTION_NAME).apply();
    }

    /** A table that cannot grow beyond what we have room for. */
    private static TableInstance table(Table table, int value) {
        TableLimits limits = table.limits();
        return new TableInstance(
                new Table(
                        table.elementType(),
                        new TableLimits(limits.min(), Math.min(limits.max(), MOST_ENTRIES))),
                value);
    }

    static WasmModule parse(String name, byte[] bytes) {
        WasmModule module;
        try {
            module = parser().parse(() -> new ByteArrayInputStream(bytes));
        } catch (RuntimeException | AssertionError e) {
            // Of whatever kind: the parser has not thought of everything that can be in a module.
            throw new Unwinding.NoProgram(
                    "'" + name + "' is no valid WebAssembly module: " + shortened(e));
        }
        String problem = problem(module);
        if (!problem.isEmpty()) {
            throw new Unwinding.NoProgram("'" + name + "' " + problem);
        }
        return module;
    }

    /** One that leaves out custom sections: they are for debuggers, and may claim anything. */
    private static Parser parser() {
        Parser.Builder parser = Parser.builder();
        for (int section = SectionId.TYPE; section <= SectionId.DATA_COUNT; section++) {
            parser.includeSectionId(section);
        }
        return parser.build();
    }

    /**
     * The validator puts together what it thinks of each instruction, and a module names what it
     * needs as it likes.
     */
    private static String shortened(Throwable e) {
        String all = String.valueOf(e.getMessage());
        return all.substring(0, Math.min(all.length(), LONGEST_REASON));
    }

    /** Why a module may not run; empty if nothing speaks against it. */
    private static String problem(WasmModule module) {
        if (module.memorySection().map(MemorySection::memoryCount).orElse(0) > 1) {
            return "has more than one memory";
        }
        int tables = module.tableSection().tableCount();
        for (int i = 0; i < tables; i++) {
            if (module.tableSection().getTable(i).limits().min() > MOST_ENTRIES) {
                return "has a table of more than " + MOST_ENTRIES + " entries";
            }
        }
        if (tables > MOST_TABLES) {
            return "has more than " + MOST_TABLES + " tables";
        }
        boolean command = false;
        for (int i = 0; i < module.exportSection().exportCount(); i++) {
            command |=
                    module.exportSection().getExport(i).name().equals(Instance.START_FUNCTION_NAME);
        }
        return command ? "" : "is no command: it exports no function _start";
    }
}
