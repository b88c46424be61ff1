package dev.glovebox.sandbox.spi;

import dev.glovebox.sandbox.Limit;
import dev.glovebox.sandbox.Pressure;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** The limits that a program has touched, each as it was first noticed. */
public final class Touched {

    private final Map<Limit, Pressure> first = new EnumMap<>(Limit.class);

    public synchronized void add(Pressure pressure) {
        first.putIfAbsent(pressure.limit(), pressure);
    }

    public synchronized List<Pressure> all() {
        return List.copyOf(first.values());
    }
}
