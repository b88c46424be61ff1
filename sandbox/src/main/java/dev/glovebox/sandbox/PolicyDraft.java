package dev.glovebox.sandbox;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;

/** A policy while something in it is changed. */
final class PolicyDraft {

    Isolation isolation;
    Limits limits;
    Policy.MemoryEnforcement memoryEnforcement;
    Policy.OutputOverflow outputOverflow;
    final List<HostPort> network;
    final List<FileGrant> files;
    final Map<Language, Path> runtime;
    final Map<String, String> env;
    Policy.Install install;
    final Map<String, Policy.ToolRule> tools;
    Optional<String> image;

    /** Says what a policy says. */
    PolicyDraft(Policy policy) {
        isolation = policy.isolation();
        limits = policy.limits();
        memoryEnforcement = policy.memoryEnforcement();
        outputOverflow = policy.outputOverflow();
        network = new ArrayList<>(policy.network());
        files = new ArrayList<>(policy.files());
        runtime = new TreeMap<>(policy.runtime());
        env = new TreeMap<>(policy.env());
        install = policy.install();
        tools = new TreeMap<>(policy.tools());
        image = policy.image();
    }

    /** What a policy becomes by a change. */
    static Policy changed(Policy policy, Consumer<PolicyDraft> change) {
        PolicyDraft draft = new PolicyDraft(policy);
        change.accept(draft);
        return draft.policy();
    }

    Policy policy() {
        return new Policy(
                isolation,
                limits,
                memoryEnforcement,
                outputOverflow,
                network,
                files,
                runtime,
                env,
                install,
                tools,
                image);
    }
}
