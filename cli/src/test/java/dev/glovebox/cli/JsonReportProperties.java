package dev.glovebox.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** Text in a document stands for exactly the bytes that a program wrote. */
class JsonReportProperties {

    @Property
    void text_gives_the_bytes_back(@ForAll byte[] bytes) {
        JsonReport.text(bytes).ifPresent(text -> assertThat(text.getBytes(UTF_8)).isEqualTo(bytes));
    }

    @Property
    void what_is_utf8_is_text(@ForAll String text) {
        byte[] bytes = text.getBytes(UTF_8);
        assertThat(JsonReport.text(bytes)).contains(new String(bytes, UTF_8));
    }
}
