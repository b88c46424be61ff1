package dev.glovebox.coder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.glovebox.sandbox.Language;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CompletenessTest {

    private static List<String> python(String code) {
        return Completeness.problems(Language.PYTHON, Map.of("main.py", code));
    }

    private static List<String> javascript(String code) {
        return Completeness.problems(Language.JAVASCRIPT, Map.of("main.js", code));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "x = 1\n# TODO: the other half\n",
                "x = 1  # TODO handle errors\n",
                "# todo: write it\n",
                "# FIXME later\nprint(1)\n",
                "def f(x):\n    # your code here\n    return x\n",
                "# ... existing code ...\nprint(1)\n",
                "# ... rest of the code\n",
                "# The rest of the implementation stays the same\n",
                "# Rest of your function\n",
                "def f():\n    # ...\n    print(1)\n",
                "# (other methods omitted for brevity)\n",
                "# Implementation goes here\nprint(1)\n",
                "# Add your logic here\nprint(1)\n",
                "# This is a placeholder for the actual calculation\nprint(1)\n",
                "# Not implemented yet\nprint(1)\n",
                "def f(x):\n    pass\n",
                "def f(x): pass\n",
                "def f(x): ...\n",
                "def f(x) -> int:\n    ...\nprint(f(1))\n",
                "def f(x):\n    \"\"\"Adds one.\n\n    And more.\n    \"\"\"\nprint(f(1))\n",
                "def f(x):\n    '''Adds one.'''\n    pass  # later\n\nprint(1)\n",
                "async def f(\n    x: dict[str, int] = {},\n) -> int:\n    pass\n",
                "def f(x):\n    return None\n",
                "def f(x):\n    \"\"\"Doc.\"\"\"\n    raise NotImplementedError\n",
                "def f(x):\n    raise NotImplementedError('later')\n",
                "class A:\n    def f(self):\n        pass\n\nA().f()\n",
                "def f(x):\n    y = x\n    ...\n    return y\n",
                "print(1)\n...\n",
                "def f(x):\n    ... rest of the function\n    return x\n",
                "```python\nprint(1)\n",
                "print(1)\n```\n",
                "Here it is:\n```python\nprint(1)\n```\nDone.\n"
            })
    void incompletePythonIsFound(String code) {
        assertThat(python(code)).isNotEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "try:\n    f()\nexcept ValueError:\n    pass\n",
                "try:\n    f()\nexcept ValueError:\n    ...\n",
                "if x:\n    pass\nelse:\n    print(1)\n",
                "print('...')\nprint(\"TODO app\")\n",
                "title = 'My TODO list: '\n",
                "text = '''\n# TODO: this is text\n...\n```\n'''\n",
                "# A simple TODO app\nprint(1)\n",
                "# TODO list manager\nprint(1)\n",
                "# TODO-list: keeps items\nprint(1)\n",
                "from typing import Protocol\n\nclass P(Protocol):\n    def f(self) -> int: ...\n\n    def g(self) -> int:\n        ...\n",
                "from abc import ABC, abstractmethod\n\nclass A(ABC):\n    @abstractmethod\n    def f(self):\n        pass\n\n    @property\n    @abstractmethod\n    def g(self):\n        raise NotImplementedError\n",
                "from typing import overload\n\n@overload\ndef f(x: int) -> int: ...\n@overload\ndef f(x: str) -> str: ...\ndef f(x):\n    return x\n",
                "class Shape:\n    def area(self):\n        raise NotImplementedError\n\nclass Square(Shape):\n    def area(self):\n        return 4\n",
                "class Bad(Exception):\n    pass\n",
                "class Bad(Exception):\n    \"\"\"Why.\"\"\"\n",
                "class Box: ...\n",
                "def f(op):\n    if op == 1:\n        return 2\n    raise NotImplementedError(op)\n",
                "def f():\n    return\n",
                "class A:\n    def __init__(self):\n        pass\n\n    def __exit__(self, *e):\n        pass\n",
                "def noop(*_): pass\n",
                "import numpy as np\na = np.zeros((2, 2))\nprint(a[..., 0])\n",
                "x: tuple[int, ...] = (1,)\n",
                "def f(x):\n    \"\"\"Doc with ... dots and TODO: words.\"\"\"\n    return x\n",
                "def f(n):\n    if n is None:\n        return None\n    return n\n",
                "# The rest of the line is read\n# Keep existing code points\nprint(1)\n",
                "# Takes the rest of the list ... and sorts it\nprint(1)\n",
                "while True:\n    pass\n",
                ""
            })
    void completePythonIsNotSentBack(String code) {
        assertThat(python(code)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "// TODO: more\nconsole.log(1);\n",
                "/* FIXME */\nf();\n",
                "/**\n * TODO: describe\n */\nf();\n",
                "// ... existing code ...\n",
                "// ... rest of your code\n",
                "f(); // your implementation here\n",
                "function f(a) {\n  // ...\n}\n",
                "function f(a) {}\n",
                "function f(a) {\n  return null;\n}\n",
                "async function f(a) { return undefined }\n",
                "const f = (a) => {};\n",
                "const f = function (a) {};\n",
                "class A {\n  f(a) {\n  }\n}\n",
                "function f(a) {\n  throw new Error('Not implemented');\n}\n",
                "function f(a) {\n  throw new Error(\"not yet implemented.\");\n}\n",
                "const f = () => { throw Error(`TODO`); };\n",
                "f();\n...\ng();\n",
                "... rest of the code\n",
                "```js\nf();\n",
                "f();\n```"
            })
    void incompleteJavaScriptIsFound(String code) {
        assertThat(javascript(code)).isNotEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "try { f(); } catch (e) {}\n",
                "try {\n  f();\n} catch {\n}\n",
                "const all = [\n  ...one,\n  ...two,\n];\n",
                "const { a, ...rest } = o;\nfunction f(...args) { return args; }\n",
                "console.log('TODO app', \"...\", `// TODO: ${x} ...`);\n",
                "const noop = () => {};\nserver.on('x', () => {});\n",
                "const onEnd = () => {};\n",
                "class A {\n  constructor() {}\n}\n",
                "class Shape {\n  area() {\n    throw new Error('not implemented');\n  }\n}\nclass Square extends Shape {\n  area() { return 4; }\n}\n",
                "switch (op) {\n  default:\n    throw new Error('Not implemented: ' + op);\n}\n",
                "for (let i = 0; i < 3; i++) {}\nwhile (next()) {}\n",
                "const md = `\n```js\nf();\n```\n`;\nconsole.log(md);\n",
                "function f() {\n  return;\n}\n",
                "function f(a) {\n  if (!a) {\n    return null;\n  }\n  return a;\n}\n",
                "const re = /\\/\\/ TODO: x/;\n",
                "// the other functions return numbers\nf();\n"
            })
    void completeJavaScriptIsNotSentBack(String code) {
        assertThat(javascript(code)).isEmpty();
    }

    @Test
    void otherFilesAreData() {
        assertThat(
                        Completeness.problems(
                                Language.PYTHON,
                                Map.of(
                                        "main.py", "print(1)\n",
                                        "notes.md", "```\nTODO: buy milk\n```\n",
                                        "types.pyi", "def f(x: int) -> int: ...\n")))
                .isEmpty();
    }

    @Test
    void aBaseClassMayBeOverriddenInAnotherFile() {
        assertThat(
                        Completeness.problems(
                                Language.PYTHON,
                                Map.of(
                                        "shape.py",
                                        "class Shape:\n    def area(self):\n        pass\n",
                                        "main.py",
                                        "import shape\n\nclass Square(shape.Shape):\n    def area(self):\n        return 4\n")))
                .isEmpty();
    }

    @Test
    void whatIsFoundHasItsPlace() {
        assertThat(python("def f(x):\n    return x\n\n\ndef g(x):\n    pass\n"))
                .singleElement()
                .asString()
                .startsWith("main.py, line 5: the body of g is missing");
    }

    @Test
    void aShellScriptWithATodoIsIncomplete() {
        assertThat(Completeness.problems(Language.BASH, Map.of("main.sh", "# TODO: all\necho\n")))
                .hasSize(1);
    }

    /** They ran, and did what they should. */
    @Test
    void everyRecipeIsComplete() throws IOException {
        Path recipes = Path.of("src/main/resources/dev/glovebox/coder/recipes");
        int seen = 0;
        try (Stream<Path> files = Files.walk(recipes)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                String name = file.getFileName().toString();
                String code = Files.readString(file);
                if (name.endsWith(".py")) {
                    assertThat(python(code)).as(file.toString()).isEmpty();
                    seen++;
                } else if (name.endsWith(".js")) {
                    assertThat(javascript(code)).as(file.toString()).isEmpty();
                    seen++;
                }
            }
        }
        assertThat(seen).isGreaterThan(50);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "def f(",
                "def f(): pass\n",
                "((((",
                "\"\"\"",
                "# ...",
                "# ... . ... ",
                "class A(",
                "function f(",
                "  f(",
                "`${",
                "//",
                "/*",
                "@abstractmethod\n",
                "    ...\n",
                "\n",
                "… ",
                "\ud800",
                "return None",
                "# rest rest of the the "
            })
    void whateverComesItEnds(String part) {
        String text = part.repeat(64 * 1024 / part.length());
        assertTimeoutPreemptively(
                Duration.ofSeconds(20),
                () -> {
                    assertThat(python(text)).hasSizeLessThanOrEqualTo(10);
                    assertThat(javascript(text)).hasSizeLessThanOrEqualTo(10);
                });
    }
}
