package dev.glovebox.run;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A runtime in this process: a virtual thread for each live agent, everything in memory.
 *
 * <p>What waits in mailboxes does not outlive the process. A handler that ignores interrupts cannot
 * be ended, by nobody: its agent is stuck, {@link #close} does not wait for it for ever, and it is
 * logged.
 */
public final class LocalRuntime implements Runtime {

    private static final Logger LOG = LoggerFactory.getLogger(LocalRuntime.class);
    private static final String OUTSIDE_KEY = "caller";

    private final Map<String, LocalTenant> tenants = new ConcurrentHashMap<>();
    private final AgentHost host;
    private boolean closed;

    private LocalRuntime(RuntimeSettings settings) {
        host = new AgentHost(settings);
    }

    /** A new one, without agents. */
    public static LocalRuntime open(RuntimeSettings settings) {
        return new LocalRuntime(settings);
    }

    @Override
    public void register(String type, AgentFactory factory) {
        host.register(type, factory);
    }

    @Override
    public void subscribe(String agentType, String topicType) {
        host.subscribe(agentType, topicType);
    }

    @Override
    public void subscribe(AgentId agent, Topic topic) {
        tenant(agent.tenant()).subscribe(agent, topic);
    }

    @Override
    public void unsubscribe(AgentId agent, Topic topic) {
        tenant(agent.tenant()).unsubscribe(agent, topic);
    }

    @Override
    public Messenger outside(String tenant) {
        return new LocalMessenger(
                new AgentId(tenant, AgentId.OUTSIDE, OUTSIDE_KEY), tenant(tenant), null);
    }

    private LocalTenant tenant(String name) {
        return tenants.computeIfAbsent(name, _ -> new LocalTenant(name, host));
    }

    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        host.gate().close();
        AgentLimits limits = host.settings().limits();
        try {
            stop(host.gate().awaitEmpty(AgentDeadline.in(limits.closing())), limits);
        } catch (InterruptedException e) {
            LOG.warn("Interrupted while the runtime was closing: agents are interrupted as well");
            host.abandon();
            tenants.values().forEach(LocalTenant::stop);
            Thread.currentThread().interrupt();
        }
    }

    private void stop(boolean idle, AgentLimits limits) throws InterruptedException {
        host.threads().shutdown();
        tenants.values().forEach(LocalTenant::stop);
        if (!host.close(!idle, limits.closing())) {
            LOG.error("Agents that ignore interrupts still run after {}", limits.closing());
        }
    }
}
