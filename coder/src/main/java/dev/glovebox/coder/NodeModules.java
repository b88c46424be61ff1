package dev.glovebox.coder;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Finds the package that is missing: beside the program, in Node itself, or in the index. */
final class NodeModules implements Rule {

    private static final Pattern MISSING =
            Pattern.compile("^Cannot find (?:module|package) '([^'\n]{1,200})'.*$");
    private static final Pattern PACKAGE =
            Pattern.compile("(@[a-z0-9~-][a-z0-9._~-]*/)?[a-z0-9~-][a-z0-9._~-]*");

    private final boolean index;
    private final Table builtins = new Table("node-builtins.tsv", 1);
    private final NodeSubstitutes substitutes = new NodeSubstitutes();

    NodeModules(boolean index) {
        this.index = index;
    }

    @Override
    public List<Change> changes(Scene scene) {
        if (scene.isNode() && scene.report().step() == ExecutionReport.Step.INSTALL) {
            return substitutes.forAny(scene);
        }
        Matcher missing = MISSING.matcher(scene.problem().message());
        if (!scene.isNode() || !missing.matches()) {
            return List.of();
        }
        String name = missing.group(1);
        if (name.startsWith(".") || name.startsWith("/")) {
            return beside(scene, name);
        }
        String[] parts = name.split("/", -1);
        String bare =
                name.startsWith("@") && parts.length > 1 ? parts[0] + "/" + parts[1] : parts[0];
        boolean local =
                scene.artifact().files().keySet().stream()
                        .anyMatch(file -> file.equals(name) || file.equals(name + ".js"));
        if (local) {
            return renamed(scene, name, "./" + name, "There is a file of that name");
        }
        if (name.startsWith("node:") || builtins.has(bare)) {
            return List.of();
        }
        Optional<String> meant = Nearest.within(1, bare, builtins.keys());
        List<Change> changes = new ArrayList<>();
        if (meant.isPresent() && bare.length() > 3) {
            changes.addAll(renamed(scene, name, meant.get(), "Node brings " + meant.get()));
        }
        changes.addAll(index ? installed(scene, bare) : substitutes.of(scene, bare));
        return changes;
    }

    private static List<Change> installed(Scene scene, String name) {
        if (!PACKAGE.matcher(name).matches() || scene.artifact().dependencies().contains(name)) {
            return List.of();
        }
        List<String> more = new ArrayList<>(scene.artifact().dependencies());
        more.add(name);
        return scene.change(
                scene.artifact().dependencies(more),
                Mistake.MISSING_MODULE,
                "The package '" + name + "' is not installed",
                "Install it",
                0.85);
    }

    private static List<Change> beside(Scene scene, String name) {
        String base = name.substring(name.lastIndexOf('/') + 1);
        for (String file : scene.artifact().files().keySet()) {
            String last = file.substring(file.lastIndexOf('/') + 1);
            String stem = last.replaceFirst("\\.[cm]?js$", "");
            boolean same =
                    last.equalsIgnoreCase(base)
                            || stem.equalsIgnoreCase(base)
                            || stem.equalsIgnoreCase(base.replaceFirst("\\.[cm]?js$", ""));
            if (same && !file.equals(scene.artifact().entry())) {
                Pattern use =
                        Pattern.compile(
                                "([\"'])\\.{1,2}/(?:[\\w.-]+/)*" + Pattern.quote(base) + "\\1");
                String text =
                        use.matcher(scene.source().text())
                                .replaceAll("$1./" + Matcher.quoteReplacement(file) + "$1");
                return scene.change(
                        text,
                        Mistake.MISSING_MODULE,
                        "There is no file " + base + ", but " + file,
                        "Take that",
                        0.9);
            }
        }
        return List.of();
    }

    private static List<Change> renamed(Scene scene, String name, String by, String cause) {
        String text =
                scene.source()
                        .text()
                        .replace("'" + name + "'", "'" + by + "'")
                        .replace('"' + name + '"', '"' + by + '"');
        return scene.change(text, Mistake.MISSING_MODULE, cause, "Take " + by, 0.8);
    }
}
