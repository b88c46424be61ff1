package dev.glovebox.coder;

import static org.assertj.core.api.Assertions.assertThat;

import dev.glovebox.sandbox.Language;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.CharRange;
import net.jqwik.api.constraints.Chars;
import org.junit.jupiter.api.Test;

class SourceTest {

    private static String python(String text) {
        return Source.of(Language.PYTHON, text).code();
    }

    private static String node(String text) {
        return Source.of(Language.JAVASCRIPT, text).code();
    }

    @Test
    void wordsOfPythonAreNoCode() {
        assertThat(python("x = 'a(b' # c(")).isEqualTo("x = '   '     ");
        assertThat(python("x = \"it's\" + y")).isEqualTo("x = \"    \" + y");
        assertThat(python("'''a\n(b'''(")).isEqualTo("''' \n  '''(");
        assertThat(python("'a\\'b' c")).isEqualTo("'    ' c");
        assertThat(python("r = 'open\nnext")).isEqualTo("r = '    \nnext");
    }

    @Test
    void fieldsOfFormatStringsAreCode() {
        assertThat(python("f'a {b + c[0]:>5} {{d}}'")).isEqualTo("f'   b + c[0]          '");
        assertThat(python("f\"{d['k']!r}\"")).isEqualTo("f\" d[' ']   \"");
        assertThat(python("'{b}'")).isEqualTo("'   '");
    }

    @Test
    void wordsOfJavaScriptAreNoCode() {
        assertThat(node("x = 'a(' // b(")).isEqualTo("x = '  '      ");
        assertThat(node("/* ( \n */ y")).isEqualTo("     \n    y");
        assertThat(node("`a ${b + `${c}`} d` e")).isEqualTo("`    b + `  c `   ` e");
        assertThat(node("x = a / b / c")).isEqualTo("x = a / b / c");
        assertThat(node("x.replace(/[/(]/g, '')")).isEqualTo("x.replace(/    /g, '')");
        assertThat(node("return /(/;")).isEqualTo("return / /;");
    }

    @Test
    void bracketsInWordsDoNotCount() {
        assertThat(Source.of(Language.PYTHON, "print(')') # (").isBalanced()).isTrue();
        assertThat(Source.of(Language.PYTHON, "print('(' ]").oddBracket()).isEqualTo(10);
    }

    @Property
    void theCodeHasTheLengthAndTheLinesOfTheText(
            @ForAll
                    @Chars({
                        '"', '\'', '`', '\\', '{', '}', '$', '#', '/', '*', '\n', 'f', ':', '!'
                    })
                    @CharRange(from = 'a', to = 'd')
                    String text) {
        for (Language language : Language.values()) {
            Source source = Source.of(language, text);
            assertThat(source.code()).hasSameSizeAs(text);
            for (int i = 0; i < text.length(); i++) {
                assertThat(source.code().charAt(i) == '\n').isEqualTo(text.charAt(i) == '\n');
                assertThat(source.code().charAt(i)).isIn(text.charAt(i), ' ');
                int line = source.lineOf(i);
                assertThat(i).isGreaterThanOrEqualTo(source.start(line));
            }
        }
    }
}
