package dev.glovebox.sandbox.wasm;

import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import run.endive.runtime.HostFunction;
import run.endive.runtime.Instance;
import run.endive.wasm.types.FunctionType;
import run.endive.wasm.types.ValType;

/**
 * What {@code glue.js} asks for: words in, a text out, and never an object.
 *
 * <p>A program that gets hold of this door has gained nothing: behind it are its own files, its own
 * arguments and its own end.
 */
final class JsHost {

    private static final int LONGEST_REQUEST = 64 * 1024;
    private static final SecureRandom RANDOM = new SecureRandom();
    private static final int SEEDS = 4;
    private static final int CREATE = 1;
    private static final int EXCLUSIVE = 4;
    private static final int TRUNCATE = 8;

    private final Guest guest;
    private final WasiPaths paths;
    private final byte[] source;
    private double wake = -1;

    JsHost(Guest guest, byte[] source) {
        this.guest = guest;
        this.source = source;
        paths = new WasiPaths(guest);
    }

    HostFunction function() {
        return new HostFunction(
                "endive",
                "invoke",
                FunctionType.of(
                        IntStream.range(0, 6).mapToObj(i -> ValType.I32).toList(),
                        List.of(ValType.I32)),
                (instance, a) -> {
                    String name =
                            instance.memory().readString((int) a[2], Math.min((int) a[3], 64));
                    return new long[] {give(instance, answer(name, instance, a))};
                });
    }

    private static String[] request(Instance instance, long[] a) {
        if (a[5] < 0 || a[5] > LONGEST_REQUEST) {
            throw Errno.E2BIG.failure();
        }
        return instance.memory().readString((int) a[4], (int) a[5]).split("\0", -1);
    }

    /** Puts a text where the engine takes it from, and frees it. */
    private static long give(Instance instance, String answer) {
        byte[] bytes = answer.getBytes(StandardCharsets.UTF_8);
        int text = QuickJs.allocate(instance, bytes.length);
        instance.memory().write(text, bytes);
        int pair = QuickJs.allocate(instance, 2 * Integer.BYTES);
        instance.memory().writeI32(pair, text);
        instance.memory().writeI32(pair + Integer.BYTES, bytes.length);
        return pair;
    }

    private String answer(String name, Instance instance, long[] a) {
        try {
            return "=" + ask(name, request(instance, a));
        } catch (Errno.Failure e) {
            return "!" + e.errno();
        } catch (NumberFormatException e) {
            return "!" + Errno.EINVAL;
        }
    }

    private String ask(String name, String[] words) {
        return switch (name) {
            case "beginning" -> beginning();
            case "version" -> Engines.QUICKJS;
            case "source" -> new String(source, StandardCharsets.UTF_8);
            case "now" -> Long.toString(guest.owner().elapsed().toMillis());
            case "cpu" -> Long.toString(guest.owner().cpu().toMillis());
            case "memory" -> Long.toString((long) guest.pages().used() * Pages.SIZE);
            case "wake" -> {
                wake = Double.parseDouble(word(words, 0));
                yield "";
            }
            case "exit" ->
                    throw new Unwinding.Exit((int) Double.parseDouble(word(words, 0)) & 0xff);
            case "open" -> Integer.toString(open(word(words, 0), word(words, 1)));
            case "close" -> {
                guest.descriptors().close(Integer.parseInt(word(words, 0)));
                yield "";
            }
            case "stand-in" -> {
                guest.descriptors().standIn(Integer.parseInt(word(words, 0)));
                yield "";
            }
            case "failure" -> throw guest.descriptors().lastFailure().failure();
            case "stat" -> stat(paths.find(guest.tree().root(), path(words, 0)));
            case "list" -> list(paths.find(guest.tree().root(), path(words, 0)));
            case "mkdir" -> {
                String path = path(words, 0);
                guest.onFiles(() ->
                        guest.tree().makeFolder(guest.tree().place(guest.tree().root(), path)));
                yield "";
            }
            case "rmdir", "unlink" -> {
                paths.remove(guest.tree().root(), path(words, 0), name.equals("rmdir"));
                yield "";
            }
            case "rename" -> {
                Node.Folder root = guest.tree().root();
                paths.rename(root, path(words, 0), root, path(words, 1));
                yield "";
            }
            default -> throw Errno.ENOSYS.failure();
        };
    }

    /** The seeds of its chance, the number of its arguments, these, and its environment. */
    private String beginning() {
        List<String> words = new ArrayList<>();
        for (int i = 0; i < SEEDS; i++) {
            words.add(Integer.toString(RANDOM.nextInt()));
        }
        words.add(Integer.toString(guest.arguments().size()));
        words.addAll(guest.arguments());
        guest.environment().forEach((name, value) -> words.add(name + "=" + value));
        return String.join("\0", words);
    }

    private static String word(String[] words, int index) {
        if (index >= words.length) {
            throw Errno.EINVAL.failure();
        }
        return words[index];
    }

    /** Absolute and relative paths are the same, since a program always is at the root. */
    private static String path(String[] words, int index) {
        String path = word(words, index);
        String relative = path.replaceFirst("^/+", "");
        return path.isEmpty() || !relative.isEmpty() ? relative : ".";
    }

    private int open(String path, String flags) {
        Node.Folder root = guest.tree().root();
        String place = path(new String[] {path}, 0);
        return switch (flags) {
            case "r" -> paths.open(root, place, 0, true, false, false);
            case "r+" -> paths.open(root, place, 0, true, true, false);
            case "w" -> paths.open(root, place, CREATE | TRUNCATE, false, true, false);
            case "w+" -> paths.open(root, place, CREATE | TRUNCATE, true, true, false);
            case "wx" -> paths.open(root, place, CREATE | EXCLUSIVE, false, true, false);
            case "a" -> paths.open(root, place, CREATE, false, true, true);
            case "a+" -> paths.open(root, place, CREATE, true, true, true);
            default -> throw Errno.EINVAL.failure();
        };
    }

    private String stat(Node node) {
        return guest.onFiles(() ->
                String.join(
                        "\0",
                        node instanceof Node.Folder ? "directory" : "file",
                        Long.toString(node.size()),
                        Long.toString(node.modified().toEpochMilli())));
    }

    private String list(Node node) {
        return guest.onFiles(() -> String.join("\0", Tree.folder(node).children().keySet()));
    }

    /** Waits until the first timer is due, if there is one. */
    void sleep() {
        double left = wake - guest.owner().elapsed().toMillis();
        if (wake >= 0 && left > 0) {
            guest.processors()
                    .without(() -> {
                        TimeUnit.MILLISECONDS.sleep((long) Math.ceil(left));
                        return true;
                    });
        }
    }
}
