package dev.glovebox.sandbox.wasm;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Puts WebAssembly modules together, byte by byte: WASI commands to try the tier with. */
final class ModuleBytes {

    static final int UNREACHABLE = 0x00;
    static final int LOOP = 0x03;
    static final int BR = 0x0c;
    static final int CALL = 0x10;
    static final int DROP = 0x1a;
    static final int GROW = 0x40;
    static final int EMPTY = 0x40;
    static final int END = 0x0b;
    private static final int I32 = 0x7f;
    private static final int I64 = 0x7e;

    private final List<byte[]> types = new ArrayList<>();
    private final List<byte[]> imports = new ArrayList<>();
    private final List<byte[]> data = new ArrayList<>();
    private final Map<Integer, byte[]> raw = new HashMap<>();
    private final ByteArrayOutputStream code = new ByteArrayOutputStream();
    private byte[] table = new byte[0];
    private int locals;
    private int pages = 1;
    private String start = "_start";

    ModuleBytes() {
        types.add(new byte[] {0x60, 0, 0});
    }

    /** Imports a function of WASI that answers with an error; its number is the call's. */
    ModuleBytes imports(String name, String parameters) {
        return imports(Wasi.MODULE, name, parameters, true);
    }

    ModuleBytes imports(String module, String name, String parameters, boolean answers) {
        ByteArrayOutputStream type = new ByteArrayOutputStream();
        type.write(0x60);
        type.write(parameters.length());
        parameters.chars().forEach(c -> type.write(c == 'I' ? I64 : I32));
        type.write(answers ? 1 : 0);
        if (answers) {
            type.write(I32);
        }
        types.add(type.toByteArray());
        imports.add(concat(text(module), text(name), new byte[] {0}, number(types.size() - 1)));
        return this;
    }

    ModuleBytes start(String name) {
        start = name;
        return this;
    }

    ModuleBytes pages(int count) {
        pages = count;
        return this;
    }

    ModuleBytes locals(int count) {
        locals = count;
        return this;
    }

    ModuleBytes table(long size) {
        table = concat(new byte[] {1, 0x70, 0}, number(size));
        return this;
    }

    ModuleBytes type(int... bytes) {
        types.add(bytes(bytes));
        return this;
    }

    ModuleBytes data(int at, byte[] bytes) {
        data.add(
                concat(
                        new byte[] {0, 0x41},
                        signed(at),
                        new byte[] {END},
                        number(bytes.length),
                        bytes));
        return this;
    }

    ModuleBytes data(int at, String text) {
        return data(at, text.getBytes(StandardCharsets.UTF_8));
    }

    ModuleBytes op(int... bytes) {
        code.writeBytes(bytes(bytes));
        return this;
    }

    ModuleBytes i32(int value) {
        code.write(0x41);
        code.writeBytes(signed(value));
        return this;
    }

    ModuleBytes i64(long value) {
        code.write(0x42);
        code.writeBytes(signed(value));
        return this;
    }

    ModuleBytes index(int value) {
        code.writeBytes(number(value));
        return this;
    }

    /** Puts other bytes in place of a whole section. */
    ModuleBytes raw(int section, int... content) {
        raw.put(section, concat(bytes(section), number(content.length), bytes(content)));
        return this;
    }

    /** Calls an imported function with small numbers and drops its answer. */
    ModuleBytes call(int function, int... arguments) {
        for (int argument : arguments) {
            i32(argument);
        }
        return op(CALL, function, DROP);
    }

    /** Calls itself, which is the only function that is not imported. */
    ModuleBytes callSelf() {
        return op(CALL, imports.size());
    }

    byte[] bytes() {
        byte[] body =
                concat(
                        locals == 0
                                ? new byte[] {0}
                                : concat(new byte[] {1}, number(locals), bytes(I32)),
                        code.toByteArray(),
                        new byte[] {END});
        byte[] none = new byte[0];
        Map<Integer, byte[]> sections = new TreeMap<>();
        sections.put(1, section(1, types));
        sections.put(2, section(2, imports));
        sections.put(3, section(3, List.of(new byte[] {0})));
        sections.put(4, table.length == 0 ? none : concat(bytes(4), number(table.length), table));
        sections.put(5, section(5, List.of(concat(new byte[] {0}, number(pages)))));
        sections.put(
                7,
                section(
                        7,
                        List.of(
                                concat(text("memory"), new byte[] {2, 0}),
                                concat(text(start), new byte[] {0}, number(imports.size())))));
        sections.put(10, section(10, List.of(concat(number(body.length), body))));
        sections.put(11, data.isEmpty() ? none : section(11, data));
        sections.putAll(raw);
        return concat(
                bytes(0, 'a', 's', 'm', 1, 0, 0, 0),
                concat(sections.values().toArray(byte[][]::new)));
    }

    private static byte[] section(int kind, List<byte[]> items) {
        byte[] content = concat(number(items.size()), concat(items.toArray(byte[][]::new)));
        return concat(bytes(kind), number(content.length), content);
    }

    private static byte[] text(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        return concat(number(bytes.length), bytes);
    }

    private static byte[] number(long value) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        long rest = value;
        do {
            out.write((int) (rest & 0x7f) | (rest > 0x7f ? 0x80 : 0));
            rest >>>= 7;
        } while (rest != 0);
        return out.toByteArray();
    }

    private static byte[] signed(long value) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        long rest = value;
        while (rest < -0x40 || rest > 0x3f) {
            out.write((int) (rest & 0x7f) | 0x80);
            rest >>= 7;
        }
        out.write((int) rest & 0x7f);
        return out.toByteArray();
    }

    private static byte[] bytes(int... values) {
        byte[] bytes = new byte[values.length];
        for (int i = 0; i < values.length; i++) {
            bytes[i] = (byte) values[i];
        }
        return bytes;
    }

    private static byte[] concat(byte[]... parts) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            out.writeBytes(part);
        }
        return out.toByteArray();
    }
}
