package dev.glovebox.coder;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.glovebox.agent.Launch;
import dev.glovebox.agent.Wall;
import dev.glovebox.sandbox.Bytes;
import dev.glovebox.sandbox.Language;
import dev.glovebox.sandbox.Policy;
import dev.glovebox.sandbox.Program;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * How packages are installed: in a box of their own, which reaches the package index and nothing
 * else, and sees nothing of this machine.
 *
 * <p>Nothing of a package runs: no build of its own, no script of it.
 */
final class Installer {

    /** Changes whenever what comes of the same packages changes. */
    static final String VERSION = "1";

    /** Where the box puts them. */
    static final String FOLDER = "layer";

    private static final Bytes MEMORY = Bytes.mebibytes(1024);
    private static final Bytes DISK = Bytes.mebibytes(1024);
    private static final int OPEN_FILES = 1024;
    private static final String PYTHON = "/packages";
    private static final String AUTHORITIES = "authorities.pem";

    // Found by require and import alike: each folder above the program's is looked into.
    private static final String JAVASCRIPT = "/node_modules";

    private Installer() {}

    /** Where later programs see them. */
    static String seenAt(Language language) {
        return language == Language.PYTHON ? PYTHON : JAVASCRIPT;
    }

    /** The part of a layer that they see. */
    static Path shown(Language language, Path tree) {
        return language == Language.PYTHON ? tree : tree.resolve("node_modules");
    }

    /** Tells a program where to find them. */
    static Program using(Language language, Program program, Policy policy) {
        if (language != Language.PYTHON) {
            return program;
        }
        String own = policy.env().getOrDefault("PYTHONPATH", "");
        return program.env("PYTHONPATH", own.isEmpty() ? PYTHON : own + ":" + PYTHON);
    }

    static Launch launch(
            Packages packages, PackageIndex index, Policy policy, Optional<String> tier) {
        Program program = program(packages, index).stdin(new byte[0]);
        Launch launch =
                Launch.of(
                        index.allowedBy(closed(policy)),
                        index.authorities().isEmpty()
                                ? program
                                : program.input(AUTHORITIES, index.authorities().getBytes(UTF_8)));
        return tier.map(Wall::named).map(launch::behind).orElse(launch);
    }

    /** The same wall, and nothing else of what the program may have. */
    private static Policy closed(Policy policy) {
        Policy closed =
                Policy.denyAll()
                        .isolation(policy.isolation())
                        .memoryEnforcement(policy.memoryEnforcement())
                        .install(policy.install())
                        .wall(policy.install().wall())
                        .cpuTime(policy.install().wall())
                        .memory(MEMORY)
                        .disk(DISK)
                        .openFiles(OPEN_FILES);
        for (Language language : policy.runtime().keySet()) {
            closed = closed.runtime(language, policy.runtime().get(language));
        }
        return closed;
    }

    private static Program program(Packages packages, PackageIndex index) {
        return packages.language() == Language.PYTHON
                ? Program.script(Language.PYTHON, resource("install.py"), "install.py")
                        .args(pip(packages, index).toArray(String[]::new))
                : Program.command("npm", npm(packages, index).toArray(String[]::new))
                        .env("npm_config_cache", "/tmp/npm");
    }

    private static List<String> pip(Packages packages, PackageIndex index) {
        List<String> words =
                new ArrayList<>(
                        List.of(
                                FOLDER,
                                PYTHON,
                                "install",
                                "--isolated",
                                "--no-input",
                                "--no-cache-dir",
                                "--disable-pip-version-check",
                                "--no-warn-conflicts",
                                "--progress-bar=off",
                                "--retries=1",
                                "--timeout=15",
                                // A source archive would be built by running its own code.
                                "--only-binary=:all:",
                                "--no-compile",
                                "--target=" + FOLDER,
                                "--index-url=" + index.url()));
        if (index.trusted()) {
            words.add("--trusted-host=" + index.host());
        }
        if (!index.authorities().isEmpty()) {
            words.add("--cert=" + AUTHORITIES);
        }
        words.add("--");
        words.addAll(packages.requirements());
        return words;
    }

    private static List<String> npm(Packages packages, PackageIndex index) {
        List<String> words =
                new ArrayList<>(
                        List.of(
                                "install",
                                "--prefix=" + FOLDER,
                                "--registry=" + index.url(),
                                "--ignore-scripts",
                                "--no-bin-links",
                                "--no-audit",
                                "--no-fund",
                                "--no-save",
                                "--no-package-lock",
                                "--no-update-notifier",
                                "--fetch-retries=1",
                                "--fetch-retry-mintimeout=500",
                                "--fetch-timeout=15000",
                                "--loglevel=error"));
        if (index.trusted()) {
            words.add("--no-strict-ssl");
        }
        if (!index.authorities().isEmpty()) {
            words.add("--cafile=" + AUTHORITIES);
        }
        words.add("--");
        words.addAll(packages.requirements());
        return words;
    }

    private static byte[] resource(String name) {
        try (InputStream in = Installer.class.getResourceAsStream("install/" + name)) {
            if (in == null) {
                throw new AssertionError("The jar lacks " + name);
            }
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
