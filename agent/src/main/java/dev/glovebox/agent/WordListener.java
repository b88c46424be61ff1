package dev.glovebox.agent;

/** Gets what models say as they say it; called by many threads, and not in a replay. */
@FunctionalInterface
public interface WordListener {

    void said(String agent, String words);
}
