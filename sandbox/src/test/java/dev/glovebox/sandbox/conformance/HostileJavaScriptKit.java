package dev.glovebox.sandbox.conformance;

import static dev.glovebox.sandbox.Bytes.kibibytes;
import static dev.glovebox.sandbox.Bytes.mebibytes;
import static org.assertj.core.api.Assertions.assertThat;

import dev.glovebox.sandbox.Bytes;
import dev.glovebox.sandbox.Language;
import dev.glovebox.sandbox.Limit;
import dev.glovebox.sandbox.Outcome;
import dev.glovebox.sandbox.Policy;
import dev.glovebox.sandbox.Pressure;
import dev.glovebox.sandbox.Program;
import dev.glovebox.sandbox.Result;
import dev.glovebox.sandbox.Sandbox;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Hostile programs in JavaScript: they want all there is, do not end, and try to get at what is
 * around them. They run on node as well as on an engine inside this JVM.
 */
public abstract class HostileJavaScriptKit extends HostileKit {

    private static final Bytes MEMORY = mebibytes(160);

    private Policy small() {
        return policy().wall(seconds(60)).cpuTime(seconds(60)).memory(MEMORY).disk(mebibytes(16));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "const all = []; for (;;) all.push('x'.repeat(1 << 20) + all.length);",
                "let s = 'x'; const all = []; for (;;) { s += s; all.push(s.slice(1)); if (s.length > 1e8) s = 'x' }",
                "const all = []; for (;;) all.push(new Array(10000).fill({}));",
                "const all = []; for (;;) all.push(new Uint8Array(1 << 20).fill(7));",
                "const all = []; for (;;) { all.push(new ArrayBuffer(64 << 20)); new Uint8Array(all.at(-1)).fill(1) }",
                "const m = new Map(); for (let i = 0; ; i++) m.set('key ' + i, { i, m: [i, i, i, i] });",
                "let o = {}; for (;;) o = { o, more: [1, 2, 3, 4, 5, 6, 7, 8] };",
                "const grow = () => { const a = []; for (;;) { a.push(a.slice()); } }; grow();",
                "let n = 1n; for (;;) n = n * n + (1n << 20000n);",
                "const all = []; for (;;) all.push(JSON.parse('[' + '0,'.repeat(100000) + '0]'));"
            })
    void aMemoryBombIsHeld(String bomb) {
        Attack attack = attackInJavaScript(small(), "tell('tried', 'bomb');\n" + bomb);
        assertThat(attack.answer("tried")).isEqualTo("bomb");
        isHeld(attack);
    }

    private static void isHeld(Attack attack) {
        // The engine may give up before the limit does: node aborts, others throw.
        assertThat(attack.outcome()).as(attack.toString()).isNotEqualTo(new Outcome.Exited(0));
        if (attack.outcome() instanceof Outcome.LimitHit(Limit limit, long value, long peak)) {
            assertThat(limit).isIn(Limit.MEMORY, Limit.CPU_TIME);
            assertThat(peak).isGreaterThanOrEqualTo(limit == Limit.MEMORY ? 1 : value);
        }
        assertThat(attack.result().usage().peakMemory())
                .isLessThanOrEqualTo(MEMORY.plus(mebibytes(32)));
    }

    /** Memory that nobody writes to is none yet, so only the time may end this. */
    @Test
    void aBombOfMemoryThatIsNeverTouchedIsHeld() {
        Attack attack =
                attackInJavaScript(
                        small().wall(seconds(5)),
                        """
                        tell('tried', 'bomb');
                        const all = [];
                        for (;;) all.push(new ArrayBuffer(64 << 20));
                        """);
        assertThat(attack.answer("tried")).isEqualTo("bomb");
        isHeld(attack);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "for (;;);",
                "for (;;) try { throw 1 } catch { continue } finally { continue }",
                "/^(a+)+$/.test('a'.repeat(60) + 'b')",
                "/(?:x*)*y/.exec('x'.repeat(5000))",
                "'x'.repeat(50000).replace(/(.*)*z/, '')",
                "const f = () => Promise.resolve().then(f); f()",
                "const f = () => setTimeout(f, 0); f()",
                "const p = new Proxy({}, { get: (t, k, r) => { for (;;); } }); p.x",
                "[1, 2].sort(() => { for (;;); })",
                "JSON.stringify({ toJSON() { for (;;); } })",
                "function* g() { for (;;) yield 1 } for (const x of g());",
                "eval('for (;;);')",
                "new Function('for (;;);')()",
                "Array.from({ length: 2 ** 32 - 1 }, (x, i) => i & 0).length",
                "[].includes.call({ length: 2 ** 53 - 1 }, 1)",
                "const a = new Float64Array(1e6); for (;;) a.fill(Math.random()).sort()",
                "const a = new Array(1e5).fill('x'); for (;;) JSON.stringify(a)",
                "const s = 'ab'.repeat(1 << 20); for (;;) s.lastIndexOf('c'.repeat(99))",
                "const n = 3n ** 300000n; for (;;) n.toString()",
                "process.exit = () => { for (;;); }; for (;;);"
            })
    void anEndlessProgramIsEnded(String endless) {
        Duration wall = javaScriptStart();
        Attack attack =
                attackInJavaScript(
                        policy().wall(wall).cpuTime(seconds(60)).memory(mebibytes(1024)),
                        "tell('tried', 'loop');\n" + endless);
        assertThat(attack.answer("tried")).isEqualTo("loop");
        assertThat(attack.outcome()).as(attack.toString()).isEqualTo(new Outcome.TimedOut(wall));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "const f = () => f() + 1; f()",
                "const f = () => [0].map(f); f()",
                "class A { get x() { return this.x } } new A().x",
                "const p = new Proxy({}, { get: (t, k, r) => r[k] }); p.x",
                "let a = []; for (let i = 0; i < 100000; i++) a = [a]; a.toString(); throw new Error('survived')",
                "JSON.parse('['.repeat(200000)); ",
                "eval('('.repeat(200000))",
                "new RegExp('('.repeat(200000))",
                "const o = {}; o.toString = () => `${o}`; `${o}`"
            })
    void deepRecursionEndsTheProgramAndNothingElse(String deep) {
        Attack attack =
                attackInJavaScript(
                        policy().wall(seconds(60)).cpuTime(seconds(60)),
                        "tell('tried', 'depth');\n" + deep);
        assertThat(attack.answer("tried")).isEqualTo("depth");
        assertThat(attack.outcome())
                .as(attack.toString())
                .isInstanceOfAny(Outcome.Exited.class, Outcome.Signalled.class);
        assertThat(attack.outcome().success()).isFalse();
        assertThat(attack.result().stderr().total()).isPositive();
    }

    @Test
    void aFloodOfOutputIsCutAndEnded() {
        Attack attack =
                attackInJavaScript(
                        policy().wall(javaScriptStart()).output(kibibytes(64)),
                        """
                        const x = 'x'.repeat(10000);
                        const more = () => { console.log(x); console.error(x); setTimeout(more, 0) };
                        more();
                        """);
        // Where writing does not wait, its memory may be full before its time is over. Between two
        // writes it lets go, or what did not fit into the pipe at once would never be written.
        assertThat(attack.outcome())
                .isInstanceOfAny(
                        Outcome.TimedOut.class, Outcome.LimitHit.class, Outcome.Signalled.class);
        assertThat(attack.result().stdout().truncated()).isTrue();
        assertThat(attack.result().stdout().bytes()).hasSize(64 * 1024);
        assertThat(attack.result().stderr().bytes()).hasSize(64 * 1024);
        assertThat(attack.result().pressure()).extracting(Pressure::limit).contains(Limit.OUTPUT);
    }

    @Test
    void aFullScratchIsHeld() {
        promised(Promise.HARD_DISK);
        Attack attack =
                attackInJavaScript(
                        small().disk(mebibytes(4)),
                        """
                        const fs = require('fs');
                        const some = new Uint8Array(1 << 16);
                        const fill = (name) => { for (;;) fs.appendFileSync(name, some) };
                        attempt('one', () => fill('one'));
                        attempt('other', () => fill('other'));
                        attempt('folder', () => { fs.mkdirSync('folder'); fill('folder/file') });
                        tell('size', fs.statSync('one').size);
                        """);
        assertThat(attack.answer("one")).isEqualTo("ENOSPC");
        assertThat(attack.answer("other")).isEqualTo("ENOSPC");
        assertThat(attack.answer("folder")).isEqualTo("ENOSPC");
        assertThat(attack.number("size")).isLessThanOrEqualTo(mebibytes(4).count());
    }

    @Test
    void noFileOfTheHostIsReadOrWritten(@TempDir Path folder) throws IOException {
        promised(Promise.FILES_CONFINED);
        String secret = UUID.randomUUID().toString();
        Path file = Files.writeString(folder.resolve("secret"), secret);
        Attack attack =
                attackInJavaScript(
                        """
                        const fs = require('fs');
                        const host = '%s';
                        for (const path of [host, '../../../../../../' + host, '/proc/1/root' + host, '/proc/self/root' + host,
                            '/proc/self/cwd/../../../../..' + host, './/..//../../../../../../../../..' + host, host + '\\0.txt']) {
                          attempt('read ' + path.replaceAll('\\0', '?'), () => tell('content', fs.readFileSync(path, 'utf8')));
                          attempt('write ' + path.replaceAll('\\0', '?'), () => fs.writeFileSync(path, 'changed'));
                          attempt('append ' + path.replaceAll('\\0', '?'), () => fs.appendFileSync(path, 'changed'));
                        }
                        attempt('list', () => tell('entries', fs.readdirSync('/').length));
                        attempt('shadow', () => fs.readFileSync('/etc/shadow'));
                        attempt('environment', () => fs.readFileSync('/proc/1/environ'));
                        """
                                .formatted(file));
        assertThat(attack.told()).hasSizeGreaterThan(20);
        assertThat(attack.toString()).doesNotContain(secret);
        assertThat(attack.told()).doesNotContainKey("content").doesNotContainValue("done,done");
        assertThat(Files.readString(file)).isEqualTo(secret);
        assertThat(attack.answer("shadow")).isIn("ENOENT", "EACCES");
    }

    @Test
    void nothingOfTheHostIsInTheEnvironment() {
        Attack attack = attackInJavaScript("tell('environment', JSON.stringify(process.env))");
        System.getenv()
                .forEach((name, value) -> {
                    if (value.length() > 8 && !name.equals("PATH") && !name.equals("LANG")) {
                        assertThat(attack.answer("environment")).doesNotContain(value);
                    }
                });
    }

    @Test
    void whatAProgramDoesToItsGlobalsIsGoneWithIt() {
        try (Sandbox box = open(Language.JAVASCRIPT)) {
            Result spoils =
                    box.run(
                            Program.javascript(
                                    """
                                    for (const type of [Object, Array, String, Function, Promise, Error, Uint8Array, Map, RegExp]) {
                                      for (const name of Object.getOwnPropertyNames(type.prototype)) {
                                        try { type.prototype[name] = () => { throw 'spoilt' } } catch {}
                                      }
                                    }
                                    for (const name of Object.getOwnPropertyNames(globalThis)) {
                                      try { delete globalThis[name] } catch {}
                                    }
                                    """));
            assertThat(spoils.outcome())
                    .as(told(spoils))
                    .isInstanceOfAny(Outcome.Exited.class, Outcome.Signalled.class);
            Result next =
                    box.run(
                            Program.javascript(
                                    "console.log([3, 1, 2].sort().join(), 'x'.repeat(2))"));
            assertThat(next.stdout().text()).as(told(next)).isEqualTo("1,2,3 xx\n");
        }
    }
}
