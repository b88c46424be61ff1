package dev.glovebox.sandbox.opensandbox;

import com.fasterxml.jackson.databind.JsonNode;
import dev.glovebox.sandbox.Bytes;
import dev.glovebox.sandbox.Control;
import dev.glovebox.sandbox.NotEnforceable;
import dev.glovebox.sandbox.Policy;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/**
 * What the server says is in force for a box, held against what was asked for.
 *
 * <p>Its word is all there is: the machine is somebody else's. A server that does not say, or says
 * less than the policy asks for, gets nothing to run.
 */
final class InForce {

    private static final int EGRESS_PORT = 18080;
    private static final int LARGEST_NUMBER = 256;
    private static final String METRICS = "the server's metrics say so";

    private InForce() {}

    static List<Control> read(Lifecycle server, String id, Execd execd, Policy policy)
            throws IOException {
        JsonNode metrics = execd.metrics();
        return List.of(
                network(server, id), memory(execd, metrics, policy), cpus(execd, metrics, policy));
    }

    private static Control network(Lifecycle server, String id) throws IOException {
        JsonNode told;
        try {
            told = server.endpoint(id, EGRESS_PORT).get("/policy");
        } catch (ServerTrouble e) {
            throw new NotEnforceable(
                    "network",
                    "the server does not say what its boxes can reach: " + e.getMessage());
        }
        String mode = told.path("enforcementMode").asText();
        JsonNode policy = told.path("policy");
        boolean denied =
                policy.path("defaultAction").asText().equals("deny")
                        && policy.path("egress").isEmpty();
        if (!denied || !mode.equals("dns+nft")) {
            throw new NotEnforceable(
                    "network",
                    denied
                            ? "the server only keeps names from being found (mode '"
                                    + ServerTrouble.line(mode)
                                    + "'), so that addresses can still be reached"
                            : "the server does not deny its boxes the network",
                    "Its operator has to run the egress gate in the mode dns+nft");
        }
        return new Control("network", "none", "the server's egress gate says so, " + mode);
    }

    private static Control memory(Execd execd, JsonNode metrics, Policy policy) throws IOException {
        Bytes asked = Demands.memory(policy);
        Optional<Long> cgroup =
                number(execd, "/sys/fs/cgroup/memory.max")
                        .or(() -> number(execd, "/sys/fs/cgroup/memory/memory.limit_in_bytes"));
        if (cgroup.isPresent() && cgroup.get() <= asked.count()) {
            return new Control(
                    "memory", new Bytes(cgroup.get()).toString(), "tree, the box's cgroup");
        }
        double mebibytes = metrics.path("mem_total_mib").asDouble();
        if (policy.memoryEnforcement() == Policy.MemoryEnforcement.TREE) {
            throw new NotEnforceable(
                    "memory-enforcement",
                    "the server's boxes do not show a cgroup that bounds memory");
        }
        if (!(mebibytes > 0) || mebibytes > asked.count() / (double) (1 << 20)) {
            throw new NotEnforceable(
                    "memory",
                    "the server was asked for " + asked + " and does not say that it is so");
        }
        return new Control("memory", Bytes.mebibytes((long) mebibytes).toString(), METRICS);
    }

    private static Control cpus(Execd execd, JsonNode metrics, Policy policy) throws IOException {
        double asked = Demands.millicpus(policy) / 1000.0;
        Optional<Double> quota = quota(execd);
        double found = quota.orElse(metrics.path("cpu_count").asDouble());
        if (!(found > 0) || found > asked + 0.001) {
            throw new NotEnforceable(
                    "cpus",
                    "the server was asked for " + asked + " and does not say that it is so");
        }
        return new Control(
                "cpus", Double.toString(found), quota.isPresent() ? "the box's cgroup" : METRICS);
    }

    private static Optional<Double> quota(Execd execd) {
        Optional<String[]> told =
                text(execd, "/sys/fs/cgroup/cpu.max").map(text -> text.split(" "));
        Optional<Double> second =
                told.filter(words -> words.length == 2)
                        .flatMap(words -> ratio(whole(words[0]), whole(words[1])));
        return second.or(() ->
                ratio(
                        number(execd, "/sys/fs/cgroup/cpu/cpu.cfs_quota_us"),
                        number(execd, "/sys/fs/cgroup/cpu/cpu.cfs_period_us")));
    }

    private static Optional<Double> ratio(Optional<Long> quota, Optional<Long> period) {
        return quota.flatMap(q -> period.filter(p -> p > 0).map(p -> q / (double) p));
    }

    private static Optional<Long> number(Execd execd, String path) {
        return text(execd, path).flatMap(InForce::whole);
    }

    private static Optional<Long> whole(String text) {
        return text.matches("[0-9]{1,18}") ? Optional.of(Long.valueOf(text)) : Optional.empty();
    }

    private static Optional<String> text(Execd execd, String path) {
        try {
            byte[] content = execd.download(path, LARGEST_NUMBER);
            return Optional.of(new String(content, StandardCharsets.UTF_8).strip());
        } catch (IOException e) {
            return Optional.empty(); // not every kernel has this file
        }
    }
}
