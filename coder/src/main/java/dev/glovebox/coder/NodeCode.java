package dev.glovebox.coder;

import java.util.regex.Pattern;

/** What several rules want to know of a JavaScript program, and do to it. */
final class NodeCode {

    private static final Pattern MODULE =
            Pattern.compile("(?m)^[ \t]*(?:import[ \t]*[\\w{*\"']|export[ \t]+[\\w{*])");
    private static final Pattern TYPE = Pattern.compile("\"type\"\\s*:\\s*\"module\"");

    private NodeCode() {}

    /** Whether a file is an ES module, by its name, its package, or how it is written. */
    static boolean isModule(CodeArtifact artifact, String file) {
        if (file.endsWith(".mjs") || file.endsWith(".cjs")) {
            return file.endsWith(".mjs");
        }
        String named = artifact.files().getOrDefault("package.json", "");
        String text = artifact.files().getOrDefault(file, "");
        return TYPE.matcher(named).find() || Source.of(artifact.language(), text).has(MODULE);
    }

    /** The text with one more statement at its top. */
    static String importing(Source source, String statement) {
        if (source.text().lines().anyMatch(statement::equals)) {
            return source.text();
        }
        int line = 1;
        while (line <= source.lines()
                && (source.line(line).startsWith("#!")
                        || source.line(line).strip().matches("[\"']use strict[\"'];?"))) {
            line++;
        }
        return line > source.lines()
                ? source.text() + "\n" + statement + "\n"
                : source.withBefore(line, statement);
    }
}
