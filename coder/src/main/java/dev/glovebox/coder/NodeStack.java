package dev.glovebox.coder;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads what Node prints when a program fails. */
final class NodeStack {

    private static final Pattern ERROR =
            Pattern.compile(
                    "^(?:Uncaught )?([A-Z][A-Za-z0-9_]{0,80}|[A-Za-z]{0,80}Error)(?: \\[[A-Z_0-9]{1,60}\\])?: (.*)$");
    private static final Pattern FRAME =
            Pattern.compile(
                    "^ {4}at (?:(.{1,200}) \\()?(?:file://)?([^()]{1,500}):(\\d{1,9}):(\\d{1,9})\\)?$");
    private static final Pattern HEADER =
            Pattern.compile("^(?:file://)?(/[^:]{1,500}):(\\d{1,9})$");
    private static final Pattern MARKS = Pattern.compile("^[ \t]*\\^+$");
    private static final int MOST_FRAMES = 50;

    /** Between the place of a syntax error and its message there are at most the line and marks. */
    private static final int HEADER_LINES = 5;

    private NodeStack() {}

    static Problem read(List<String> lines) {
        int error = error(lines);
        if (error < 0) {
            return Problem.NONE;
        }
        Matcher said = ERROR.matcher(lines.get(error));
        if (!said.matches()) {
            return Problem.NONE;
        }
        List<Problem.Frame> frames = frames(lines, error + 1);
        String marks = "";
        for (int i = error - 1; i >= 0 && i >= error - HEADER_LINES; i--) {
            if (MARKS.matcher(lines.get(i)).matches()) {
                marks = lines.get(i);
            }
            Matcher header = HEADER.matcher(lines.get(i));
            if (header.matches()) {
                int line = Integer.parseInt(header.group(2));
                int column = marks.indexOf('^') + 1;
                frames.addFirst(new Problem.Frame(header.group(1), line, column, ""));
                break;
            }
        }
        return new Problem(said.group(1), said.group(2), frames, marks);
    }

    /** The first error that a stack follows, or else the last one. */
    private static int error(List<String> lines) {
        int found = -1;
        for (int i = 0; i < lines.size(); i++) {
            if (ERROR.matcher(lines.get(i)).matches()) {
                found = i;
                if (hasStack(lines, i)) {
                    return i;
                }
            }
        }
        return found;
    }

    private static boolean hasStack(List<String> lines, int error) {
        for (int i = error + 1; i < lines.size() && i <= error + HEADER_LINES; i++) {
            if (lines.get(i).startsWith("    at ")) {
                return true;
            }
        }
        return false;
    }

    private static List<Problem.Frame> frames(List<String> lines, int from) {
        List<Problem.Frame> frames = new ArrayList<>();
        for (int i = from; i < lines.size() && frames.size() < MOST_FRAMES; i++) {
            Matcher frame = FRAME.matcher(lines.get(i));
            if (frame.matches()) {
                String function = frame.group(1) == null ? "" : frame.group(1);
                int line = Integer.parseInt(frame.group(3));
                int column = Integer.parseInt(frame.group(4));
                frames.add(new Problem.Frame(frame.group(2), line, column, function));
            } else if (!frames.isEmpty()) {
                break;
            }
        }
        return frames;
    }
}
