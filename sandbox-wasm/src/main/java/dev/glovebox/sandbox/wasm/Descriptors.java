package dev.glovebox.sandbox.wasm;

import dev.glovebox.sandbox.Channel;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A program's open files: the three streams, the box's directory, and what it opens itself. */
final class Descriptors {

    static final int ROOT = 3;

    private static final int NONE = -1;
    private static final int STDERR = 2;

    private final Tree tree;
    private final int limit;
    private final List<@Nullable Descriptor> open = new ArrayList<>();
    private int standIn = NONE;
    private Errno failure = Errno.EINVAL;

    Descriptors(Tree tree, int limit) {
        this.tree = tree;
        this.limit = limit;
        open.add(new Descriptor.Input());
        open.add(new Descriptor.Sink(Channel.STDOUT));
        open.add(new Descriptor.Sink(Channel.STDERR));
        open.add(new Descriptor.OpenFolder(tree.root()));
    }

    int limit() {
        return limit;
    }

    /** Lets a file be read and written in place of standard input and output; -1 for none. */
    void standIn(int number) {
        standIn = number == NONE ? NONE : check(number);
    }

    private int check(int number) {
        get(number);
        return number;
    }

    /** What the last error was, for who hears only that there was one. */
    Errno lastFailure() {
        return failure;
    }

    void failed(Errno errno) {
        failure = errno;
    }

    /** What a stream is at the moment: itself, or the file that stands in for it. */
    Descriptor stream(int number) {
        return get(standIn != NONE && number >= 0 && number < STDERR ? standIn : number);
    }

    Descriptor get(int number) {
        Descriptor found = number >= 0 && number < open.size() ? open.get(number) : null;
        if (found == null) {
            throw Errno.EBADF.failure();
        }
        return found;
    }

    Node.Folder folder(int number) {
        return switch (get(number)) {
            case Descriptor.OpenFolder(Node.Folder folder) -> folder;
            case Descriptor.Input input -> throw Errno.ENOTDIR.failure();
            case Descriptor.Sink sink -> throw Errno.ENOTDIR.failure();
            case Descriptor.OpenFile file -> throw Errno.ENOTDIR.failure();
        };
    }

    Descriptor.OpenFile file(int number) {
        return switch (get(number)) {
            case Descriptor.OpenFile file -> file;
            case Descriptor.OpenFolder folder -> throw Errno.EISDIR.failure();
            case Descriptor.Input input -> throw Errno.ESPIPE.failure();
            case Descriptor.Sink sink -> throw Errno.ESPIPE.failure();
        };
    }

    /** Fails before anything was made if there is no number left. */
    void reserve() {
        if (open.size() >= limit && !open.contains(null)) {
            throw Errno.EMFILE.failure();
        }
    }

    int add(Descriptor descriptor) {
        reserve();
        if (descriptor instanceof Descriptor.OpenFile file) {
            tree.run(file.file()::open);
        }
        int free = open.indexOf(null);
        if (free >= 0) {
            open.set(free, descriptor);
            return free;
        }
        open.add(descriptor);
        return open.size() - 1;
    }

    void close(int number) {
        if (get(number) instanceof Descriptor.OpenFile file) {
            tree.run(file.file()::close);
        }
        open.set(number, null);
    }

    void move(int from, int to) {
        Descriptor moved = get(from);
        get(to);
        if (from != to) {
            close(to);
            open.set(to, moved);
            open.set(from, null);
        }
    }

    void closeAll() {
        for (int number = 0; number < open.size(); number++) {
            if (open.get(number) != null) {
                close(number);
            }
        }
    }
}
