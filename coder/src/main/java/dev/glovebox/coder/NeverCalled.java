package dev.glovebox.coder;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Calls the main function of a program that ran, printed nothing and should have. */
final class NeverCalled implements Rule {

    private static final Pattern PYTHON =
            Pattern.compile("(?m)^((?:async[ \t]+)?)def[ \t]+(main)[ \t]*\\([ \t]*\\)");
    private static final Pattern NODE =
            Pattern.compile(
                    "(?m)^(?:((?:async[ \t]+)?)function[ \t]+(main)[ \t]*\\([ \t]*\\)|const[ \t]+(main)[ \t]*=[ \t]*(?:async[ \t]*)?\\([ \t]*\\)[ \t]*=>)");

    @Override
    public List<Change> changes(Scene scene) {
        boolean silent =
                scene.report().outcome().success()
                        && scene.report().step() == ExecutionReport.Step.RUN
                        && scene.report().stdout().isBlank()
                        && !scene.problem().exists()
                        && scene.plan().checks().stream()
                                .anyMatch(c ->
                                        c instanceof Check.Matches || c instanceof Check.Prints);
        Matcher main = (scene.isPython() ? PYTHON : NODE).matcher(scene.source().code());
        if (!silent || !main.find()) {
            return List.of();
        }
        Source source = scene.source();
        int uses =
                source.find(Pattern.compile("(?<![\\w.])main[ \t]*\\(|\\.(?:then|run)\\(main"))
                        .size();
        boolean arrow = scene.isNode() && main.group(3) != null;
        if (uses > (arrow ? 0 : 1)) {
            return List.of();
        }
        boolean async = scene.isPython() && !main.group(1).isBlank();
        String call =
                scene.isNode()
                        ? "main();\n"
                        : "\n\nif __name__ == \"__main__\":\n    "
                                + (async ? "asyncio.run(main())" : "main()")
                                + "\n";
        String text = source.text() + (source.text().endsWith("\n") ? "" : "\n") + call;
        return scene.change(
                async ? PythonCode.importing(source.as(text), "import asyncio") : text,
                Mistake.OUTPUT,
                "The program defines main() and never calls it",
                "Call it",
                0.9);
    }
}
