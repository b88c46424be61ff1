package dev.glovebox.coder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.glovebox.sandbox.Language;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PackagesTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "-r",
                "--index-url=http://elsewhere/",
                "-rrequirements.txt",
                "numpy pandas",
                "numpy\n--pre",
                "numpy;os_name=='posix'",
                "numpy @ http://elsewhere/numpy.whl",
                "git+https://elsewhere/it.git",
                "http://elsewhere/it.whl",
                "file:///etc/passwd",
                "./here",
                "../there",
                "/etc",
                "it.whl",
                "it.zip",
                "it.tar.gz",
                "numpy==",
                "numpy==1.0;x",
                "numpy==$(id)",
                "nümpy",
                "nump\u0443",
                "numpy\u0000",
                "numpy-",
                "_numpy",
                "numpy[",
                "numpy[a b]"
            })
    void whatIsNoNameForPipIsRefused(String name) {
        assertThatThrownBy(() -> new Packages(Language.PYTHON, List.of(name)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("is not the name of a python package")
                .message()
                .doesNotContain("\n", "\0");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "--registry=http://elsewhere",
                "-g",
                "some/repository",
                "github:some/repository",
                "git+ssh://elsewhere/it",
                "http://elsewhere/it.tgz",
                "it.tgz",
                "./it",
                "~/it",
                "it@npm:other",
                "it@file:../it",
                "it@http://elsewhere/it.tgz",
                "it@1.0 || 2.0",
                "@scope",
                "@scope/",
                "@/it",
                "@a/b/c",
                "IT",
                "it\u0441",
                "it it"
            })
    void whatIsNoNameForNpmIsRefused(String name) {
        assertThatThrownBy(() -> new Packages(Language.JAVASCRIPT, List.of(name)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("is not the name of a javascript package");
    }

    @Test
    void thereAreNoPackagesForTheShellAndNotAnyNumberOfThem() {
        assertThatThrownBy(() -> new Packages(Language.BASH, List.of("jq")))
                .hasMessageContaining("no packages for bash");
        assertThatThrownBy(() -> new Packages(Language.PYTHON, List.of()))
                .hasMessageContaining("no packages");
        List<String> many = Collections.nCopies(40, "x").stream().map(x -> x).toList();
        assertThat(new Packages(Language.PYTHON, many).requirements()).containsExactly("x");
        assertThatThrownBy(() -> new Packages(Language.PYTHON, List.of("x".repeat(100_000))))
                .satisfies(e -> assertThat(e.getMessage()).hasSizeLessThan(400));
    }

    @Test
    void theOrderAndTheSpellingOfNamesDoNotMatter() {
        Packages one =
                new Packages(
                        Language.PYTHON,
                        List.of("Scikit_Learn", "numpy>=1.20,<3", "requests[socks]==2.31.0"));
        assertThat(one.requirements())
                .containsExactly("numpy>=1.20,<3", "requests[socks]==2.31.0", "scikit-learn");
        assertThat(
                        new Packages(
                                Language.PYTHON,
                                List.of(
                                        "scikit.learn",
                                        "scikit-learn",
                                        "requests[socks]==2.31.0",
                                        "NumPy>=1.20,<3")))
                .isEqualTo(one);
        assertThat(
                        new Packages(
                                        Language.JAVASCRIPT,
                                        List.of(
                                                "left-pad@^1.3.0",
                                                "@types/node",
                                                "lodash.get@latest"))
                                .requirements())
                .containsExactly("@types/node", "left-pad@^1.3.0", "lodash.get@latest");
    }
}
