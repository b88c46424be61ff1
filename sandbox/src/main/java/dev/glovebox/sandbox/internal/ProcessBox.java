package dev.glovebox.sandbox.internal;

import dev.glovebox.sandbox.Policy;
import dev.glovebox.sandbox.Program;

/** A box of the process tier: a scratch directory and the processes started in it. */
final class ProcessBox extends Box {

    private final ScratchFolder folder;

    ProcessBox(Policy policy, ScratchFolder folder) {
        super(policy, open(policy, folder));
        this.folder = folder;
    }

    private static Scratch open(Policy policy, ScratchFolder folder) {
        int root =
                Kernel.must(
                        Kernel.open(
                                folder.scratch().toString(), Kernel.O_RDONLY | Kernel.O_DIRECTORY),
                        "opening the scratch");
        return new Scratch(root, -1, policy.limits().disk().count());
    }

    @Override
    public String tier() {
        return ProcessTier.NAME;
    }

    ScratchFolder folder() {
        return folder;
    }

    @Override
    String directory() {
        return folder.scratch().toString();
    }

    @Override
    Body launch(long number, CommandLine line, Program program) {
        return ProcessCommand.start(this, line, program);
    }

    @Override
    void awaitQuiet() {
        // Clearing has waited for each process that it killed.
    }

    @Override
    void clearAtOnce() {
        ProcessTree.killAll(folder);
    }

    @Override
    void clearAtLeisure() {
        ProcessTree.killAll(folder);
    }

    @Override
    void kill() {
        ProcessTree.killAll(folder);
    }

    @Override
    void end() {
        ProcessTree.killAll(folder);
        folder.delete();
    }

    @Override
    void dispose() {
        // Only the scratch was open.
    }
}
