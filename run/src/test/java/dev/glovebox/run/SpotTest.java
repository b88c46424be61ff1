package dev.glovebox.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Where a walk is, and what it is called. */
class SpotTest {

    private static final Spot NODE = Spot.of("act", 3);
    private static final Spot BRANCH = NODE.in("0");
    private static final Spot NESTED = Spot.of(BRANCH.path() + "/think", 12);

    @Test
    void aPathTellsTheVisit() {
        assertThat(List.of(NODE.path(), BRANCH.path(), NESTED.path()))
                .containsExactly("act#3", "act#3/0", "act#3/0/think#12");
    }

    @Test
    void aLaneDoesNotTellTheVisitOfTheInnermostNodeAndAPathHasTheSame() {
        assertThat(List.of(NODE.lane(), BRANCH.lane(), NESTED.lane()))
                .containsExactly("act", "act/0", "act#3/0/think");
        for (Spot spot : List.of(NODE, BRANCH, NESTED)) {
            assertThat(Spot.lane(spot.path())).isEqualTo(spot.lane());
        }
    }
}
