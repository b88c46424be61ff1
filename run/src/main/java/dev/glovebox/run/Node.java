package dev.glovebox.run;

/**
 * Something a run does: takes one value and gives another.
 *
 * <p>It must come to the same result whenever it gets the same input and the same answers from its
 * context: whatever else it needs of the world, the time and chance included, it asks the context
 * for.
 */
@FunctionalInterface
public interface Node<I, O> {

    O run(I input, Context context) throws Exception;
}
