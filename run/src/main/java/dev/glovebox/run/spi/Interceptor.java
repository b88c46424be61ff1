package dev.glovebox.run.spi;

/**
 * Looks at effects before they are performed, and may prevent them: guardrails, permissions.
 *
 * <p>It is asked once for each effect, by many threads at once, and not in a replay. It must not
 * perform effects itself.
 */
public interface Interceptor {

    Decision before(Request request);
}
