package dev.glovebox.sandbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HostPathsTest {

    private static final HostPaths RULES =
            new HostPaths(
                    Set.of(Path.of("/home/ann"), Path.of("/data/people/bob")),
                    Path.of("/srv/glovebox"));

    @ParameterizedTest
    @CsvSource({
        "/, root of the file system",
        "/home, home directories",
        "/Users, home directories",
        "/root, home directory",
        "/home/ann, home directory",
        "/home/unknown, home directory",
        "/Users/eve, home directory",
        "/data/people/bob, home directory",
        "/data/people, contains /data/people/bob",
        "/data, contains /data/people/bob",
        "/home/ann/.ssh, private folder '.ssh'",
        "/home/ann/.config/gcloud/x, private folder '.config'",
        "/home/unknown/.aws/credentials, private folder '.aws'",
        "/home/ann/work/.cache/x, private folder '.cache'",
        "/Users/eve/Library/Keychains, private folder 'Library'",
        "/root" + "/.netrc, private folder '.netrc'",
        "/etc, system directory /etc",
        "/etc/shadow, system directory /etc",
        "/var/run/docker.sock, system directory /var",
        "/var/tmp/x, system directory /var",
        "/proc/1/root, system directory /proc",
        "/sys, system directory /sys",
        "/dev/shm/x, system directory /dev",
        "/run/user/1000, system directory /run",
        "/boot, system directory /boot",
        "/lost+found, system directory /lost+found",
        "/usr, system directory /usr",
        "/usr/local/share/x, system directory /usr",
        "/lib64, system directory /lib64",
        "/private, contains /private/etc",
        "/private/etc/passwd, system directory /private/etc",
        "/private/var/db, system directory /private/var",
        "/private/var/folders, system directory /private/var",
        "/tmp, sockets",
        "/tmp/.X11-unix, sockets",
        "/tmp/.X11-unix/X0, sockets",
        "/tmp/ssh-AbC/agent.1, sockets",
        "/private/tmp/ssh-1, sockets",
        "/srv/glovebox, keys and traces",
        "/srv/glovebox/runs/1, keys and traces",
        "/srv/glovebox/layers, keys and traces",
        "/srv/glovebox/layersx/1, keys and traces",
        "/var/lib/glovebox/layers, system directory /var",
        "/srv, contains /srv/glovebox"
    })
    void refuses(String path, String why) {
        assertThat(RULES.refusal(Path.of(path)))
                .hasValueSatisfying(reason -> assertThat(reason).contains(why));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/home/ann/project",
                "/home/ann/project/data",
                "/root" + "/project",
                "/data/people/bob/x",
                "/data/other",
                "/opt/tool",
                "/tmp/work",
                "/tmp/work/.hidden",
                "/private/var/folders/ab/T/x",
                "/srv/other",
                "/mnt/disk",
                "/etcetera",
                "/srv/glovebox/layers/ab/tree",
                "/var/lib/glovebox/layers/ab/tree",
                "/homework",
                "/variable/x",
                "/work/.git",
                "/users"
            })
    void allows(String path) {
        assertThat(RULES.refusal(Path.of(path))).isEmpty();
    }

    @Test
    void knowsInstalledPackages() {
        assertThat(RULES.isLayer(Path.of("/srv/glovebox/layers/ab"))).isTrue();
        assertThat(RULES.isLayer(Path.of("/srv/glovebox/layers"))).isFalse();
        assertThat(RULES.isLayer(Path.of("/srv/glovebox/keys"))).isFalse();
    }

    @Test
    void takesHomesOfAccountsThatCanLogIn() {
        assertThat(HostPaths.loginHome("ann:x:1000:1000:Ann:/home/ann:/bin/bash"))
                .contains(Path.of("/home/ann"));
        assertThat(HostPaths.loginHome("ci:x:999:999::/opt/ci:/bin/sh"))
                .contains(Path.of("/opt/ci"));
        assertThat(HostPaths.loginHome("www:x:33:33::/srv/www:/usr/sbin/nologin")).isEmpty();
        assertThat(HostPaths.loginHome("x:x:34:34::/srv/x:/bin/false")).isEmpty();
        assertThat(HostPaths.loginHome("# a comment")).isEmpty();
        assertThat(HostPaths.loginHome("")).isEmpty();
    }

    @Test
    void knowsTheHomeOfWhoRunsIt() {
        assertThat(HostPaths.here().refusal(Path.of(System.getProperty("user.home")))).isPresent();
        assertThat(HostPaths.here().homes()).doesNotContain(Path.of("/"));
    }
}
