package dev.glovebox.sandbox.wasm;

import dev.glovebox.sandbox.Channel;

/** What a program has open. */
sealed interface Descriptor {

    /** Standard input. */
    record Input() implements Descriptor {}

    /** Standard output or error. */
    record Sink(Channel channel) implements Descriptor {}

    /** A folder, which paths can start from. */
    record OpenFolder(Node.Folder folder) implements Descriptor {}

    /** A file, with the place where the next read or write happens. */
    final class OpenFile implements Descriptor {

        private final Node.File file;
        private final boolean readable;
        private final boolean writable;
        private boolean appending;
        private long position;

        OpenFile(Node.File file, boolean readable, boolean writable, boolean appending) {
            this.file = file;
            this.readable = readable;
            this.writable = writable;
            this.appending = appending;
        }

        Node.File file() {
            return file;
        }

        boolean appending() {
            return appending;
        }

        void appending(boolean value) {
            appending = value;
        }

        long position() {
            return position;
        }

        void position(long value) {
            position = value;
        }

        int readAt(long at, byte[] into, int length) {
            if (!readable) {
                throw Errno.EBADF.failure();
            }
            return file.read(at, into, 0, length);
        }

        int writeAt(long at, byte[] from, int length) {
            if (!writable) {
                throw Errno.EBADF.failure();
            }
            return file.write(at, from, 0, length);
        }

        void resize(long length) {
            if (!writable) {
                throw Errno.EBADF.failure();
            }
            file.resize(length);
        }
    }
}
