package dev.glovebox.sandbox.wasm;

import run.endive.runtime.Memory;
import run.endive.runtime.WasmRuntimeException;

/**
 * What follows from reading and writing whole numbers, in memory that one thread has for itself.
 */
interface DerivedAccess extends Memory {

    @Override
    default boolean shared() {
        return false;
    }

    @Override
    default long readU16(int at) {
        return Short.toUnsignedLong(readShort(at));
    }

    @Override
    default void writeF32(int at, float value) {
        writeI32(at, Float.floatToRawIntBits(value));
    }

    @Override
    default long readF32(int at) {
        return readInt(at);
    }

    @Override
    default float readFloat(int at) {
        return Float.intBitsToFloat(readInt(at));
    }

    @Override
    default void writeF64(int at, double value) {
        writeLong(at, Double.doubleToRawLongBits(value));
    }

    @Override
    default long readF64(int at) {
        return readLong(at);
    }

    @Override
    default double readDouble(int at) {
        return Double.longBitsToDouble(readLong(at));
    }

    /** Nobody else is there, so the interface's own atomic operations will do. */
    @Override
    @SuppressWarnings("removal")
    default Object lock(int at) {
        return this;
    }

    @Override
    @SuppressWarnings("removal")
    default int waitOn(int at, int expected, long timeout) {
        throw new WasmRuntimeException("wait on memory that is not shared");
    }

    @Override
    @SuppressWarnings("removal")
    default int waitOn(int at, long expected, long timeout) {
        throw new WasmRuntimeException("wait on memory that is not shared");
    }

    @Override
    @SuppressWarnings("removal")
    default int notify(int at, int most) {
        return 0;
    }
}
