package dev.glovebox.run.spi;

/**
 * Is told of each message, once, what became of it.
 *
 * <p>It is called by whatever thread knows it, by many at once, and should be quick: the sender or
 * the agent waits meanwhile. What it throws is logged.
 */
@FunctionalInterface
public interface MessageListener {

    /** One message has come to its end. */
    void observed(MessageEvent event);
}
