package dev.glovebox.cli;

import dev.glovebox.agent.Executed;
import dev.glovebox.agent.SandboxExec;
import dev.glovebox.coder.ExecutionReport;
import dev.glovebox.run.RecordedEffect;
import dev.glovebox.run.RecordedRun;
import dev.glovebox.trace.Blob;
import dev.glovebox.trace.Trace;
import java.util.Map;
import java.util.TreeMap;

/** The files that a program of a recorded run left. */
final class RunFiles {

    private RunFiles() {}

    /** Those of a report, by what the record has of them. */
    static Map<String, byte[]> of(Trace trace, String run, ExecutionReport report) {
        Map<String, byte[]> found = new TreeMap<>();
        for (RecordedEffect effect : RecordedRun.of(trace, run).effects(SandboxExec.KIND)) {
            effect.result(Executed.class, SandboxExec.APART)
                    .ifPresent(executed ->
                            executed.files()
                                    .forEach((name, content) -> {
                                        if (isNamed(report, name, content)) {
                                            found.put(name, content);
                                        }
                                    }));
        }
        return found;
    }

    private static boolean isNamed(ExecutionReport report, String name, byte[] content) {
        String digest = Blob.of(content).digest();
        return report.files().stream()
                .anyMatch(file -> file.name().equals(name) && file.digest().equals(digest));
    }
}
