package dev.glovebox.sandbox.internal;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The profile for engines decides as the filter of the jail does. */
final class EngineProfileTest {

    private static final int KILL = 0x8000_0000;
    private static final int ERRNO = 0x0005_0000;
    private static final int ALLOW = 0x7FFF_0000;
    private static final int ENOSYS = 38;
    private static final int ROUNDS = 1_000;

    /** Those that are decided by their arguments, with their numbers on x86_64. */
    private static final String BY_ARGUMENT =
            """
            chmod 90
            fchmod 91
            creat 85
            fchmodat 268
            fchmodat2 452
            open 2
            openat 257
            mknod 133
            mknodat 259
            ioctl 16
            clone 56
            personality 135
            prctl 157
            socket 41
            socketpair 53
            memfd_create 319
            shmget 29
            msgget 68
            semget 64
            mmap 9
            setsockopt 54
            seccomp 317
            sched_setaffinity 203
            clone3 435
            openat2 437
            io_uring_setup 425
            io_submit 209
            cachestat 451
            """;

    /** Values on both sides of every rule, and such with bits that the kernel cuts off. */
    private static final long[] VALUES = {
        0,
        1,
        2,
        3,
        5,
        6,
        9,
        10,
        15,
        16,
        17,
        22,
        26,
        35,
        50,
        51,
        52,
        58,
        0100,
        0644,
        02000,
        02755,
        04000,
        06000,
        010644,
        0020600,
        0060600,
        0100644,
        0104755,
        0140755,
        0x5412,
        0x541C,
        0x541D,
        0x5423,
        0x5401,
        020000000,
        020200000,
        0x3D0F00,
        0x01200011,
        0x02000000,
        0x10000000,
        0x20000,
        0x7E020000,
        0x40000000,
        0xFFFF_FFFFL,
        -1L,
        0x5412 | 1L << 32,
        1L << 32,
        04000 | 1L << 40,
        0x80801,
        0x801
    };

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void eachCallIsDecidedAsInTheJail(boolean unixSockets) {
        BpfMachine jail =
                new BpfMachine(
                        Seccomp.filter(
                                Architecture.X86_64, new Seccomp.Options(unixSockets, true)));
        Map<String, List<EngineProfile.Rule>> rules = byName(EngineProfile.rules(unixSockets));
        Random random = new Random(42);
        numbers()
                .forEach((name, number) -> {
                    for (int round = 0; round < ROUNDS; round++) {
                        long[] arguments =
                                random.longs(6, 0, VALUES.length)
                                        .map(i -> VALUES[(int) i])
                                        .toArray();
                        int expected = jail.run(Architecture.X86_64.auditArch(), number, arguments);
                        assertThat(verdicts(rules.getOrDefault(name, List.of()), arguments))
                                .as(name + " " + java.util.Arrays.toString(arguments))
                                .containsExactly(expected);
                    }
                });
    }

    private static Map<String, Integer> numbers() {
        Map<String, Integer> numbers = new HashMap<>();
        for (String rows :
                List.of(Syscalls.ALLOWED, Syscalls.NOT_PERMITTED, Syscalls.ATTACKS, BY_ARGUMENT)) {
            rows.lines()
                    .map(row -> row.strip().split(" +"))
                    .filter(row -> row.length > 1 && !row[1].equals("-"))
                    .forEach(row -> numbers.put(row[0], Integer.valueOf(row[1])));
        }
        assertThat(numbers).hasSizeGreaterThan(300);
        return numbers;
    }

    private static Map<String, List<EngineProfile.Rule>> byName(List<EngineProfile.Rule> rules) {
        return rules.stream()
                .flatMap(rule -> rule.names().stream())
                .distinct()
                .collect(
                        Collectors.toMap(
                                name -> name,
                                name ->
                                        rules.stream()
                                                .filter(rule -> rule.names().contains(name))
                                                .toList()));
    }

    /** Where two rules apply and differ, libseccomp does not say which wins. */
    private static Set<Integer> verdicts(List<EngineProfile.Rule> rules, long[] arguments) {
        Set<Integer> found =
                rules.stream()
                        .filter(rule ->
                                rule.conditions().stream()
                                        .allMatch(condition -> condition.holds(arguments)))
                        .map(rule ->
                                switch (rule.verdict()) {
                                    case 0 -> ALLOW;
                                    case -1 -> KILL;
                                    default -> ERRNO | rule.verdict();
                                })
                        .collect(Collectors.toSet());
        return found.isEmpty() ? Set.of(ERRNO | ENOSYS) : found;
    }

    @Test
    void noRuleLooksTwiceAtAnArgument() {
        for (EngineProfile.Rule rule : EngineProfile.rules(true)) {
            assertThat(rule.conditions().stream().map(EngineProfile.Condition::argument))
                    .doesNotHaveDuplicates();
        }
    }

    @Test
    void whatEnginesReadIsJsonWithOneArchitecture() throws Exception {
        JsonNode profile = new ObjectMapper().readTree(EngineProfile.json(true));
        assertThat(profile.path("defaultAction").asText()).isEqualTo("SCMP_ACT_ERRNO");
        assertThat(profile.path("architectures")).hasSize(1);
        assertThat(profile.path("syscalls").size()).isGreaterThan(50);
        assertThat(EngineProfile.json(false)).isNotEqualTo(EngineProfile.json(true));
        assertThat(EngineProfile.describe()).startsWith("allow-list of ");
    }
}
