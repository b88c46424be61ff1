package dev.glovebox.coder;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads what Python prints when a program fails. */
final class Traceback {

    private static final Pattern FRAME =
            Pattern.compile("^ {2}File \"([^\"]{1,500})\", line (\\d{1,9})(?:, in (.{1,200}))?$");
    private static final Pattern ERROR =
            Pattern.compile("^([A-Za-z_][A-Za-z0-9_.]{0,100})(?:: (.*))?$");
    private static final Pattern LOOKS_LIKE_ERROR =
            Pattern.compile("^([A-Z][A-Za-z]{0,60}(?:Error|Exception|Interrupt|Exit)): (.*)$");
    private static final Pattern MARKS = Pattern.compile("^ {4}[ ~^]*\\^[ ~^]*$");
    private static final int MOST_FRAMES = 50;

    private Traceback() {}

    static Problem read(List<String> lines) {
        int last = lines.size() - 1;
        while (last >= 0 && !FRAME.matcher(lines.get(last)).matches()) {
            last--;
        }
        if (last < 0) {
            return alone(lines);
        }
        int error = last + 1;
        String marks = "";
        while (error < lines.size() && isInside(lines.get(error))) {
            if (MARKS.matcher(lines.get(error)).matches()) {
                marks = lines.get(error).substring(4);
            }
            error++;
        }
        if (error == lines.size()) {
            return Problem.NONE;
        }
        Matcher said = ERROR.matcher(lines.get(error));
        if (!said.matches()) {
            return Problem.NONE;
        }
        String type = said.group(1).substring(said.group(1).lastIndexOf('.') + 1);
        String message = said.group(2) == null ? "" : said.group(2);
        return new Problem(type, message, frames(lines, last), marks);
    }

    private static boolean isInside(String line) {
        return line.isEmpty() || line.startsWith("  ");
    }

    private static List<Problem.Frame> frames(List<String> lines, int last) {
        List<Problem.Frame> frames = new ArrayList<>();
        for (int i = last; i >= 0 && frames.size() < MOST_FRAMES; i--) {
            Matcher frame = FRAME.matcher(lines.get(i));
            if (frame.matches()) {
                String function = frame.group(3) == null ? "" : frame.group(3);
                int line = Integer.parseInt(frame.group(2));
                frames.add(new Problem.Frame(frame.group(1), line, 0, function));
            } else if (!isInside(lines.get(i))) {
                break;
            }
        }
        return frames;
    }

    /** An error without a place, such as a source that is not text. */
    private static Problem alone(List<String> lines) {
        for (String line : lines.reversed()) {
            Matcher said = LOOKS_LIKE_ERROR.matcher(line);
            if (said.matches()) {
                return new Problem(said.group(1), said.group(2), List.of(), "");
            }
        }
        return Problem.NONE;
    }
}
