package dev.glovebox.sandbox.docker;

import java.io.Closeable;
import java.io.InputStream;
import java.io.OutputStream;

/** The bytes to and from the holder of a box. */
interface Line extends Closeable {

    /** What the holder says; its end is the end of the holder. */
    InputStream input();

    /** What the holder hears, which never blocks; closing it ends the box. */
    OutputStream output();

    /** What came beside that: nothing, unless the holder failed. */
    String complaints();

    /** Hangs up; never throws, never blocks. */
    @Override
    void close();
}
