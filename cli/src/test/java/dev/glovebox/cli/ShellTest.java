package dev.glovebox.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What others wrote, on a terminal. */
class ShellTest {

    /** Escape, C1, orders of direction, separators of lines, half a character, an invisible one. */
    @ParameterizedTest
    @ValueSource(
            ints = {
                0x1b, 0x9b, 0x061c, 0x200b, 0x200e, 0x200f, 0x2028, 0x2029, 0x202a, 0x202e, 0x2066,
                0x2069, 0xd800, 0xfeff, 0xe0041
            })
    void whatDrivesATerminalOrHidesTextIsABlank(int c) {
        String text = "a" + Character.toString(c) + "b";

        assertThat(Shell.printable(text)).isEqualTo("a b");
        assertThat(Shell.oneLine(text)).isEqualTo("a b");
    }

    @Test
    void whatPeopleWriteStays() {
        String text = "naïve 漢字 שלום می\u200cخواهم 👩\u200d💻";

        assertThat(Shell.printable(text)).isEqualTo(text);
    }
}
