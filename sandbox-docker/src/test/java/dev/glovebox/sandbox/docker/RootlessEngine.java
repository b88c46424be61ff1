package dev.glovebox.sandbox.docker;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.util.ArrayList;
import java.util.List;

/** Engines that run as an ordinary user of this machine, one who has other users to give away. */
enum RootlessEngine {
    DOCKER {
        @Override
        Path program() {
            return Path.of("/usr/share/docker.io/contrib/dockerd-rootless.sh");
        }

        @Override
        List<String> words(Path folder) {
            return List.of(
                    program().toString(),
                    "--data-root",
                    folder + "/data",
                    "--exec-root",
                    folder + "/exec",
                    "--pidfile",
                    folder + "/pid",
                    "--host",
                    "unix://" + folder + "/sock",
                    "--bridge=none",
                    "--iptables=false");
        }
    },
    PODMAN {
        @Override
        Path program() {
            return PrivateEngine.PODMAN;
        }

        @Override
        List<String> words(Path folder) {
            return PrivateEngine.podman(folder, folder);
        }
    };

    private static final List<Path> NEEDED =
            List.of(Path.of("/usr/bin/newuidmap"), Path.of("/usr/bin/setpriv"));

    abstract Path program();

    abstract List<String> words(Path folder);

    PrivateEngine start() throws IOException {
        if (!PrivateEngine.root()
                || !Files.exists(program())
                || !NEEDED.stream().allMatch(Files::exists)
                || (this == DOCKER && !Files.exists(Path.of("/usr/bin/rootlesskit")))) {
            throw new IOException("No engine without root can be started here: " + this);
        }
        String user = user();
        Path folder = Files.createTempDirectory("gb-rootless");
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx--x--x"));
        Path home = Files.createDirectory(folder.resolve("home"));
        UserPrincipal owner =
                folder.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName(user);
        Files.setOwner(home, owner);
        Files.setOwner(folder, owner);
        List<String> words =
                new ArrayList<>(
                        List.of(
                                "/usr/bin/setpriv",
                                "--reuid=" + user,
                                "--regid=" + user,
                                "--clear-groups",
                                "env",
                                "--chdir=" + home,
                                "PATH=/usr/sbin:/usr/bin:/sbin:/bin",
                                "HOME=" + home,
                                "XDG_RUNTIME_DIR=" + home));
        words.addAll(words(folder));
        return PrivateEngine.start(folder, words);
    }

    private static String user() throws IOException {
        Path list = Path.of("/etc/subuid");
        return (Files.exists(list) ? Files.readAllLines(list) : List.<String>of())
                .stream()
                        .map(line -> line.split(":")[0])
                        .filter(name -> !name.equals("root"))
                        .findFirst()
                        .orElseThrow(() -> new IOException("No user has others in /etc/subuid"));
    }
}
