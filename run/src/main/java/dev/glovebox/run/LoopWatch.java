package dev.glovebox.run;

import dev.glovebox.trace.Blob;
import dev.glovebox.trace.Event.EffectIntent;
import java.util.Optional;

/**
 * Looks whether an agent does the same again and again. Each branch is looked at by itself, since
 * branches may well do the same at once.
 */
final class LoopWatch {

    private final Loops loops = new Loops();

    /** Who does it and where, whichever visit of the innermost node it is. */
    private record Lane(String where, String agent) {}

    /** What is done. */
    private record Deed(String kind, String name, Object arguments) {}

    /** Why the run should stop before this, if it should. */
    Optional<StopReason> next(Door.Passage<?> passage) {
        Effect<?, ?> effect = passage.effect();
        if (!effect.countsAsLoop()) {
            return Optional.empty();
        }
        EffectIntent intent = passage.intent().event();
        String arguments =
                isWhole(intent)
                        ? intent.arguments().digest()
                        : Blob.of(Json.sorted(passage.arguments().rest())).digest();
        return next(
                effect,
                new Lane(Spot.lane(intent.id().path()), Details.clean(effect.agent())),
                arguments);
    }

    /** The same where nothing is recorded. */
    Optional<StopReason> next(Spot spot, Effect<?, ?> effect, Object arguments) {
        return next(effect, new Lane(spot.lane(), effect.agent()), arguments);
    }

    /** By what tells the arguments from others. */
    private Optional<StopReason> next(Effect<?, ?> effect, Lane lane, Object arguments) {
        return loops.next(lane, new Deed(effect.kind(), effect.name(), arguments))
                .map(pattern -> {
                    String what = effect.kind() + " " + effect.name();
                    return new StopReason.LoopDetected(
                            pattern == 1
                                    ? what + " with the same arguments again and again"
                                    : pattern
                                            + " effects in turn again and again, the last "
                                            + what);
                });
    }

    /** Takes note of what was done before the run was resumed, as far as the record tells. */
    void fold(EffectIntent intent) {
        if (isWhole(intent)) {
            String agent = intent.details().path(Details.AGENT).asText();
            var _ =
                    loops.next(
                            new Lane(Spot.lane(intent.id().path()), agent),
                            new Deed(
                                    intent.id().kind(),
                                    intent.name(),
                                    intent.arguments().digest()));
        }
    }

    /** Whether the digest of the arguments tells them from all others. */
    private static boolean isWhole(EffectIntent intent) {
        return !intent.arguments().salted() && !intent.details().has(Details.LISTS);
    }
}
