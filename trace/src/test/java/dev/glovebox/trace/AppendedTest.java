package dev.glovebox.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class AppendedTest {

    /** Each new list continues any of those before: the others stay as they are. */
    @Property
    void listsAreNotChangedByThoseThatContinueThem(
            @ForAll @Size(max = 40) List<@IntRange(max = 1_000) Integer> steps) {
        List<Appended<Integer>> lists = new ArrayList<>();
        List<List<Integer>> expected = new ArrayList<>();
        lists.add(Appended.copyOf(List.of()));
        expected.add(List.of());
        for (int step : steps) {
            int before = step % lists.size();
            List<Integer> more = IntStream.range(step, step + step % 4).boxed().toList();
            lists.add(lists.get(before).plus(more));
            List<Integer> all = new ArrayList<>(expected.get(before));
            all.addAll(more);
            expected.add(all);
        }
        assertThat(lists).isEqualTo(expected);
        for (int one = 0; one < lists.size(); one++) {
            for (int other = 0; other < lists.size(); other++) {
                if (lists.get(one).continues(lists.get(other))) {
                    List<Integer> shorter = expected.get(other);
                    assertThat(expected.get(one).subList(0, shorter.size())).isEqualTo(shorter);
                }
            }
        }
    }

    @Test
    void itIsKnownThatAListContinuesTheOneThatItWasMadeOf() {
        Appended<String> one = Appended.copyOf(List.of("a"));
        Appended<String> two = one.plus(List.of("b"));
        assertThat(two.continues(one)).isTrue();
        assertThat(one.continues(two)).isFalse();
        assertThat(two.continues(List.of("a"))).isFalse();
        assertThat(one.plus(List.of("c")).continues(two)).isFalse();
    }

    @Test
    void theSameListIsNotCopied() {
        Appended<String> list = Appended.copyOf(List.of("a"));
        assertThat(Appended.copyOf(list)).isSameAs(list);
        assertThat(list.plus(List.of())).isSameAs(list);
    }

    @Test
    void nobodyCanChangeIt() {
        List<String> source = new ArrayList<>(List.of("a"));
        Appended<String> list = Appended.copyOf(source);
        source.set(0, "b");
        assertThat(list).containsExactly("a");
        assertThatThrownBy(() -> list.add("c")).isInstanceOf(UnsupportedOperationException.class);
        assertThatThrownBy(() -> list.set(0, "c"))
                .isInstanceOf(UnsupportedOperationException.class);
        assertThatThrownBy(() -> list.remove(0)).isInstanceOf(UnsupportedOperationException.class);
        assertThatThrownBy(() -> list.get(1)).isInstanceOf(IndexOutOfBoundsException.class);
    }

    @Test
    void whatIsNullIsNotTaken() {
        Appended<String> list = Appended.copyOf(List.of("a"));
        assertThatThrownBy(() -> list.plus(Arrays.asList("b", null)))
                .isInstanceOf(NullPointerException.class);
        assertThat(list.plus(List.of("c"))).containsExactly("a", "c");
    }

    @Test
    void threadsThatContinueTheSameListDoNotDisturbEachOther() throws Exception {
        Appended<Integer> common = Appended.copyOf(List.of(-1));
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Callable<List<Integer>>> tasks = new ArrayList<>();
            for (int thread = 0; thread < 50; thread++) {
                int number = thread;
                tasks.add(() -> {
                    Appended<Integer> list = common;
                    for (int i = 0; i < 100; i++) {
                        list = list.plus(List.of(number));
                    }
                    return list;
                });
            }
            int number = 0;
            for (Future<List<Integer>> list : threads.invokeAll(tasks)) {
                assertThat(list.get()).hasSize(101).startsWith(-1);
                assertThat(list.get().subList(1, 101)).containsOnly(number++);
            }
        }
    }
}
