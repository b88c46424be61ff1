package dev.glovebox.cli;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.Comparator;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The arrows between modules, as the design's table of rooms draws them. */
class ArchitectureTest {
    private static final String ROOT = "dev.glovebox.";

    private static final String UNKNOWN = "(no module)";

    /** A module, and the modules it may use; what those may use it may use as well. */
    private static final Map<String, Set<String>> ARROWS =
            Map.ofEntries(
                    Map.entry("sandbox", Set.of()),
                    Map.entry("sandbox-docker", Set.of("sandbox")),
                    Map.entry("sandbox-microvm", Set.of("sandbox")),
                    Map.entry("sandbox-wasm", Set.of("sandbox")),
                    Map.entry("sandbox-opensandbox", Set.of("sandbox")),
                    Map.entry("trace", Set.of()),
                    Map.entry("telemetry", Set.of("trace")),
                    Map.entry("run", Set.of("trace")),
                    Map.entry("agent", Set.of("run", "sandbox")),
                    Map.entry("coder", Set.of("agent")),
                    Map.entry("cluster", Set.of("run")),
                    Map.entry("server", Set.of("coder", "cluster", "telemetry")),
                    Map.entry(
                            "cli",
                            Set.of(
                                    "server",
                                    "sandbox-docker",
                                    "sandbox-microvm",
                                    "sandbox-wasm",
                                    "sandbox-opensandbox")),
                    Map.entry("bench", Set.of("cli")));

    private static final JavaClasses CLASSES =
            new ClassFileImporter()
                    .withImportOption(new ImportOption.DoNotIncludeTests())
                    .importPackages("dev.glovebox");

    static Set<String> modules() {
        Set<String> found = new TreeSet<>();
        CLASSES.forEach(type -> found.add(moduleOf(type)));
        return found;
    }

    @Test
    void every_class_belongs_to_a_module_of_the_table() {
        assertThat(modules()).contains("cli", "sandbox").doesNotContain(UNKNOWN);
    }

    @ParameterizedTest
    @MethodSource("modules")
    void a_module_uses_only_the_modules_in_its_row(String module) {
        Set<String> allowed = reachable(module);
        noClasses()
                .that(in(module))
                .should()
                .dependOnClassesThat(
                        describe(
                                "are in a module outside " + allowed,
                                type -> ours(type) && !allowed.contains(moduleOf(type))))
                .check(CLASSES);
    }

    @ParameterizedTest
    @MethodSource("modules")
    void what_is_internal_is_used_by_its_own_module_only(String module) {
        noClasses()
                .that(in(module))
                .should()
                .dependOnClassesThat(
                        describe(
                                "are internal to another module",
                                type -> internal(type) && !moduleOf(type).equals(module)))
                .check(CLASSES);
    }

    private static Set<String> reachable(String module) {
        Set<String> reached = new TreeSet<>(Set.of(module));
        ARROWS.getOrDefault(module, Set.of()).forEach(next -> reached.addAll(reachable(next)));
        return reached;
    }

    private static DescribedPredicate<JavaClass> in(String module) {
        return describe("are in module " + module, type -> moduleOf(type).equals(module));
    }

    /** The longest name wins: {@code dev.glovebox.sandbox.docker} is not in {@code sandbox}. */
    private static String moduleOf(JavaClass type) {
        return ARROWS.keySet().stream()
                .filter(module -> (type.getPackageName() + ".").startsWith(packageOf(module)))
                .max(Comparator.comparingInt(String::length))
                .orElse(UNKNOWN);
    }

    private static String packageOf(String module) {
        return ROOT + module.replace('-', '.') + ".";
    }

    private static boolean ours(JavaClass type) {
        return type.getPackageName().startsWith(ROOT);
    }

    private static boolean internal(JavaClass type) {
        return ours(type) && (type.getPackageName() + ".").contains(".internal.");
    }
}
