package dev.glovebox.agent;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.glovebox.run.NotReplayable;
import dev.glovebox.run.RecordedEffect;
import dev.glovebox.run.RecordedRun;
import dev.glovebox.trace.NoSuchRun;
import dev.glovebox.trace.Trace;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiPredicate;
import java.util.stream.Stream;

/**
 * The files of each run: those that its tools have written, and those that its programs have made.
 *
 * <p>There is no other place where they are kept than the record of the run. So whoever resumes a
 * run, or forks it, has them, wherever that is; and no run sees those of another one. Of calls side
 * by side none sees what the others do, and the one that was recorded last wins.
 */
public final class Workspace {

    /** How many files a run can have. */
    static final int MOST_FILES = 200;

    /** How large a file can be. */
    static final int MOST_BYTES = 1 << 20;

    /** How large all files can be together. */
    static final int MOST_BYTES_IN_ALL = 8 << 20;

    // What is not known any more is read again.
    private static final int KNOWN_RUNS = 64;

    private final Trace trace;
    private final Map<String, Known> known = recent();

    /** Of each run, what programs leave whose end is not on record yet, by the keys of calls. */
    private final Map<String, Map<String, LeftFiles>> leaving = recent();

    private Workspace(Trace trace) {
        this.trace = trace;
    }

    private static <T> Map<String, T> recent() {
        return new LinkedHashMap<>(KNOWN_RUNS, 0.75f, true) {
            private static final long serialVersionUID = 1L;

            @Override
            protected boolean removeEldestEntry(Map.Entry<String, T> eldest) {
                return size() > KNOWN_RUNS;
            }
        };
    }

    /** The files of the runs that are recorded in a trace. */
    public static Workspace of(Trace trace) {
        return new Workspace(trace);
    }

    /**
     * The files after the first effects of a run, all of which have ended.
     *
     * @param effects how many
     */
    private record Known(int effects, SortedMap<String, byte[]> files) {}

    /** The files as they are before a call. */
    SortedMap<String, byte[]> before(ToolInput call) {
        return before(run(call), effects(run(call)));
    }

    private List<RecordedEffect> effects(String run) {
        try {
            return RecordedRun.of(trace, run).effects(ToolUse.KIND);
        } catch (NoSuchRun e) {
            throw new IllegalStateException(
                    "Files are kept in the record of a run, and this one has none", e);
        }
    }

    private static String run(ToolInput call) {
        return call.key().substring(0, Math.max(0, call.key().indexOf('/')));
    }

    /**
     * What a program leaves, without what cannot be beside the files that others have written since
     * it began: each by itself would fit. One program is asked after the other, so that none is
     * told of a file that another one takes the place of.
     *
     * @param room what has room in the box of the next one
     */
    LeftFiles kept(ToolInput call, LeftFiles left, FilePolicy room) {
        Map<String, LeftFiles> others = leaving(run(call));
        synchronized (others) {
            others.remove(call.key()); // It may be repeated.
            List<RecordedEffect> effects = effects(run(call));
            LeftFiles kept = left.beside(beside(call, others, effects, Workspace::canBe), room);
            effects.stream()
                    .filter(RecordedEffect::hasEnded)
                    .forEach(effect -> others.remove(effect.key()));
            others.put(call.key(), kept);
            return kept;
        }
    }

    private Map<String, LeftFiles> leaving(String run) {
        synchronized (leaving) {
            return leaving.computeIfAbsent(run, any -> new ConcurrentHashMap<>());
        }
    }

    /**
     * The files as they are before a call that writes one, and those that calls beside it are about
     * to write: each by itself would fit. Of those that tools write only what is on record before
     * this one counts, so that each has its turn.
     *
     * @param fits whether a file can be added to others
     */
    SortedMap<String, byte[]> beside(
            ToolInput call, BiPredicate<Map<String, byte[]>, FileTools.File> fits) {
        // Before the record is read: what is on it then need not be here any more.
        Map<String, LeftFiles> left = Map.copyOf(leaving(run(call)));
        return beside(call, left, effects(run(call)), fits);
    }

    private SortedMap<String, byte[]> beside(
            ToolInput call,
            Map<String, LeftFiles> left,
            List<RecordedEffect> effects,
            BiPredicate<Map<String, byte[]>, FileTools.File> fits) {
        SortedMap<String, byte[]> files = new TreeMap<>(before(run(call), effects));
        effects.stream()
                .filter(effect -> !effect.hasEnded())
                .flatMap(effect -> Stream.ofNullable(left.get(effect.key())))
                .forEach(others -> others.into(files));
        for (RecordedEffect effect : effects) {
            if (effect.name().equals(FileTools.WRITE) && !effect.hasEnded()) {
                ObjectNode arguments = effect.arguments(ObjectNode.class, ToolUse.APART);
                if (arguments.equals(call.arguments())) {
                    break;
                }
                FileTools.File file = FileTools.File.of(arguments);
                if (fits.test(files, file)) {
                    files.put(file.path(), file.content());
                }
            }
        }
        return files;
    }

    private SortedMap<String, byte[]> before(String run, List<RecordedEffect> effects) {
        Known start = known(run);
        SortedMap<String, byte[]> files = new TreeMap<>(start.files());
        int ended = start.effects();
        boolean all = true;
        for (RecordedEffect effect :
                effects.subList(Math.min(ended, effects.size()), effects.size())) {
            if (all && !effect.hasEnded()) {
                all = false;
                know(run, new Known(ended, new TreeMap<>(files)));
            }
            if (all) {
                ended++;
            }
            put(effect, files);
        }
        if (all) {
            know(run, new Known(ended, new TreeMap<>(files)));
        }
        return Collections.unmodifiableSortedMap(files);
    }

    private Known known(String run) {
        synchronized (known) {
            return known.getOrDefault(run, new Known(0, new TreeMap<>()));
        }
    }

    private void know(String run, Known more) {
        synchronized (known) {
            known.merge(run, more, (one, two) -> one.effects() > two.effects() ? one : two);
        }
    }

    private static void put(RecordedEffect effect, Map<String, byte[]> files) {
        try {
            Optional<ToolOutput> output = effect.result(ToolOutput.class, ToolUse.APART);
            if (output.isEmpty()) {
                return;
            }
            output.get()
                    .executed()
                    .ifPresent(executed -> {
                        executed.removed().forEach(files::remove);
                        executed.files()
                                .forEach((path, content) ->
                                        put(new FileTools.File(path, content), files));
                    });
            if (output.get().wroteFile() && effect.name().equals(FileTools.WRITE)) {
                put(FileTools.File.of(effect.arguments(ObjectNode.class, ToolUse.APART)), files);
            }
        } catch (NotReplayable deleted) {
            // Somebody wanted its content to be gone.
        }
    }

    private static void put(FileTools.File file, Map<String, byte[]> files) {
        if (canBe(files, file)) {
            files.put(file.path(), file.content());
        }
    }

    /**
     * Whether it is a file that a program can be given. A tool of somebody else may give back that
     * it wrote to {@code ../../x}, and no program of the run would start any more; nor beside two
     * files of which one is in the place of a folder of the other.
     */
    private static boolean canBe(Map<String, byte[]> files, FileTools.File file) {
        return WorkspacePath.problem(file.path())
                .or(() -> problem(files, file.path(), file.content().length))
                .isEmpty();
    }

    /** Why a file cannot be added; empty if it can. */
    static Optional<String> problem(Map<String, byte[]> files, String path, int bytes) {
        if (bytes > MOST_BYTES) {
            return Optional.of(
                    "The file has %d bytes; %d are allowed".formatted(bytes, MOST_BYTES));
        }
        long others =
                files.entrySet().stream()
                        .filter(file -> !file.getKey().equals(path))
                        .mapToLong(file -> file.getValue().length)
                        .sum();
        if (others + bytes > MOST_BYTES_IN_ALL) {
            return Optional.of(
                    "All files together would have more than %d bytes"
                            .formatted(MOST_BYTES_IN_ALL));
        }
        if (!files.containsKey(path) && files.size() >= MOST_FILES) {
            return Optional.of("There are %d files, and no more are allowed".formatted(MOST_FILES));
        }
        return files.keySet().stream()
                .filter(file -> file.startsWith(path + "/") || path.startsWith(file + "/"))
                .findFirst()
                .map(file -> "There is the file %s, so %s cannot be one".formatted(file, path));
    }
}
