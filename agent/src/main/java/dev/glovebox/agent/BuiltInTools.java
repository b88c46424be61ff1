package dev.glovebox.agent;

import dev.glovebox.sandbox.Language;
import dev.glovebox.sandbox.Policy;
import java.util.List;

/**
 * Tools that every agent may want: to run programs in sandboxes, and to read and write the files of
 * their workspace, which are on record; each by its own policy.
 *
 * <p>A program that does not exit with 0 is an error that the model reads; if the policy cannot be
 * enforced, by the wall that was chosen if one was, nothing runs, and the run stops.
 */
public final class BuiltInTools {

    private BuiltInTools() {}

    /**
     * All of them, with one policy for all programs, and for files what has room in their boxes.
     */
    public static List<Tool> all(Policy policy, Workspace workspace) {
        return all(policy, Wall.fastest(), workspace);
    }

    /** All of them, with programs behind a wall of your choice; those for files need none. */
    public static List<Tool> all(Policy policy, Wall wall, Workspace workspace) {
        return List.of(
                runPython(policy, wall, workspace),
                runJavascript(policy, wall, workspace),
                runShell(policy, wall, workspace),
                readFile(FilePolicy.of(policy), workspace),
                writeFile(FilePolicy.of(policy), workspace),
                listFiles(FilePolicy.of(policy), workspace));
    }

    /** {@code run_python}. */
    public static Tool runPython(Policy policy, Workspace workspace) {
        return runPython(policy, Wall.fastest(), workspace);
    }

    /** {@code run_python} behind a wall of your choice. */
    public static Tool runPython(Policy policy, Wall wall, Workspace workspace) {
        return new ProgramTool(Language.PYTHON, policy, wall, workspace);
    }

    /** {@code run_javascript}. */
    public static Tool runJavascript(Policy policy, Workspace workspace) {
        return runJavascript(policy, Wall.fastest(), workspace);
    }

    /** {@code run_javascript} behind a wall of your choice. */
    public static Tool runJavascript(Policy policy, Wall wall, Workspace workspace) {
        return new ProgramTool(Language.JAVASCRIPT, policy, wall, workspace);
    }

    /** {@code run_shell}. */
    public static Tool runShell(Policy policy, Workspace workspace) {
        return runShell(policy, Wall.fastest(), workspace);
    }

    /** {@code run_shell} behind a wall of your choice. */
    public static Tool runShell(Policy policy, Wall wall, Workspace workspace) {
        return new ProgramTool(Language.BASH, policy, wall, workspace);
    }

    /** {@code read_file}. */
    public static Tool readFile(Workspace workspace) {
        return readFile(FilePolicy.standard(), workspace);
    }

    /** {@code read_file}. */
    public static Tool readFile(FilePolicy policy, Workspace workspace) {
        return FileTools.read(policy, workspace);
    }

    /** {@code write_file}. */
    public static Tool writeFile(Workspace workspace) {
        return writeFile(FilePolicy.standard(), workspace);
    }

    /** {@code write_file}. */
    public static Tool writeFile(FilePolicy policy, Workspace workspace) {
        return FileTools.write(policy, workspace);
    }

    /** {@code list_files}. */
    public static Tool listFiles(Workspace workspace) {
        return listFiles(FilePolicy.standard(), workspace);
    }

    /** {@code list_files}. */
    public static Tool listFiles(FilePolicy policy, Workspace workspace) {
        return FileTools.list(policy, workspace);
    }
}
