package dev.glovebox.coder;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** The mistakes that are made in correct programs. */
class OracleBugTest {

    private static final CorpusTask TASK =
            new CorpusTask(
                    "T",
                    "import math\n\n\ndef f(n):\n    \"\"\"?\"\"\"\n",
                    "f",
                    """
                    total = 0
                    for i in range(n):
                        total += math.sqrt(i)
                    return round(total)
                    """
                            .indent(4),
                    "def check(c): pass");

    private static String changed(int number) {
        return OracleBug.broken(TASK, number).source();
    }

    @Test
    void each_number_makes_another_mistake() {
        String right = TASK.oracle().source();
        assertThat(changed(0)).isEqualTo(right.replace("import math\n", ""));
        assertThat(changed(1)).isEqualTo(right.replace("round(total)", "round(totla)"));
        assertThat(changed(2)).isEqualTo(right.replace("range(n):", "range(n)"));
        assertThat(changed(3)).isEqualTo(right.replace("round(total)", "round(total"));
        assertThat(changed(4)).isEqualTo(right.replace("range(n)", "range(n + 1)"));
        assertThat(changed(5)).isEqualTo(changed(0));
    }

    @Test
    void a_program_without_a_place_for_any_is_broken_nevertheless() {
        CorpusTask task = new CorpusTask("T", "def f():\n", "f", "    return 1\n", "?");
        for (int i = 0; i < 5; i++) {
            assertThat(OracleBug.broken(task, i).source()).isEqualTo("def f():\n    return 1)\n");
        }
    }
}
