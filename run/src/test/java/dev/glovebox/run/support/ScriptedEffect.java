package dev.glovebox.run.support;

import dev.glovebox.run.Call;
import dev.glovebox.run.Cost;
import dev.glovebox.run.Done;
import dev.glovebox.run.Effect;
import dev.glovebox.run.Retry;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** An effect that a test says all about. */
public final class ScriptedEffect<A, R> implements Effect<A, R> {

    private final World world;
    private final String kind;
    private final String name;
    private final A arguments;
    private final Class<R> result;
    private final World.Deed<A, R> deed;
    private String agent = "";
    private Cost most = Cost.NONE;
    private Cost used = Cost.NONE;
    private Retry retry = Retry.never();
    private IfUnknown ifUnknown = IfUnknown.REPEAT;
    private Optional<Duration> within = Optional.empty();
    private Set<String> growing = Set.of();
    private Map<String, String> apart = Map.of();
    private boolean secret;
    private boolean countsAsLoop = true;

    ScriptedEffect(
            World world,
            String kind,
            String name,
            A arguments,
            Class<R> result,
            World.Deed<A, R> deed) {
        this.world = world;
        this.kind = kind;
        this.name = name;
        this.arguments = arguments;
        this.result = result;
        this.deed = deed;
    }

    public ScriptedEffect<A, R> agent(String agent) {
        this.agent = agent;
        return this;
    }

    /** What it may cost, and what it does. */
    public ScriptedEffect<A, R> costs(Cost most, Cost used) {
        this.most = most;
        this.used = used;
        return this;
    }

    public ScriptedEffect<A, R> retry(Retry retry) {
        this.retry = retry;
        return this;
    }

    public ScriptedEffect<A, R> ifUnknown(IfUnknown policy) {
        this.ifUnknown = policy;
        return this;
    }

    public ScriptedEffect<A, R> within(Duration time) {
        this.within = Optional.of(time);
        return this;
    }

    public ScriptedEffect<A, R> growing(String... members) {
        this.growing = Set.of(members);
        return this;
    }

    public ScriptedEffect<A, R> apart(Map<String, String> members) {
        this.apart = members;
        return this;
    }

    public ScriptedEffect<A, R> inPrivate() {
        this.secret = true;
        return this;
    }

    /** Doing it again and again means nothing. */
    public ScriptedEffect<A, R> repeatable() {
        this.countsAsLoop = false;
        return this;
    }

    @Override
    public String kind() {
        return kind;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public A arguments() {
        return arguments;
    }

    @Override
    public Class<R> resultType() {
        return result;
    }

    @Override
    public Done<R> perform(Call call) throws Exception {
        return world.perform(arguments, call, used, deed);
    }

    @Override
    public String agent() {
        return agent;
    }

    @Override
    public Cost atMost() {
        return most;
    }

    @Override
    public Retry retry() {
        return retry;
    }

    @Override
    public IfUnknown ifUnknown() {
        return ifUnknown;
    }

    @Override
    public Optional<Duration> within() {
        return within;
    }

    @Override
    public Set<String> growing() {
        return growing;
    }

    @Override
    public Map<String, String> apart() {
        return apart;
    }

    @Override
    public boolean isPrivate() {
        return secret;
    }

    @Override
    public boolean countsAsLoop() {
        return countsAsLoop;
    }
}
