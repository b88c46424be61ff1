package dev.glovebox.trace.store;

import dev.glovebox.trace.spi.TraceStore.Watch;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Those who want to know of news, and the thread that tells them, while there are any. */
final class Watchers implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Watchers.class);
    private static final Duration BEFORE_NEXT_TRY = Duration.ofSeconds(1);

    private final Database database;
    private final Set<Watcher> watchers = ConcurrentHashMap.newKeySet();
    private volatile @Nullable News news;
    private @Nullable Thread thread;
    private boolean closed;

    Watchers(Database database) {
        this.database = database;
    }

    /** Not a record: two watchers may have the same callback. */
    private final class Watcher implements Watch {

        private final Runnable callback;

        Watcher(Runnable callback) {
            this.callback = callback;
        }

        void tell() {
            try {
                callback.run();
            } catch (RuntimeException e) {
                LOG.warn("Somebody who watches a trace store failed", e);
            }
        }

        @Override
        public void close() {
            remove(this);
        }
    }

    synchronized Watch add(Runnable callback) {
        if (closed) {
            throw database.closed();
        }
        Watcher watcher = new Watcher(callback);
        watchers.add(watcher);
        if (thread == null) {
            thread = Thread.ofVirtual().name("glovebox-trace-watchers").start(this::listen);
        }
        return watcher;
    }

    private synchronized void remove(Watcher watcher) {
        watchers.remove(watcher);
    }

    /** Says that this process has appended something. */
    void ring() {
        News listening = news;
        if (listening != null) {
            listening.ring();
        }
    }

    private void listen() {
        while (!listenUntilOver()) {
            pause();
        }
    }

    /** Whether it is over; else it has failed. */
    private boolean listenUntilOver() {
        try (News listening = database.news()) {
            news = listening;
            // What came before we listened has been missed, so that is news as well.
            boolean heard = true;
            while (wanted()) {
                if (heard) {
                    watchers.forEach(Watcher::tell);
                }
                heard = listening.await();
            }
            return true;
        } catch (SQLException e) {
            boolean over = !wanted();
            if (!over) {
                LOG.warn("Watching a trace store failed: {}", database.problem(e).getMessage(), e);
            }
            return over;
        } catch (InterruptedException e) {
            return !wanted();
        } finally {
            news = null;
        }
    }

    /** Whether to go on; if not, the next watcher starts another thread. */
    private synchronized boolean wanted() {
        if (closed || watchers.isEmpty()) {
            thread = null;
            return false;
        }
        return true;
    }

    private static void pause() {
        try {
            Thread.sleep(BEFORE_NEXT_TRY);
        } catch (InterruptedException e) {
            LOG.debug("Interrupted: it closes", e);
        }
    }

    @Override
    public void close() {
        Thread ending;
        synchronized (this) {
            closed = true;
            ending = thread;
        }
        if (ending != null && !ending.equals(Thread.currentThread())) {
            ending.interrupt();
            try {
                ending.join();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
