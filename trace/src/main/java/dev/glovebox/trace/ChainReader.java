package dev.glovebox.trace;

import java.security.MessageDigest;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.FutureTask;

/**
 * Reads and hashes records on several processors, and links them in their order.
 *
 * <p>Only a few blocks are under way at a time. When it is a block's turn and no other thread has
 * begun with it, this one does it: so nobody waits for a thread that never comes.
 */
final class ChainReader {

    private static final int AHEAD = 2 * Runtime.getRuntime().availableProcessors();

    private final Chain chain;
    private final Deque<FutureTask<List<Checked>>> ahead = new ArrayDeque<>();

    ChainReader(Chain chain) {
        this.chain = chain;
    }

    void add(Lines.Block block) {
        begin(() -> read(block));
    }

    void add(List<byte[]> lines) {
        begin(() -> {
            MessageDigest digest = Digests.sha256();
            return lines.stream().map(line -> Checked.of(line, digest)).toList();
        });
    }

    private static List<Checked> read(Lines.Block block) {
        MessageDigest digest = Digests.sha256();
        byte[] bytes = block.bytes();
        List<Checked> records = new ArrayList<>(block.count());
        int from = 0;
        for (int i = 0; i < bytes.length; i++) {
            if (bytes[i] == '\n') {
                records.add(Checked.of(Arrays.copyOfRange(bytes, from, i), digest));
                from = i + 1;
            }
        }
        return records;
    }

    private void begin(Callable<List<Checked>> work) {
        FutureTask<List<Checked>> task = new FutureTask<>(work);
        ahead.add(task);
        ForkJoinPool.commonPool().execute(task);
        if (ahead.size() > AHEAD) {
            link();
        }
    }

    /** Links what is still under way. */
    void finish() {
        while (!ahead.isEmpty()) {
            link();
        }
    }

    private void link() {
        FutureTask<List<Checked>> first = ahead.remove();
        first.run();
        try {
            first.get().forEach(chain::add);
        } catch (Broken e) {
            stop();
            throw e;
        } catch (InterruptedException e) {
            stop();
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while checking a trace", e);
        } catch (ExecutionException e) {
            stop();
            throw new IllegalStateException("A record could not be checked", e.getCause());
        }
    }

    private void stop() {
        ahead.forEach(task -> task.cancel(false));
        ahead.clear();
    }
}
