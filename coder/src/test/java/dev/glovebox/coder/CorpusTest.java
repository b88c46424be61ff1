package dev.glovebox.coder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a corpus may look like. */
class CorpusTest {

    private static final String GOOD =
            "{'task_id':'T/ID','prompt':'def f():\\n','entry_point':'f',"
                    + "'canonical_solution':'    return 1\\n','test':'def check(c): pass'}";

    @TempDir Path folder;

    private static String good(int number) {
        return GOOD.replace('\'', '"').replace("ID", Integer.toString(number));
    }

    private Corpus read(byte[] content) throws IOException {
        return Corpus.read(Files.write(folder.resolve("c.jsonl"), content));
    }

    private Corpus read(String content) throws IOException {
        return read(content.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void each_line_is_a_problem_and_empty_lines_are_none() throws IOException {
        Corpus corpus = read(good(1) + "\n\n" + good(2) + "\r\n");
        assertThat(corpus.tasks()).extracting(CorpusTask::id).containsExactly("T/1", "T/2");
        assertThat(corpus.limit(1).tasks()).hasSize(1);
        assertThat(corpus.limit(9).tasks()).hasSize(2);
    }

    @Test
    void what_is_compressed_is_the_same_corpus() throws IOException {
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (GZIPOutputStream out = new GZIPOutputStream(packed)) {
            out.write(good(1).getBytes(StandardCharsets.UTF_8));
        }
        assertThat(read(packed.toByteArray())).isEqualTo(read(good(1)));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    {"task_id":                                   | not JSON
                    {} {}                                         | not JSON
                    []                                            | not an object
                    {}                                            | no text as its task_id
                    {"task_id":7}                                 | no text as its task_id
                    {"task_id":"a b"}                             | task_id is not a short word
                    {"task_id":"a"}                               | no text as its entry_point
                    {"task_id":"a","entry_point":"f()"}           | not the name of a function
                    {"task_id":"a","entry_point":"f","prompt":""} | no text as its prompt
                    """)
    void a_line_that_is_no_problem_is_named(String line, String why) {
        assertThatThrownBy(() -> read(good(1) + "\n" + line + "\n" + good(2)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("Line 2 of c.jsonl is no problem: ")
                .hasMessageContaining(why);
    }

    @Test
    void a_problem_that_comes_twice_is_named() {
        assertThatThrownBy(() -> read(good(1) + "\n" + good(2) + "\n" + good(1)))
                .hasMessage("Line 3 of c.jsonl is no problem: its task_id T/1 is that of line 1");
    }

    @Test
    void a_line_without_end_is_named_and_not_kept() {
        assertThatThrownBy(() -> read(good(1) + "\n" + "x".repeat(3 << 20)))
                .hasMessageContaining("Line 2")
                .hasMessageContaining("longer than");
    }

    @Test
    void what_is_no_text_is_named() {
        assertThatThrownBy(() -> read(new byte[] {'{', (byte) 0xff, '}', '\n'}))
                .hasMessageContaining("Line 1")
                .hasMessageContaining("not UTF-8");
    }

    @Test
    void nothing_and_broken_archives_are_no_corpus() {
        assertThatThrownBy(() -> read("\n")).hasMessageContaining("no problem in c.jsonl");
        assertThatThrownBy(() -> read(new byte[] {0x1f, (byte) 0x8b, 1, 2, 3}))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("cannot be read");
        assertThatThrownBy(() -> Corpus.read(folder.resolve("none")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageEndingWith("none does not exist");
    }
}
