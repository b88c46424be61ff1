package dev.glovebox.coder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.glovebox.sandbox.Language;
import dev.glovebox.sandbox.Limit;
import dev.glovebox.sandbox.Outcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Errors and programs that nobody wrote in good faith. */
@Timeout(30)
class HostileReportsTest {

    private static final int MEGABYTE = 1 << 20;

    private static final List<String> PIECES =
            List.of(
                    "\"",
                    "'",
                    "`",
                    "'''",
                    "\"\"\"",
                    "(",
                    ")",
                    "[",
                    "]",
                    "{",
                    "}",
                    "\\",
                    "\n",
                    "    ",
                    "\t",
                    ":",
                    ",",
                    "=",
                    "f\"{",
                    "${",
                    "/*",
                    "*/",
                    "//",
                    "#",
                    "x",
                    "print",
                    "def f",
                    "class A",
                    "await ",
                    "async ",
                    "for i in range(len(x) + 1)",
                    "input()",
                    "import ",
                    "from x import y",
                    "const x",
                    "require('y')",
                    "0",
                    "0777",
                    "“",
                    "\u0000",
                    "\ud800",
                    "é",
                    "```",
                    "if ",
                    "/",
                    "=>",
                    "function ",
                    "sys.argv[1]",
                    "open('x')",
                    ".join(",
                    "x[i + 1]",
                    "print ");

    private static final List<String> ERRORS =
            List.of(
                    "SyntaxError: invalid syntax",
                    "SyntaxError: '(' was never closed",
                    "SyntaxError: unmatched ')'",
                    "SyntaxError: expected ':'",
                    "SyntaxError: unterminated string literal (detected at line 1)",
                    "SyntaxError: unterminated triple-quoted string literal (detected at line 9)",
                    "SyntaxError: invalid syntax. Perhaps you forgot a comma?",
                    "SyntaxError: invalid syntax. Maybe you meant '==' or ':=' instead of '='?",
                    "SyntaxError: invalid character '“' (U+201C)",
                    "SyntaxError: f-string expression part cannot include a backslash",
                    "SyntaxError: 'await' outside async function",
                    "SyntaxError: Missing parentheses in call to 'print'. Did you mean print(...)?",
                    "SyntaxError: (unicode error) 'unicodeescape' codec can't decode bytes",
                    "SyntaxError: Unexpected end of input",
                    "SyntaxError: Invalid or unexpected token",
                    "SyntaxError: missing ) after argument list",
                    "SyntaxError: Identifier 'x' has already been declared",
                    "SyntaxError: await is only valid in async functions and the top level bodies of modules",
                    "SyntaxError: Cannot use import statement outside a module",
                    "IndentationError: expected an indented block after 'if' statement on line 99999",
                    "IndentationError: expected an indented block after 'if' statement on line 0",
                    "IndentationError: unexpected indent",
                    "IndentationError: unindent does not match any outer indentation level",
                    "TabError: inconsistent use of tabs and spaces in indentation",
                    "NameError: name 'math' is not defined",
                    "NameError: name 'self' is not defined",
                    "NameError: name 'x' is not defined. Did you mean: 'y'?",
                    "UnboundLocalError: cannot access local variable 'x' where it is not associated with a value",
                    "ModuleNotFoundError: No module named 'x.y'",
                    "ModuleNotFoundError: No module named 'numpy'",
                    "ImportError: cannot import name 'Mapping' from 'collections' (x)",
                    "AttributeError: module 'time' has no attribute 'clock'",
                    "AttributeError: 'dict' object has no attribute 'has_key'",
                    "TypeError: can only concatenate str (not \"int\") to str",
                    "TypeError: unsupported operand type(s) for +: 'int' and 'str'",
                    "TypeError: sequence item 0: expected str instance, int found",
                    "TypeError: 'dict_keys' object is not subscriptable",
                    "TypeError: A.f() takes 1 positional argument but 2 were given",
                    "TypeError: list indices must be integers or slices, not float",
                    "TypeError: 'NoneType' object is not iterable",
                    "TypeError: Object of type set is not JSON serializable",
                    "TypeError: x.map is not a function",
                    "TypeError: x is not iterable",
                    "TypeError: Assignment to constant variable.",
                    "TypeError: Cannot read properties of undefined (reading 'x')",
                    "TypeError: Cannot mix BigInt and other types, use explicit conversions",
                    "ReferenceError: x is not defined",
                    "ReferenceError: require is not defined in ES module scope, you can use import instead",
                    "IndexError: list index out of range",
                    "KeyError: 'x'",
                    "RuntimeError: dictionary changed size during iteration",
                    "ZeroDivisionError: division by zero",
                    "RecursionError: maximum recursion depth exceeded",
                    "FileNotFoundError: [Errno 2] No such file or directory: 'a/b.csv'",
                    "Error: ENOENT: no such file or directory, open '../x'",
                    "Error: Cannot find module 'lodash'",
                    "UnicodeDecodeError: 'utf-8' codec can't decode byte 0xe9 in position 0: x",
                    "UnicodeEncodeError: 'ascii' codec can't encode character",
                    "EOFError: EOF when reading a line",
                    "Error: ",
                    ": ",
                    "\u0000\ud800");

    static Stream<Language> languages() {
        return Stream.of(Language.values());
    }

    private static Debugger.Repair repair(
            CodeArtifact code, Outcome outcome, String out, String err) {
        Attempt attempt =
                new Attempt(code, Lab.report(1, outcome, out, err), List.of("?"), Optional.empty());
        Debugger.Trouble trouble =
                new Debugger.Trouble(Lab.plan(code.language()), List.of(attempt));
        Debugger.Repair first = OfflineDebugger.standard().repair(trouble);
        Debugger.Repair second = OfflineDebugger.withoutIndex().repair(trouble);
        assertThat(first.diagnosis().category()).isNotBlank();
        assertThat(second.diagnosis().category()).isNotBlank();
        return first;
    }

    private static Debugger.Repair failed(CodeArtifact code, String err) {
        return repair(code, new Outcome.Exited(1), "", err);
    }

    @ParameterizedTest
    @MethodSource("languages")
    void aMegabyteOfErrorIsReadInPart(Language language) {
        CodeArtifact code = CodeArtifact.of(language, "x = 1\n");
        for (String piece :
                List.of(
                        "a",
                        "\n",
                        "  File \"main.py\", line 1\n",
                        "Error: x\n    at a (/main.js:1:1)\n",
                        "'",
                        "No module named '",
                        "File \"",
                        "    at (",
                        " ",
                        "^",
                        "~^")) {
            failed(code, piece.repeat(MEGABYTE / piece.length()));
            failed(
                    code,
                    piece.repeat(MEGABYTE / piece.length())
                            + "\nNameError: name 'x' is not defined");
        }
    }

    @ParameterizedTest
    @MethodSource("languages")
    void aMegabyteOfCodeIsNotRead(Language language) {
        CodeArtifact code = CodeArtifact.of(language, "(".repeat(MEGABYTE));

        Debugger.Repair repair =
                failed(code, "  File \"main.py\", line 1\nSyntaxError: invalid syntax");

        assertThat(repair.artifact()).isEmpty();
        assertThat(repair.diagnosis().cause()).contains("too long");
    }

    @Test
    void linesThatAreMadeToTakeLongDoNot() {
        for (Language language : List.of(Language.PYTHON, Language.JAVASCRIPT)) {
            for (String piece :
                    List.of(
                            "(", "a ", "\"", "'", "`", "${", "f\"{", "a.", "[a", "x=", "print ",
                            " ", "{\n", "\t\n", "if a:\n", "a, ", "len(a)", "/", "\\")) {
                CodeArtifact code = CodeArtifact.of(language, lines(piece, 4_000));
                for (String error : ERRORS) {
                    failed(code, located(language, 1, error));
                }
            }
        }
    }

    @Test
    void longProgramsTakeNotMuchLonger() {
        for (String piece :
                List.of(
                        "{\n",
                        "function f() {\n",
                        "x.has_key(",
                        "async function f() { f(",
                        "“",
                        "'")) {
            failed(
                    CodeArtifact.of(Language.JAVASCRIPT, lines(piece, 60_000)),
                    located(Language.JAVASCRIPT, 1, "SyntaxError: Unexpected end of input"));
            failed(
                    CodeArtifact.of(Language.PYTHON, lines(piece, 60_000)),
                    located(
                            Language.PYTHON,
                            1,
                            "AttributeError: 'dict' object has no attribute 'has_key'"));
        }
    }

    /** So much of it, in lines that are not too long to be read. */
    private static String lines(String piece, int length) {
        String line = piece.repeat(900 / piece.length());
        return (line + "\n").repeat(length / line.length());
    }

    @Test
    void linesThatDoNotExistAreNotLookedUp() {
        CodeArtifact code = CodeArtifact.of(Language.PYTHON, "pass");
        for (String line : List.of("0", "-1", "2", "999999999", "99999999999999999999")) {
            for (String error : ERRORS) {
                failed(code, "  File \"main.py\", line " + line + "\n    x\n    ^\n" + error);
                failed(
                        code,
                        "/main.js:"
                                + line
                                + "\nx\n^\n\n"
                                + error
                                + "\n    at f (/main.js:"
                                + line
                                + ":"
                                + line
                                + ")");
            }
        }
    }

    @Test
    void noRuleStumblesOverGarbage() {
        Random random = new Random(7);
        List<Rule> rules = new ArrayList<>(Rules.all(true));
        rules.addAll(Rules.all(false));
        for (int i = 0; i < 3000; i++) {
            Language language = random.nextBoolean() ? Language.PYTHON : Language.JAVASCRIPT;
            StringBuilder text = new StringBuilder();
            int length = random.nextInt(25);
            for (int j = 0; j < length; j++) {
                text.append(PIECES.get(random.nextInt(PIECES.size())));
            }
            CodeArtifact code = CodeArtifact.of(language, text.toString());
            String error =
                    located(
                            language,
                            1 + random.nextInt(4),
                            ERRORS.get(random.nextInt(ERRORS.size())));
            Scene scene =
                    new Scene(
                            Lab.plan(language),
                            code,
                            Lab.report(1, new Outcome.Exited(1), "", error),
                            error);
            for (Rule rule : rules) {
                assertThatCode(() -> rule.changes(scene))
                        .as("%s: %s %s", rule.getClass().getSimpleName(), text, error)
                        .doesNotThrowAnyException();
            }
        }
    }

    private static String located(Language language, int line, String error) {
        return language == Language.PYTHON
                ? "Traceback (most recent call last):\n  File \"/x/main.py\", line "
                        + line
                        + ", in f\n    x + y\n    ~~^~~\n"
                        + error
                        + "\n"
                : "/x/main.js:"
                        + line
                        + "\nx\n  ^\n\n"
                        + error
                        + "\n    at f (/x/main.js:"
                        + line
                        + ":3)\n";
    }

    @Test
    void aFileOutsideIsNotTouched() {
        CodeArtifact code = CodeArtifact.of(Language.PYTHON, "x = 1\n");

        Debugger.Repair repair =
                failed(
                        code,
                        "Traceback (most recent call last):\n  File \"/etc/passwd\", line 1, in f\n    a\nSyntaxError: expected ':'\n");

        assertThat(repair.artifact()).isEmpty();
        assertThat(repair.diagnosis().category()).isEqualTo("syntax");
    }

    @Test
    void aNameThatIsNoNameIsNotInstalled() {
        CodeArtifact python = CodeArtifact.of(Language.PYTHON, "import x\n");
        CodeArtifact node = CodeArtifact.of(Language.JAVASCRIPT, "require('x')\n");
        for (String name :
                List.of(
                        "--index-url=http://evil",
                        "a b",
                        "../x",
                        "_private",
                        "x;y",
                        "http://evil/x",
                        "")) {
            assertThat(
                            failed(python, "ModuleNotFoundError: No module named '" + name + "'")
                                    .artifact())
                    .isEmpty();
        }
        for (String name :
                List.of(
                        "--registry=http://evil",
                        "a b",
                        "git+ssh://evil/x",
                        "UPPER",
                        "x;y",
                        "node:fs",
                        "fs",
                        "@scope")) {
            assertThat(
                            failed(
                                            node,
                                            "Error: Cannot find module '"
                                                    + name
                                                    + "'\nRequire stack:\n    at x")
                                    .artifact())
                    .as(name)
                    .isEmpty();
        }
    }

    @Test
    void binaryCodeIsNoReasonToFail() {
        byte[] bytes = new byte[5000];
        new Random(3).nextBytes(bytes);
        String text = new String(bytes, java.nio.charset.StandardCharsets.ISO_8859_1);
        for (Language language : Language.values()) {
            for (String error : ERRORS) {
                failed(CodeArtifact.of(language, text), located(language, 2, error));
            }
        }
    }

    @Test
    void aProgramThatWasStoppedIsDiagnosedAndNotChanged() {
        CodeArtifact code = CodeArtifact.of(Language.PYTHON, "while True:\n    pass\n");

        Debugger.Repair late = repair(code, new Outcome.TimedOut(Duration.ofSeconds(5)), "", "");
        Debugger.Repair large = repair(code, new Outcome.LimitHit(Limit.MEMORY, 100, 200), "", "");
        Debugger.Repair many = repair(code, new Outcome.LimitHit(Limit.PROCESSES, 64, 64), "", "");
        Debugger.Repair denied = repair(code, new Outcome.Denied("seccomp", "mount"), "", "");

        assertThat(Stream.of(late, large, many, denied).map(Debugger.Repair::artifact))
                .allMatch(Optional::isEmpty);
        assertThat(Stream.of(late, large, many, denied).map(r -> r.diagnosis().category()))
                .containsExactly("time-out", "memory", "limit", "denied");
    }
}
