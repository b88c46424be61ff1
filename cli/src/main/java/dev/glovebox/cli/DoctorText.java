package dev.glovebox.cli;

import dev.glovebox.sandbox.Control;
import dev.glovebox.sandbox.Interpreter;
import dev.glovebox.sandbox.Language;
import dev.glovebox.sandbox.spi.Availability;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;

/** A checkup for a person to read. */
final class DoctorText {

    private final Paint paint;
    private final StringBuilder text = new StringBuilder();

    DoctorText(boolean coloured) {
        this.paint = new Paint(coloured);
    }

    String text(Checkup checkup, OptionalInt swept) {
        line(paint.strong("glovebox " + Version.number()));
        table("  ", rows(checkup.system()));
        for (Checkup.Finding finding : checkup.findings()) {
            line("");
            switch (finding.availability()) {
                case Availability.Works works -> works(finding, works);
                case Availability.Missing missing -> missing(finding, missing);
            }
        }
        line("");
        if (swept.isPresent()) {
            line("Swept: " + swept.getAsInt() + " things that killed runs had left behind.");
        }
        line(
                checkup.anyWorks()
                        ? "Try it: echo 'print(6*7)' | glovebox exec --lang python -"
                        : "No wall works here, so no program can be run.");
        return text.toString().stripTrailing();
    }

    private static List<List<String>> rows(Map<String, String> facts) {
        return facts.entrySet().stream()
                .map(fact -> List.of(fact.getKey(), fact.getValue()))
                .toList();
    }

    private void works(Checkup.Finding finding, Availability.Works works) {
        line(title(finding) + "  " + paint.good("works") + "  " + plain(works.version()));
        List<List<String>> controls = new ArrayList<>();
        for (Control control : works.controls()) {
            controls.add(List.of(control.name(), control.value(), control.by()));
        }
        table("  ", controls);
        List<List<String>> interpreters = new ArrayList<>();
        for (Language language : Language.values()) {
            Interpreter found = finding.interpreters().get(language);
            interpreters.add(
                    found == null
                            ? List.of(language.toString(), "none", remedy(finding, language))
                            : List.of(
                                    language.toString(), found.version(), found.path().toString()));
        }
        line("  " + paint.faint("a box gets"));
        table("  ", interpreters);
    }

    private static String remedy(Checkup.Finding finding, Language language) {
        if (finding.ownInterpreters()) {
            return "this wall has only what it brings";
        }
        String name =
                switch (language) {
                    case PYTHON -> "python3";
                    case JAVASCRIPT -> "nodejs";
                    case BASH -> "bash";
                };
        return "to get it: apt install "
                + name
                + " (one in a home directory cannot be seen from a box)";
    }

    private void missing(Checkup.Finding finding, Availability.Missing missing) {
        line(title(finding) + "  " + paint.bad("does not work"));
        table(
                "  ",
                List.of(List.of("why", missing.reason()), List.of("to get it", missing.remedy())));
    }

    private String title(Checkup.Finding finding) {
        return paint.strong(finding.tier());
    }

    /** Aligns all columns but the last, which may be long. */
    private void table(String indent, List<List<String>> rows) {
        List<Integer> widths = new ArrayList<>();
        for (List<String> row : rows) {
            for (int i = 0; i < row.size() - 1; i++) {
                int width = plain(row.get(i)).length();
                if (i < widths.size()) {
                    widths.set(i, Math.max(widths.get(i), width));
                } else {
                    widths.add(width);
                }
            }
        }
        for (List<String> row : rows) {
            StringBuilder line = new StringBuilder(indent);
            for (int i = 0; i < row.size(); i++) {
                String cell = plain(row.get(i));
                line.append(i == 0 ? paint.faint(cell) : cell);
                if (i < row.size() - 1) {
                    line.repeat(' ', widths.get(i) - cell.length() + 2);
                }
            }
            line(line.toString());
        }
    }

    private static String plain(String cell) {
        return Shell.oneLine(cell);
    }

    private void line(String words) {
        text.append(words).append('\n');
    }
}
