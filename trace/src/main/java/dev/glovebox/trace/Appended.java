package dev.glovebox.trace;

import java.util.AbstractList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.RandomAccess;

/**
 * A list that nobody can change. A longer one that is made of it shares its elements, so that a
 * conversation, which grows at its end, is not copied again and again.
 */
public final class Appended<E> extends AbstractList<E> implements RandomAccess {

    private static final int FIRST_ROOM = 16;

    private final Shared shared;
    private final int size;

    private Appended(Shared shared, int size) {
        this.shared = shared;
        this.size = size;
    }

    /** The elements of all lists that were made of each other; only ever added to. */
    private static final class Shared {
        private final Object[] elements;
        private int used;

        private Shared(Object[] elements, int used) {
            this.elements = elements;
            this.used = used;
        }
    }

    /**
     * The same elements; the very list, if it is one of these.
     *
     * @throws NullPointerException if one of them is null
     */
    @SuppressWarnings("unchecked") // It can only be read.
    public static <E> Appended<E> copyOf(Collection<? extends E> elements) {
        return elements instanceof Appended<?> known
                ? (Appended<E>) known
                : new Appended<E>(new Shared(new Object[0], 0), 0).plus(List.copyOf(elements));
    }

    /** These elements, and more behind them. */
    public Appended<E> plus(List<? extends E> more) {
        if (more.isEmpty()) {
            return this;
        }
        int longer = Math.addExact(size, more.size());
        synchronized (shared) {
            if (shared.used == size && longer <= shared.elements.length) {
                for (int i = 0; i < more.size(); i++) {
                    shared.elements[size + i] = Objects.requireNonNull(more.get(i));
                }
                shared.used = longer;
                return new Appended<>(shared, longer);
            }
        }
        int room = Math.max(FIRST_ROOM, longer + (longer >> 1));
        Appended<E> moved =
                new Appended<>(new Shared(Arrays.copyOf(shared.elements, room), size), size);
        return moved.plus(more);
    }

    /** Whether it is known, without a look at the elements, that this one begins like another. */
    public boolean continues(List<?> other) {
        return other instanceof Appended<?> before
                && before.shared == shared
                && before.size <= size;
    }

    @Override
    @SuppressWarnings("unchecked") // Nothing else was put there.
    public E get(int index) {
        return (E) shared.elements[Objects.checkIndex(index, size)];
    }

    @Override
    public int size() {
        return size;
    }
}
