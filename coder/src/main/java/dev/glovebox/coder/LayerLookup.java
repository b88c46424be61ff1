package dev.glovebox.coder;

import dev.glovebox.run.Call;
import dev.glovebox.run.Done;
import dev.glovebox.run.Effect;
import java.util.function.Supplier;

/**
 * Looks whether packages are installed here, as a recorded effect: a replay must go the same way on
 * a machine where they are not.
 */
final class LayerLookup implements Effect<Packages, LayerState> {

    static final String KIND = "layer";

    private final Packages packages;
    private final Supplier<LayerState> look;

    LayerLookup(Packages packages, Supplier<LayerState> look) {
        this.packages = packages;
        this.look = look;
    }

    @Override
    public Done<LayerState> perform(Call call) {
        return Done.of(look.get());
    }

    @Override
    public String kind() {
        return KIND;
    }

    @Override
    public String name() {
        return packages.language().toString();
    }

    @Override
    public Packages arguments() {
        return packages;
    }

    @Override
    public Class<LayerState> resultType() {
        return LayerState.class;
    }

    @Override
    public boolean isPrivate() {
        return true;
    }

    @Override
    public boolean countsAsLoop() {
        return false;
    }

    @Override
    public IfUnknown ifUnknown() {
        return IfUnknown.REPEAT;
    }
}
