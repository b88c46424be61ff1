package dev.glovebox.cli;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import dev.glovebox.sandbox.Language;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a first line tells about the language. */
class SourceTest {

    @ParameterizedTest
    @CsvSource({
        "#!/usr/bin/python3, PYTHON",
        "#!/usr/bin/python3.11 -u, PYTHON",
        "#! /usr/bin/env python, PYTHON",
        "#!/usr/bin/env -S node --harmony, JAVASCRIPT",
        "#!/usr/bin/env -S A=b node, JAVASCRIPT",
        "#!/bin/sh, BASH",
        "#!bash, BASH"
    })
    void a_first_line_names_an_interpreter(String line, Language language) {
        assertThat(Source.byFirstLine((line + "\nrest").getBytes(ISO_8859_1))).contains(language);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "#!",
                "#!\n/bin/sh",
                "#!/usr/bin/perl",
                "# python",
                "\0\0",
                "#!/usr/bin/env"
            })
    void anything_else_names_none(String start) {
        assertThat(Source.byFirstLine(start.getBytes(ISO_8859_1))).isEmpty();
    }
}
